package dev.torg.bench.photos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A web site on loopback where photo N is at `/N.jpg`.
final class PhotoSite implements AutoCloseable {
  private final CameraPhotos photos;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  PhotoSite(CameraPhotos photos) throws IOException {
    this.photos = photos;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::respond);
    server.start();
  }

  String address(long number) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + number + ".jpg";
  }

  private void respond(HttpExchange call) throws IOException {
    try (call) {
      String path = call.getRequestURI().getPath();
      byte[] photo = photos.number(Long.parseLong(path.substring(1, path.indexOf('.'))));
      call.sendResponseHeaders(200, photo.length);
      call.getResponseBody().write(photo);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
