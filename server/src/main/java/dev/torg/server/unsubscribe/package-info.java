/// The page and the one-click request by which people unsubscribe without login.
@NullMarked
package dev.torg.server.unsubscribe;

import org.jspecify.annotations.NullMarked;
