/// HTTP calls to providers and to addresses that recipients gave: bounded in time and size, without redirects. The result
/// of a call distinguishes a response, a request that was certainly not sent, and one that may have been processed.
@NullMarked
package dev.torg.notifications.http;

import org.jspecify.annotations.NullMarked;
