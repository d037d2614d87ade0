package dev.torg.photos.blob;

import dev.torg.photos.Blob;
import dev.torg.photos.PhotoSettings.Store.Bucket;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/// A bucket of an S3-compatible store, which makes an object visible only when it is complete. Uses only
/// basic operations, which all such stores implement.
public final class S3BlobStore implements BlobStore {
  private static final int NOT_FOUND = 404;
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);

  private final S3Client client;
  private final String bucket;
  private final String prefix;

  public S3BlobStore(Bucket bucket) {
    this.client = client(bucket);
    this.bucket = bucket.name();
    this.prefix = bucket.prefix();
  }

  @Override
  public void put(String key, byte[] bytes) {
    put(key, RequestBody.fromBytes(bytes));
  }

  @Override
  public void put(String key, Path file) {
    put(key, RequestBody.fromFile(file));
  }

  @Override
  public boolean has(String key) {
    return ifExists(() -> client.headObject(r -> r.bucket(bucket).key(prefix + key))).isPresent();
  }

  @Override
  public Optional<Blob> open(String key) {
    return ifExists(() -> client.getObject(r -> r.bucket(bucket).key(prefix + key)))
        .map(object -> new Blob(object.response().contentLength(), new ObjectBytes(object)));
  }

  /// The bytes of an object. Closing it early aborts the connection: the client would otherwise read the
  /// remaining bytes.
  private static final class ObjectBytes extends FilterInputStream {
    private final ResponseInputStream<GetObjectResponse> object;
    private boolean atEnd;

    ObjectBytes(ResponseInputStream<GetObjectResponse> object) {
      super(object);
      this.object = object;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      atEnd |= count < 0;
      return count;
    }

    @Override
    public void close() throws IOException {
      if (!atEnd) {
        object.abort();
      }
      super.close();
    }
  }

  @Override
  public boolean copy(String key, Path into) {
    return ifExists(() -> write(key, into)).isPresent();
  }

  @Override
  public void delete(String key) {
    ifExists(() -> client.deleteObject(r -> r.bucket(bucket).key(prefix + key)));
  }

  @Override
  public int sweep(String subPrefix, Instant before) {
    return ifExists(() -> swept(subPrefix, before)).orElse(0);
  }

  @Override
  public void close() {
    client.close();
  }

  private void put(String key, RequestBody body) {
    try {
      client.putObject(r -> r.bucket(bucket).key(prefix + key), body);
    } catch (SdkException e) {
      throw Blob.unavailable(e);
    }
  }

  private long write(String key, Path into) {
    try (ResponseInputStream<GetObjectResponse> in =
            client.getObject(r -> r.bucket(bucket).key(prefix + key));
        var out = Files.newOutputStream(into)) {
      return in.transferTo(out);
    } catch (IOException e) {
      throw Blob.unavailable(e);
    }
  }

  private int swept(String subPrefix, Instant before) {
    List<String> old =
        client
            .listObjectsV2Paginator(r -> r.bucket(bucket).prefix(prefix + subPrefix))
            .contents()
            .stream()
            .filter(object -> object.lastModified().isBefore(before))
            .map(S3Object::key)
            .toList();
    old.forEach(key -> client.deleteObject(r -> r.bucket(bucket).key(key)));
    return old.size();
  }

  private static <T> Optional<T> ifExists(Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (NoSuchKeyException e) {
      return Optional.empty();
    } catch (S3Exception e) {
      if (e.statusCode() == NOT_FOUND) {
        return Optional.empty();
      }
      throw Blob.unavailable(e);
    } catch (SdkException e) {
      throw Blob.unavailable(e);
    }
  }

  private static S3Client client(Bucket bucket) {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(Region.of(bucket.region()))
            .credentialsProvider(credentials(bucket))
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT)
                    .socketTimeout(READ_TIMEOUT));
    bucket
        .endpoint()
        .ifPresent(
            endpoint ->
                builder
                    .endpointOverride(endpoint)
                    .forcePathStyle(true)
                    .serviceConfiguration(
                        S3Configuration.builder().chunkedEncodingEnabled(false).build()));
    return builder.build();
  }

  private static AwsCredentialsProvider credentials(Bucket bucket) {
    return bucket
        .keys()
        .<AwsCredentialsProvider>map(
            keys ->
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(keys.access(), keys.secret())))
        .orElseGet(() -> DefaultCredentialsProvider.builder().build());
  }
}
