/// How large the parts of a request may be, and the check of it before objects are built.
///
/// The .proto files declare bounds (`torg/v1/bounds.proto`). [BoundsCompiler] turns the declarations of everything that a
/// request can hold into [MessageBounds], and refuses a field without them; [RequestBounds] has those of one RPC.
/// [WireBounds] walks over the bytes of a protobuf message, `dev.torg.server.json.JsonBounds` over the tokens of a JSON
/// body. [BoundedMarshaller] puts the check before gRPC's own parser.
@NullMarked
package dev.torg.server.bounds;

import org.jspecify.annotations.NullMarked;
