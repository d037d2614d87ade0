/// The OpenAPI document, generated at start from what is served: the `google.api.http` rules with their
/// messages and comments, the declared callers, and the table of plain HTTP services. Nothing about an address
/// is written twice.
@NullMarked
package dev.torg.server.openapi;

import org.jspecify.annotations.NullMarked;
