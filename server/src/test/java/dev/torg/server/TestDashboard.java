package dev.torg.server;

import dev.torg.api.v1.CabinetServiceGrpc.CabinetServiceImplBase;
import dev.torg.api.v1.GetPresetCountsRequest;
import dev.torg.api.v1.ListSellerOffersRequest;
import dev.torg.api.v1.ListSellerOffersResponse;
import dev.torg.api.v1.PresetCounts;
import dev.torg.api.v1.RepairPresetsRequest;
import dev.torg.api.v1.RepairPresetsResponse;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;

/// A blocking service that records its requests and their threads.
final class TestDashboard extends CabinetServiceImplBase {
  volatile ListSellerOffersRequest listed;
  volatile Thread thread;

  @Override
  public void listSellerOffers(
      ListSellerOffersRequest request, StreamObserver<ListSellerOffersResponse> response) {
    listed = request;
    thread = Thread.currentThread();
    response.onNext(ListSellerOffersResponse.getDefaultInstance());
    response.onCompleted();
  }

  @Override
  public void getPresetCounts(
      GetPresetCountsRequest request, StreamObserver<PresetCounts> response) {
    response.onNext(
        PresetCounts.newBuilder()
            .putCounts(CurrentCaller.required().subject(), 0)
            .putCounts("ACTIVE", 3)
            .build());
    response.onCompleted();
  }

  @Override
  public void repairPresets(
      RepairPresetsRequest request, StreamObserver<RepairPresetsResponse> response) {
    if (request.getSeller().equals("error")) {
      throw new AssertionError("secret detail");
    }
    throw new IllegalStateException("secret detail of " + request.getSeller());
  }
}
