package dev.torg.offers.imports;

import dev.torg.api.v1.ImportOfferRequest;
import dev.torg.api.v1.ImportServiceGrpc;
import dev.torg.api.v1.Offer;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;
import java.util.function.Function;

/// The gRPC adapter of imports.
public final class ImportRpc extends ImportServiceGrpc.ImportServiceImplBase {
  private final ImportService imports;

  public ImportRpc(ImportService imports) {
    this.imports = imports;
  }

  @Override
  public void importOffer(ImportOfferRequest request, StreamObserver<Offer> response) {
    RpcResponse.complete(
        response,
        imports.importOffer(
            CurrentCaller.required(),
            request.getOffer(),
            CurrentCaller.idempotencyKey(request.getIdempotencyKey())),
        Function.identity());
  }
}
