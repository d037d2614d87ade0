package dev.torg.notifications.rpc;

import dev.torg.api.v1.Contact;
import dev.torg.api.v1.DeleteContactRequest;
import dev.torg.api.v1.DeleteContactResponse;
import dev.torg.api.v1.DeleteDeviceRequest;
import dev.torg.api.v1.DeleteDeviceResponse;
import dev.torg.api.v1.Device;
import dev.torg.api.v1.DeviceServiceGrpc.DeviceServiceImplBase;
import dev.torg.api.v1.ListContactsRequest;
import dev.torg.api.v1.ListContactsResponse;
import dev.torg.api.v1.ListDevicesRequest;
import dev.torg.api.v1.ListDevicesResponse;
import dev.torg.api.v1.PutContactRequest;
import dev.torg.api.v1.PutContactResponse;
import dev.torg.api.v1.RegisterDeviceRequest;
import dev.torg.api.v1.VerifyContactRequest;
import dev.torg.notifications.contacts.ContactKind;
import dev.torg.notifications.contacts.ContactService;
import dev.torg.notifications.contacts.ContactService.ContactView;
import dev.torg.notifications.devices.DeviceService;
import dev.torg.notifications.devices.RegisteredDevice;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;

/// Devices and contacts over gRPC. Its methods block on the database and on providers and must run on threads that may
/// block.
public final class DeviceRpc extends DeviceServiceImplBase {
  private final DeviceService devices;
  private final ContactService contacts;

  public DeviceRpc(DeviceService devices, ContactService contacts) {
    this.devices = devices;
    this.contacts = contacts;
  }

  @Override
  public void registerDevice(RegisterDeviceRequest request, StreamObserver<Device> response) {
    send(response, device(devices.register(owner(), request)));
  }

  @Override
  public void listDevices(
      ListDevicesRequest request, StreamObserver<ListDevicesResponse> response) {
    ListDevicesResponse.Builder list = ListDevicesResponse.newBuilder();
    devices.list(owner()).forEach(device -> list.addDevices(device(device)));
    send(response, list.build());
  }

  @Override
  public void deleteDevice(
      DeleteDeviceRequest request, StreamObserver<DeleteDeviceResponse> response) {
    devices.delete(owner(), request.getId(), request.getToken());
    send(response, DeleteDeviceResponse.getDefaultInstance());
  }

  @Override
  public void putContact(PutContactRequest request, StreamObserver<PutContactResponse> response) {
    ContactView view = contacts.put(owner(), kind(request.getKind()), request.getAddress());
    send(
        response,
        PutContactResponse.newBuilder()
            .setKind(Contact.Kind.valueOf(view.kind().name()))
            .setAddress(view.address())
            .setVerified(view.verified())
            .setSecret(view.secret())
            .build());
  }

  @Override
  public void listContacts(
      ListContactsRequest request, StreamObserver<ListContactsResponse> response) {
    ListContactsResponse.Builder list = ListContactsResponse.newBuilder();
    contacts.list(owner()).forEach(view -> list.addContacts(contact(view)));
    send(response, list.build());
  }

  @Override
  public void deleteContact(
      DeleteContactRequest request, StreamObserver<DeleteContactResponse> response) {
    contacts.delete(owner(), kind(request.getKind()), request.getAddress());
    send(response, DeleteContactResponse.getDefaultInstance());
  }

  @Override
  public void verifyContact(VerifyContactRequest request, StreamObserver<Contact> response) {
    send(response, contact(contacts.verify(owner(), kind(request.getKind()), request.getCode())));
  }

  private static Device device(RegisteredDevice device) {
    return Device.newBuilder()
        .setId(device.id())
        .setKind(Device.Kind.valueOf(device.address().kind().name()))
        .setAppVersion(device.appVersion())
        .setPlatform(device.platform())
        .setTimezone(device.timezone())
        .setCreatedAt(EpochMicros.timestamp(device.createdAt()))
        .setUsedAt(EpochMicros.timestamp(device.usedAt()))
        .build();
  }

  private static Contact contact(ContactView view) {
    return Contact.newBuilder()
        .setKind(Contact.Kind.valueOf(view.kind().name()))
        .setAddress(view.address())
        .setVerified(view.verified())
        .build();
  }

  private static ContactKind kind(Contact.Kind kind) {
    return switch (kind) {
      case EMAIL -> ContactKind.EMAIL;
      case PHONE -> ContactKind.PHONE;
      case WEBHOOK -> ContactKind.WEBHOOK;
      case KIND_UNSPECIFIED, UNRECOGNIZED ->
          throw Failure.invalid(
              "contact.kind", "there is no such kind", "kind", "must be EMAIL, PHONE or WEBHOOK");
    };
  }

  private static String owner() {
    return CurrentCaller.required().subject();
  }

  private static <T> void send(StreamObserver<T> response, T value) {
    response.onNext(value);
    response.onCompleted();
  }
}
