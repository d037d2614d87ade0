/// Routes and RPC bindings as the server installs them, and the ids of requests.
@NullMarked
package dev.torg.server.route;

import org.jspecify.annotations.NullMarked;
