package dev.torg.promotions.rpc;

import dev.torg.api.v1.Balance;
import dev.torg.api.v1.BalanceServiceGrpc;
import dev.torg.api.v1.GetBalanceRequest;
import dev.torg.api.v1.LedgerItem;
import dev.torg.api.v1.ListLedgerRequest;
import dev.torg.api.v1.ListLedgerResponse;
import dev.torg.api.v1.PaymentCheckout;
import dev.torg.api.v1.TopUpBalanceRequest;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Money;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.promotions.ledger.LedgerEntry;
import dev.torg.promotions.ledger.LedgerKind;
import dev.torg.promotions.ledger.LedgerPage;
import dev.torg.promotions.ledger.LedgerReader;
import dev.torg.promotions.ledger.StoredEntry;
import dev.torg.promotions.ledger.TopUpService;
import dev.torg.promotions.payment.PaymentService;
import io.grpc.stub.StreamObserver;

/// The gRPC adapter of balances.
public final class BalanceRpc extends BalanceServiceGrpc.BalanceServiceImplBase {
  private final LedgerReader ledger;
  private final TopUpService topUps;

  public BalanceRpc(LedgerReader ledger, TopUpService topUps) {
    this.ledger = ledger;
    this.topUps = topUps;
  }

  @Override
  public void getBalance(GetBalanceRequest request, StreamObserver<Balance> response) {
    Balance.Builder balance = Balance.newBuilder();
    ledger
        .balances(seller(request.getSeller()))
        .forEach(money -> balance.addBalances(PromotionProtoMapper.money(money)));
    response.onNext(balance.build());
    response.onCompleted();
  }

  @Override
  public void listLedger(ListLedgerRequest request, StreamObserver<ListLedgerResponse> response) {
    LedgerPage page =
        ledger.page(seller(request.getSeller()), request.getPageSize(), request.getPageToken());
    ListLedgerResponse.Builder message =
        ListLedgerResponse.newBuilder().setNextPageToken(page.nextPageToken());
    page.entries().forEach(entry -> message.addEntries(item(entry)));
    response.onNext(message.build());
    response.onCompleted();
  }

  /// Only sellers themselves pay: an admin cannot top up another's balance.
  @Override
  public void topUpBalance(TopUpBalanceRequest request, StreamObserver<PaymentCheckout> response) {
    String seller = SellerPath.requireOwn(request.getSeller(), CurrentCaller.required());
    Money amount =
        Money.at("amount", request.getAmount().getAmount(), request.getAmount().getCurrency());
    String key =
        PaymentService.requireKey(CurrentCaller.idempotencyKey(request.getIdempotencyKey()));
    response.onNext(PromotionProtoMapper.checkout(topUps.create(seller, amount, key)));
    response.onCompleted();
  }

  private static String seller(String path) {
    return SellerPath.require(path, CurrentCaller.required());
  }

  private static LedgerItem item(StoredEntry stored) {
    LedgerEntry entry = stored.entry();
    return LedgerItem.newBuilder()
        .setId(entry.account().currency() + "-" + stored.id())
        .setAt(EpochMicros.timestamp(stored.at()))
        .setKind(kind(entry.kind()))
        .setAmount(
            dev.torg.api.v1.Money.newBuilder()
                .setAmount(entry.amount())
                .setCurrency(entry.account().currency()))
        .setReason(entry.reason())
        .setReference(entry.reference())
        .build();
  }

  private static LedgerItem.Kind kind(LedgerKind kind) {
    return switch (kind) {
      case TOP_UP -> LedgerItem.Kind.TOP_UP;
      case CHARGE -> LedgerItem.Kind.CHARGE;
      case REFUND -> LedgerItem.Kind.REFUND;
    };
  }
}
