/// HTTP calls to providers and to addresses that recipients gave: bounded in time and size, without redirects. The result
/// of a call tells apart what the server answered, what was certainly not sent, and what may have been processed.
@NullMarked
package dev.torg.notifications.http;

import org.jspecify.annotations.NullMarked;
