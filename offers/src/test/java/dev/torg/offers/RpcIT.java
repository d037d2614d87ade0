package dev.torg.offers;

import static dev.torg.offers.wiring.OffersFixture.anonymous;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.money;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import dev.torg.api.v1.BatchActRequest;
import dev.torg.api.v1.BatchGetOffersRequest;
import dev.torg.api.v1.BatchGetOffersResponse;
import dev.torg.api.v1.BatchResult;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.Category;
import dev.torg.api.v1.Draft;
import dev.torg.api.v1.GetCategoryRequest;
import dev.torg.api.v1.GetPresetCountsRequest;
import dev.torg.api.v1.GetSellerCountersRequest;
import dev.torg.api.v1.ListCategoriesRequest;
import dev.torg.api.v1.ListCategoriesResponse;
import dev.torg.api.v1.ListSellerOffersRequest;
import dev.torg.api.v1.ListSellerOffersResponse;
import dev.torg.api.v1.MarkSoldRequest;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OpenDraftRequest;
import dev.torg.api.v1.PresetCounts;
import dev.torg.api.v1.PublishDraftRequest;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.api.v1.SellerCounters;
import dev.torg.api.v1.UpdateDraftRequest;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.testkit.UnaryResponse;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The gRPC adapters, called as the server calls them: with the caller in the context.
class RpcIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final Caller SELLER = user("rpc");

  @Test
  void dashboard_me_isTheCaller() {
    Offer offer = publish("One");
    Offer sold = publish("Two");
    call(
        SELLER,
        OFFERS.rpc().offers()::markSold,
        MarkSoldRequest.newBuilder().setId(sold.getDisplayId()).setPrice(money(70)).build());

    PresetCounts counts =
        call(
            SELLER,
            OFFERS.rpc().dashboardRpc()::getPresetCounts,
            GetPresetCountsRequest.newBuilder().setSeller("me").build());
    assertThat(counts.getCountsMap())
        .containsEntry("ALL", 2)
        .containsEntry("ACTIVE", 1)
        .containsEntry("SOLD", 1)
        .hasSize(8);
    SellerCounters counters =
        call(
            SELLER,
            OFFERS.rpc().dashboardRpc()::getSellerCounters,
            GetSellerCountersRequest.newBuilder().setSeller("me").build());
    assertThat(counters.getSold()).isEqualTo(1);
    assertThat(counters.getMoneyEarnedList()).containsExactly(money(70));
    ListSellerOffersResponse page =
        call(
            null,
            OFFERS.rpc().dashboardRpc()::listSellerOffers,
            ListSellerOffersRequest.newBuilder().setSeller("user:rpc").build());
    assertThat(page.getOffersList()).containsExactly(offer);
  }

  @Test
  void batches_respondItemByItem() {
    Caller seller = user("batches");
    Offer offer = publish(seller, "Mine");
    Offer others = publish(user("another"), "Not mine");
    BatchResults results =
        call(
            seller,
            OFFERS.rpc().offers()::batchAct,
            BatchActRequest.newBuilder()
                .setAction(BatchActRequest.Action.WITHDRAW)
                .addIds(offer.getId())
                .addIds(others.getId())
                .addIds("0000000000000000")
                .addIds("nonsense")
                .build());
    assertThat(results.getResultsList())
        .extracting(BatchResult::getCode)
        .containsExactly("OK", "FORBIDDEN", "NOT_FOUND", "INVALID");
    BatchGetOffersResponse response =
        call(
            null,
            OFFERS.rpc().offers()::batchGetOffers,
            BatchGetOffersRequest.newBuilder()
                .addIds(offer.getId())
                .addIds(others.getId())
                .addIds("nonsense")
                .build());
    assertThat(response.getOffersList()).containsExactly(others);
    assertThat(response.getMissingList()).containsExactly(offer.getId(), "nonsense");
  }

  @Test
  void batchAct_sameIdTwice_isRefusedAndChangesNothing() {
    Caller seller = user("twice");
    Offer offer = publish(seller, "Mine");
    String spaced = OfferId.parse(offer.getId()).display();
    for (String duplicate : List.of(offer.getId(), spaced)) {
      assertThatThrownBy(
              () ->
                  call(
                      seller,
                      OFFERS.rpc().offers()::batchAct,
                      BatchActRequest.newBuilder()
                          .setAction(BatchActRequest.Action.WITHDRAW)
                          .addIds(offer.getId())
                          .addIds(duplicate)
                          .build()))
          .isInstanceOfSatisfying(Failure.class, RpcIT::isDuplicate);
    }
    BatchGetOffersRequest once = BatchGetOffersRequest.newBuilder().addIds(offer.getId()).build();
    assertThat(call(null, OFFERS.rpc().offers()::batchGetOffers, once).getOffersList())
        .containsExactly(offer);
  }

  @Test
  void batchGet_sameIdTwice_isRefused() {
    BatchGetOffersRequest twice =
        BatchGetOffersRequest.newBuilder().addIds("nonsense").addIds("nonsense").build();
    assertThatThrownBy(() -> call(null, OFFERS.rpc().offers()::batchGetOffers, twice))
        .isInstanceOfSatisfying(Failure.class, RpcIT::isDuplicate);
  }

  private static void isDuplicate(Failure failure) {
    assertThat(failure.kind()).isEqualTo(Failure.Kind.INVALID);
    assertThat(failure.code()).isEqualTo("batch.duplicate");
  }

  @Test
  void draft_fromAnonymousToOffer() {
    Caller visitor = anonymous("walker");
    Caller login = user("walker");
    Draft draft =
        call(
            visitor,
            OFFERS.rpc().drafts()::openDraft,
            OpenDraftRequest.newBuilder().setCategory("cars").build());
    call(
        visitor,
        OFFERS.rpc().drafts()::updateDraft,
        UpdateDraftRequest.newBuilder().setId(draft.getId()).setOffer(car("Audi", 5)).build());
    assertThatThrownBy(
            () ->
                call(
                    visitor,
                    OFFERS.rpc().drafts()::publishDraft,
                    PublishDraftRequest.newBuilder().setId(draft.getId()).build()))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.UNAUTHENTICATED));
    Draft takenOver =
        call(
            login,
            OFFERS.rpc().drafts()::openDraft,
            OpenDraftRequest.newBuilder().setAnonymousToken("anon:walker").build());
    assertThat(takenOver.getId()).isEqualTo(draft.getId());
    Offer offer =
        call(
            login,
            OFFERS.rpc().drafts()::publishDraft,
            PublishDraftRequest.newBuilder().setId(draft.getId()).build());
    assertThat(offer.getTitle()).isEqualTo("Audi");
    assertThat(offer.getSellerId()).isEqualTo("user:walker");
  }

  @Test
  void markSold_badPrice_namesEveryFieldByItsPath() {
    Offer offer = publish(user("badprice"), "Three");
    MarkSoldRequest request =
        MarkSoldRequest.newBuilder()
            .setId(offer.getId())
            .setPrice(Money.newBuilder().setAmount(-7).setCurrency("XXX"))
            .build();
    assertThatThrownBy(() -> call(user("badprice"), OFFERS.rpc().offers()::markSold, request))
        .isInstanceOfSatisfying(
            Failure.class,
            failure ->
                assertThat(failure.violations())
                    .extracting(Failure.Violation::field)
                    .containsExactly("price.amount", "price.currency"));
  }

  @Test
  void categories_areATree() {
    ListCategoriesResponse tree =
        call(
            null,
            OFFERS.rpc().categories()::listCategories,
            ListCategoriesRequest.getDefaultInstance());
    assertThat(tree.getCategories(0).getChildrenList())
        .extracting(Category::getId)
        .contains("cars");
    Category cars =
        call(
            null,
            OFFERS.rpc().categories()::getCategory,
            GetCategoryRequest.newBuilder().setId("cars").build());
    assertThat(cars.getAttributes(0).getKey()).isEqualTo("brand");
    assertThat(cars.getAttributes(0).getRequired()).isTrue();
    assertThat(cars.getParent()).isEqualTo("transport");
  }

  private static Offer publish(String title) {
    return publish(SELLER, title);
  }

  private static Offer publish(Caller seller, String title) {
    return call(
        seller,
        OFFERS.rpc().offers()::publishOffer,
        PublishOfferRequest.newBuilder().setOffer(car(title, 100)).build());
  }

  private static <Q extends Message, A extends Message> A call(
      Caller caller, BiConsumer<Q, StreamObserver<A>> method, Q request) {
    UnaryResponse<A> response = new UnaryResponse<>();
    Context context = Context.current();
    if (caller != null) {
      context = context.withValue(CurrentCaller.KEY, caller);
    }
    context.run(() -> method.accept(request, response));
    return response.await();
  }
}
