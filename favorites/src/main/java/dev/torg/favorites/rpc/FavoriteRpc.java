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
import dev.torg.platform.Futures;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Favorites over gRPC. Some methods block on the database and must run on threads that may block.
public final class FavoriteRpc extends FavoriteServiceImplBase {
  private final FavoriteService saving;
  private final SavedSearchService searches;
  private final FavoriteQueryService queryService;

  public FavoriteRpc(
      FavoriteService saving, SavedSearchService searches, FavoriteQueryService queryService) {
    this.saving = saving;
    this.searches = searches;
    this.queryService = queryService;
  }

  @Override
  public void addOffers(OfferIds request, StreamObserver<BatchResults> response) {
    RpcResponse.complete(
        response,
        saving.addOffers(owner(), request.getOfferIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void removeOffers(OfferIds request, StreamObserver<BatchResults> response) {
    RpcResponse.complete(
        response,
        saving.removeOffers(owner(), request.getOfferIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void addSellers(AddSellersRequest request, StreamObserver<BatchResults> response) {
    var settings = FavoriteProtoMapper.settings(request.hasSettings(), request.getSettings());
    RpcResponse.complete(
        response,
        saving.addSellers(owner(), request.getSellerIdsList(), settings),
        FavoriteProtoMapper::results);
  }

  @Override
  public void removeSellers(SellerIds request, StreamObserver<BatchResults> response) {
    RpcResponse.complete(
        response,
        saving.removeSellers(owner(), request.getSellerIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void updateSeller(
      UpdateFavoriteSellerRequest request, StreamObserver<FavoriteSeller> response) {
    var settings =
        FavoriteProtoMapper.requiredSettings(request.hasSettings(), request.getSettings());
    RpcResponse.complete(
        response,
        saving.updateSeller(owner(), request.getId(), settings),
        FavoriteProtoMapper::seller);
  }

  @Override
  public void saveSearch(SaveSearchRequest request, StreamObserver<SavedSearch> response) {
    var settings = FavoriteProtoMapper.settings(request.hasSettings(), request.getSettings());
    send(response, () -> searches.save(owner(), request.getQuery(), request.getName(), settings));
  }

  @Override
  public void updateSearch(UpdateSearchRequest request, StreamObserver<SavedSearch> response) {
    var settings = FavoriteProtoMapper.settings(request.hasSettings(), request.getSettings());
    Optional<String> name = request.hasName() ? Optional.of(request.getName()) : Optional.empty();
    send(response, () -> searches.update(owner(), request.getId(), name, settings));
  }

  @Override
  public void removeSearches(SearchIds request, StreamObserver<BatchResults> response) {
    RpcResponse.complete(
        response,
        saving.removeSearches(owner(), request.getSearchIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void estimateSearch(EstimateSearchRequest request, StreamObserver<Estimate> response) {
    send(response, () -> searches.estimate(request.getQuery()));
  }

  @Override
  public void listFavorites(
      ListFavoritesRequest request, StreamObserver<ListFavoritesResponse> response) {
    RpcResponse.complete(response, queryService.favorites(owner(), request), page -> page);
  }

  @Override
  public void getFavoriteCounts(
      GetFavoriteCountsRequest request, StreamObserver<FavoriteCounts> response) {
    send(response, () -> queryService.counts(owner()));
  }

  @Override
  public void batchGetFavorites(
      BatchGetFavoritesRequest request, StreamObserver<BatchGetFavoritesResponse> response) {
    RpcResponse.complete(response, queryService.batch(owner(), request), batch -> batch);
  }

  @Override
  public void putNote(PutNoteRequest request, StreamObserver<FavoriteNote> response) {
    RpcResponse.complete(
        response,
        saving.putNote(owner(), request.getId(), request.getText()),
        row -> FavoriteProtoMapper.note(row, request.getText()));
  }

  @Override
  public void deleteNote(DeleteNoteRequest request, StreamObserver<DeleteNoteResponse> response) {
    RpcResponse.complete(
        response,
        saving.deleteNote(owner(), request.getId()),
        _ -> DeleteNoteResponse.getDefaultInstance());
  }

  @Override
  public void createCollection(
      CreateCollectionRequest request, StreamObserver<Collection> response) {
    var key = CurrentCaller.idempotencyKey(request.getIdempotencyKey());
    RpcResponse.complete(
        response,
        saving.createCollection(owner(), request.getName(), key),
        FavoriteProtoMapper::collection);
  }

  @Override
  public void listCollections(
      ListCollectionsRequest request, StreamObserver<ListCollectionsResponse> response) {
    RpcResponse.complete(response, queryService.collections(owner(), request), page -> page);
  }

  @Override
  public void renameCollection(
      RenameCollectionRequest request, StreamObserver<Collection> response) {
    RpcResponse.complete(
        response,
        saving.renameCollection(owner(), request.getId(), request.getName()),
        FavoriteProtoMapper::collection);
  }

  @Override
  public void deleteCollection(
      DeleteCollectionRequest request, StreamObserver<DeleteCollectionResponse> response) {
    RpcResponse.complete(
        response,
        saving.deleteCollection(owner(), request.getId()),
        _ -> DeleteCollectionResponse.getDefaultInstance());
  }

  @Override
  public void addToCollection(
      CollectionOffersRequest request, StreamObserver<BatchResults> response) {
    RpcResponse.complete(
        response,
        saving.addToCollection(owner(), request.getId(), request.getOfferIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void removeFromCollection(
      CollectionOffersRequest request, StreamObserver<BatchResults> response) {
    RpcResponse.complete(
        response,
        saving.removeFromCollection(owner(), request.getId(), request.getOfferIdsList()),
        FavoriteProtoMapper::results);
  }

  @Override
  public void listCollectionOffers(
      ListCollectionOffersRequest request, StreamObserver<ListCollectionOffersResponse> response) {
    RpcResponse.complete(response, queryService.collection(owner(), request), page -> page);
  }

  @Override
  public void moveFromAnonymous(
      MoveFromAnonymousRequest request, StreamObserver<MoveFromAnonymousResponse> response) {
    send(response, () -> queryService.merge(CurrentCaller.required(), request.getAnonymousToken()));
  }

  @Override
  public void getSaveCount(GetSaveCountRequest request, StreamObserver<SaveCount> response) {
    send(response, () -> queryService.saveCount(request.getId()));
  }

  @Override
  public void blockSeller(BlockRequest request, StreamObserver<BlockResponse> response) {
    done(response, saving.block(owner(), request.getSeller()));
  }

  @Override
  public void unblockSeller(BlockRequest request, StreamObserver<BlockResponse> response) {
    done(response, saving.unblock(owner(), request.getSeller()));
  }

  private static void done(StreamObserver<BlockResponse> response, CompletableFuture<?> future) {
    RpcResponse.complete(response, future, _ -> BlockResponse.getDefaultInstance());
  }

  private static String owner() {
    return CurrentCaller.required().subject();
  }

  /// A call that blocks.
  private interface Call<T> {
    T run();
  }

  private static <T> void send(StreamObserver<T> observer, Call<T> call) {
    T value;
    try {
      value = call.run();
    } catch (CompletionException e) {
      observer.onError(Futures.unwrap(e));
      return;
    }
    observer.onNext(value);
    observer.onCompleted();
  }
}
