/// Bounds of the fields of a request, checked before objects are built.
///
/// The .proto files declare bounds (`torg/v1/bounds.proto`). [BoundsCompiler] turns the
/// declarations of everything that a request can hold into [MessageBounds], and refuses a field
/// without them; [RequestBounds] has those of one RPC. [WireBounds] scans the bytes of a protobuf
/// message, `dev.torg.server.json.JsonBounds` the tokens of a JSON body. [BoundedMarshaller] runs
/// the check before gRPC's own parser.
@NullMarked
package dev.torg.server.bounds;

import org.jspecify.annotations.NullMarked;
