package dev.torg.offers.dashboard;

import dev.torg.api.v1.CabinetServiceGrpc;
import dev.torg.api.v1.GetPresetCountsRequest;
import dev.torg.api.v1.GetSellerCountersRequest;
import dev.torg.api.v1.ListSellerOffersRequest;
import dev.torg.api.v1.ListSellerOffersResponse;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Preset.Name;
import dev.torg.api.v1.PresetCounts;
import dev.torg.api.v1.RepairPresetsRequest;
import dev.torg.api.v1.RepairPresetsResponse;
import dev.torg.api.v1.SellerCounters;
import dev.torg.offers.dashboard.SellerDashboardService.Counters;
import dev.torg.offers.dashboard.SellerDashboardService.Listing;
import dev.torg.offers.store.SellerCounterStore;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;
import java.util.Map;

/// The gRPC adapter of the seller dashboard. `me` stands for the caller; in a repair `-` stands for all
/// sellers.
public final class CabinetRpc extends CabinetServiceGrpc.CabinetServiceImplBase {
  private static final String ME = "me";
  private static final String ALL = "-";

  private final SellerDashboardService dashboard;
  private final PresetRepairService repair;

  public CabinetRpc(SellerDashboardService dashboard, PresetRepairService repair) {
    this.dashboard = dashboard;
    this.repair = repair;
  }

  @Override
  public void listSellerOffers(
      ListSellerOffersRequest request, StreamObserver<ListSellerOffersResponse> response) {
    Listing listing =
        new Listing(
            seller(request.getSeller()),
            preset(request.getPreset()),
            request.getExternalId(),
            request.getPageSize(),
            request.getPageToken());
    RpcResponse.complete(
        response,
        dashboard.list(CurrentCaller.get(), listing),
        page ->
            ListSellerOffersResponse.newBuilder()
                .addAllOffers(page.offers())
                .setNextPageToken(page.nextPageToken())
                .build());
  }

  @Override
  public void getPresetCounts(
      GetPresetCountsRequest request, StreamObserver<PresetCounts> response) {
    Caller caller = CurrentCaller.required();
    RpcResponse.complete(
        response, dashboard.counts(caller, seller(request.getSeller())), CabinetRpc::encode);
  }

  @Override
  public void getSellerCounters(
      GetSellerCountersRequest request, StreamObserver<SellerCounters> response) {
    Caller caller = CurrentCaller.required();
    RpcResponse.complete(
        response, dashboard.counters(caller, seller(request.getSeller())), CabinetRpc::encode);
  }

  @Override
  public void repairPresets(
      RepairPresetsRequest request, StreamObserver<RepairPresetsResponse> response) {
    RpcResponse.complete(
        response,
        request.getSeller().equals(ALL)
            ? repair.repairAll()
            : repair.repair(seller(request.getSeller())),
        corrected -> RepairPresetsResponse.newBuilder().setCorrected(corrected).build());
  }

  private static String seller(String seller) {
    return seller.equals(ME) ? CurrentCaller.required().subject() : seller;
  }

  private static Name preset(Name preset) {
    return switch (preset) {
      case NAME_UNSPECIFIED -> Name.ACTIVE;
      case UNRECOGNIZED ->
          throw Failure.invalid("preset.unknown", "no such preset", "preset", "is not known");
      case ALL, ACTIVE, PENDING, EXPIRED, BANNED, SOLD, WITHDRAWN, WITH_PROBLEMS -> preset;
    };
  }

  private static PresetCounts encode(Map<Name, Long> counts) {
    PresetCounts.Builder encoded = PresetCounts.newBuilder();
    counts.forEach((name, count) -> encoded.putCounts(name.name(), count.intValue()));
    return encoded.build();
  }

  private static SellerCounters encode(Counters counters) {
    SellerCounters.Builder encoded =
        SellerCounters.newBuilder()
            .setActive(state(counters, Name.ACTIVE))
            .setExpired(state(counters, Name.EXPIRED))
            .setBanned(state(counters, Name.BANNED))
            .setSold(counters.grown().getOrDefault(SellerCounterStore.SOLD, 0L).intValue());
    counters
        .grown()
        .forEach(
            (counter, value) -> {
              if (counter.startsWith(SellerCounterStore.EARNED)) {
                String currency = counter.substring(SellerCounterStore.EARNED.length());
                encoded.addMoneyEarned(Money.newBuilder().setAmount(value).setCurrency(currency));
              }
            });
    return encoded.build();
  }

  private static int state(Counters counters, Name preset) {
    return counters.states().getOrDefault(preset, 0L).intValue();
  }
}
