package dev.torg.favorites.rpc;

import dev.torg.api.v1.AddSellersRequest;
import dev.torg.api.v1.BatchGetFavoritesRequest;
import dev.torg.api.v1.BatchGetFavoritesResponse;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.BlockRequest;
import dev.torg.api.v1.BlockResponse;
import dev.torg.api.v1.Collection;
import dev.torg.api.v1.CollectionOffersRequest;
import dev.torg.api.v1.CreateCollectionRequest;
import dev.torg.api.v1.DeleteCollectionRequest;
import dev.torg.api.v1.DeleteCollectionResponse;
import dev.torg.api.v1.DeleteNoteRequest;
import dev.torg.api.v1.DeleteNoteResponse;
import dev.torg.api.v1.Estimate;
import dev.torg.api.v1.EstimateSearchRequest;
import dev.torg.api.v1.FavoriteCounts;
import dev.torg.api.v1.FavoriteNote;
import dev.torg.api.v1.FavoriteSeller;
import dev.torg.api.v1.FavoriteServiceGrpc.FavoriteServiceImplBase;
import dev.torg.api.v1.GetFavoriteCountsRequest;
import dev.torg.api.v1.GetSaveCountRequest;
import dev.torg.api.v1.ListCollectionOffersRequest;
import dev.torg.api.v1.ListCollectionOffersResponse;
import dev.torg.api.v1.ListCollectionsRequest;
import dev.torg.api.v1.ListCollectionsResponse;
import dev.torg.api.v1.ListFavoritesRequest;
import dev.torg.api.v1.ListFavoritesResponse;
import dev.torg.api.v1.MoveFromAnonymousRequest;
import dev.torg.api.v1.MoveFromAnonymousResponse;
import dev.torg.api.v1.OfferIds;
import dev.torg.api.v1.PutNoteRequest;
import dev.torg.api.v1.RenameCollectionRequest;
import dev.torg.api.v1.SaveCount;
import dev.torg.api.v1.SaveSearchRequest;
import dev.torg.api.v1.SavedSearch;
import dev.torg.api.v1.SearchIds;
import dev.torg.api.v1.SellerIds;
import dev.torg.api.v1.UpdateFavoriteSellerRequest;
import dev.torg.api.v1.UpdateSearchRequest;
import dev.torg.favorites.service.FavoriteService;
import dev.torg.favorites.service.SavedSearchService;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Favorites on the wire. Some calls wait for the database: serve it on threads that may.
public final class FavoriteRpc extends FavoriteServiceImplBase {
  private final FavoriteService saving;
  private final SavedSearchService searches;
  private final FavoriteQueryService listing;

  public FavoriteRpc(
      FavoriteService saving, SavedSearchService searches, FavoriteQueryService listing) {
    this.saving = saving;
    this.searches = searches;
    this.listing = listing;
  }

  @Override
  public void addOffers(OfferIds request, StreamObserver<BatchResults> answer) {
    RpcResponse.complete(
        answer, saving.addOffers(owner(), request.getOfferIdsList()), FavoriteProtoMapper::results);
  }

