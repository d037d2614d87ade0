package dev.torg.offers.photo;

import dev.torg.api.v1.AddPhotoRequest;
import dev.torg.api.v1.Draft;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OrderPhotosRequest;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.PhotoServiceGrpc;
import dev.torg.api.v1.RemovePhotoRequest;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.Function;

/// The gRPC adapter of photos.
public final class PhotoRpc extends PhotoServiceGrpc.PhotoServiceImplBase {
  private final PhotoService photos;

  public PhotoRpc(PhotoService photos) {
    this.photos = photos;
  }

  @Override
  public void addOfferPhoto(AddPhotoRequest request, StreamObserver<Photo> response) {
    Caller caller = CurrentCaller.required();
    Optional<String> key = CurrentCaller.idempotencyKey(request.getIdempotencyKey());
    RpcResponse.complete(
        response,
        photos.add(caller, OfferId.parse(request.getId()), request.getUrl(), key),
        Function.identity());
  }

  @Override
  public void removeOfferPhoto(RemovePhotoRequest request, StreamObserver<Offer> response) {
    Caller caller = CurrentCaller.required();
    RpcResponse.complete(
        response,
        photos.remove(caller, OfferId.parse(request.getId()), request.getPhotoId()),
        Function.identity());
  }

  @Override
  public void orderOfferPhotos(OrderPhotosRequest request, StreamObserver<Offer> response) {
    Caller caller = CurrentCaller.required();
    RpcResponse.complete(
        response,
        photos.order(caller, OfferId.parse(request.getId()), request.getPhotoIdsList()),
        Function.identity());
  }

  @Override
  public void addDraftPhoto(AddPhotoRequest request, StreamObserver<Photo> response) {
    Optional<String> key = CurrentCaller.idempotencyKey(request.getIdempotencyKey());
    RpcResponse.complete(
        response, photos.add(draft(request.getId()), request.getUrl(), key), Function.identity());
  }

  @Override
  public void removeDraftPhoto(RemovePhotoRequest request, StreamObserver<Draft> response) {
    RpcResponse.complete(
        response, photos.remove(draft(request.getId()), request.getPhotoId()), Function.identity());
  }

  @Override
  public void orderDraftPhotos(OrderPhotosRequest request, StreamObserver<Draft> response) {
    RpcResponse.complete(
        response,
        photos.order(draft(request.getId()), request.getPhotoIdsList()),
        Function.identity());
  }

  private static DraftKey draft(String id) {
    return DraftKey.parse(CurrentCaller.required().subject(), id);
  }
}