  @Override
  public void removeOffers(OfferIds request, StreamObserver<BatchResults> answer) {
    RpcResponse.complete(
        answer,
        saving.removeOffers(owner(), request.getOfferIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void addSellers(AddSellersRequest request, StreamObserver<BatchResults> answer) {
    var settings = FavoriteProtoMapper.settings(request.hasSettings(), request.getSettings());
    RpcResponse.complete(
        answer,
        saving.addSellers(owner(), request.getSellerIdsList(), settings),
        FavoriteProtoMapper::results);
  }

  @Override
  public void removeSellers(SellerIds request, StreamObserver<BatchResults> answer) {
    RpcResponse.complete(
        answer,
        saving.removeSellers(owner(), request.getSellerIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void updateSeller(
      UpdateFavoriteSellerRequest request, StreamObserver<FavoriteSeller> answer) {
    var settings =
        FavoriteProtoMapper.requiredSettings(request.hasSettings(), request.getSettings());
    RpcResponse.complete(
        answer,
        saving.updateSeller(owner(), request.getId(), settings),
        FavoriteProtoMapper::seller);
  }

  @Override
  public void saveSearch(SaveSearchRequest request, StreamObserver<SavedSearch> answer) {
    var settings = FavoriteProtoMapper.settings(request.hasSettings(), request.getSettings());
    send(answer, () -> searches.save(owner(), request.getQuery(), request.getName(), settings));
  }

  @Override
  public void updateSearch(UpdateSearchRequest request, StreamObserver<SavedSearch> answer) {
    var settings = FavoriteProtoMapper.settings(request.hasSettings(), request.getSettings());
    Optional<String> name = request.hasName() ? Optional.of(request.getName()) : Optional.empty();
    send(answer, () -> searches.update(owner(), request.getId(), name, settings));
  }

  @Override
  public void removeSearches(SearchIds request, StreamObserver<BatchResults> answer) {
    RpcResponse.complete(
        answer,
        saving.removeSearches(owner(), request.getSearchIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void estimateSearch(EstimateSearchRequest request, StreamObserver<Estimate> answer) {
    send(answer, () -> searches.estimate(request.getQuery()));
  }

  @Override
  public void listFavorites(
      ListFavoritesRequest request, StreamObserver<ListFavoritesResponse> answer) {
    RpcResponse.complete(answer, listing.favorites(owner(), request), page -> page);
  }

  @Override
  public void getFavoriteCounts(
      GetFavoriteCountsRequest request, StreamObserver<FavoriteCounts> answer) {
    send(answer, () -> listing.counts(owner()));
  }

  @Override
  public void batchGetFavorites(
      BatchGetFavoritesRequest request, StreamObserver<BatchGetFavoritesResponse> answer) {
    RpcResponse.complete(answer, listing.batch(owner(), request), batch -> batch);
  }

  @Override
  public void putNote(PutNoteRequest request, StreamObserver<FavoriteNote> answer) {
    RpcResponse.complete(
        answer,
        saving.putNote(owner(), request.getId(), request.getText()),
        row -> FavoriteProtoMapper.note(row, request.getText()));
  }

  @Override
  public void deleteNote(DeleteNoteRequest request, StreamObserver<DeleteNoteResponse> answer) {
    RpcResponse.complete(
        answer,
        saving.deleteNote(owner(), request.getId()),
        _ -> DeleteNoteResponse.getDefaultInstance());
  }

  @Override
  public void createCollection(CreateCollectionRequest request, StreamObserver<Collection> answer) {
    var key = CurrentCaller.idempotencyKey(request.getIdempotencyKey());
    RpcResponse.complete(
        answer,
        saving.createCollection(owner(), request.getName(), key),
        FavoriteProtoMapper::collection);
  }

  @Override
  public void listCollections(
      ListCollectionsRequest request, StreamObserver<ListCollectionsResponse> answer) {
    RpcResponse.complete(answer, listing.collections(owner(), request), page -> page);
  }

  @Override
  public void renameCollection(RenameCollectionRequest request, StreamObserver<Collection> answer) {
    RpcResponse.complete(
        answer,
        saving.renameCollection(owner(), request.getId(), request.getName()),
        FavoriteProtoMapper::collection);
  }

  @Override
  public void deleteCollection(
      DeleteCollectionRequest request, StreamObserver<DeleteCollectionResponse> answer) {
    RpcResponse.complete(
        answer,
        saving.deleteCollection(owner(), request.getId()),
        _ -> DeleteCollectionResponse.getDefaultInstance());
  }

  @Override
  public void addToCollection(
      CollectionOffersRequest request, StreamObserver<BatchResults> answer) {
    RpcResponse.complete(
        answer,
        saving.addToCollection(owner(), request.getId(), request.getOfferIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void removeFromCollection(
      CollectionOffersRequest request, StreamObserver<BatchResults> answer) {
    RpcResponse.complete(
        answer,
        saving.removeFromCollection(owner(), request.getId(), request.getOfferIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void listCollectionOffers(
      ListCollectionOffersRequest request, StreamObserver<ListCollectionOffersResponse> answer) {
    RpcResponse.complete(answer, listing.collection(owner(), request), page -> page);
  }

  @Override
  public void moveFromAnonymous(
      MoveFromAnonymousRequest request, StreamObserver<MoveFromAnonymousResponse> answer) {
    send(answer, () -> listing.move(CurrentCaller.required(), request.getAnonymousToken()));
  }

  @Override
  public void getSaveCount(GetSaveCountRequest request, StreamObserver<SaveCount> answer) {
    send(answer, () -> listing.saveCount(request.getId()));
  }

  @Override
  public void blockSeller(BlockRequest request, StreamObserver<BlockResponse> answer) {
    done(answer, saving.block(owner(), request.getSeller()));
  }

  @Override
  public void unblockSeller(BlockRequest request, StreamObserver<BlockResponse> answer) {
    done(answer, saving.unblock(owner(), request.getSeller()));
  }

  private static void done(StreamObserver<BlockResponse> answer, CompletableFuture<?> future) {
    RpcResponse.complete(answer, future, _ -> BlockResponse.getDefaultInstance());
  }

  private static String owner() {
    return CurrentCaller.required().subject();
  }

  /// Something that waits.
  private interface Call<T> {
    T run();
  }

  private static <T> void send(StreamObserver<T> observer, Call<T> call) {
    T value;
    try {
      value = call.run();
    } catch (CompletionException e) {
      observer.onError(e.getCause() == null ? e : e.getCause());
      return;
    }
    observer.onNext(value);
    observer.onCompleted();
  }
}
