package dev.torg.server.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Everything that can be configured. A setting has one name in three spellings: `--db-connections`
/// on the command line, `TORG_DB_CONNECTIONS` in the environment, `db-connections` in the file; the
/// first source that has a value wins.
public enum Setting {
  DATA("./data", "DIR", "directory of embedded PostgreSQL and Kafka, keys and snapshots"),
  HOST(
      "127.0.0.1",
      "ADDRESS",
      "address to listen on; the default is reachable from this machine only"),
  PORT("8080", "PORT", "port for gRPC, JSON and pages; 0 takes a free one"),
  DB(
      "",
      "URL",
      "an external PostgreSQL 15+, jdbc:postgresql://…; empty: the embedded one (`torg up` only)"),
  DB_USER("", "NAME", "user of the external database, unless the URL names it"),
  DB_PASSWORD("", "SECRET", "password of the external database, unless the URL names it"),
  DB_CONNECTIONS("32", "COUNT", "connections in the pool"),
  DB_PORT("0", "PORT", "port of the embedded PostgreSQL; 0 takes a free one"),
  KAFKA(
      "",
      "HOSTS",
      "an external Kafka 3.7+ cluster, host:port,…; empty: the embedded broker (`torg up` only)"),
  KAFKA_PROPERTIES(
      "",
      "FILE",
      "how to log in to the external cluster, client properties: security.protocol, sasl.*, ssl.*; empty: plain text without login"),
  KAFKA_PORT("0", "PORT", "port of the embedded Kafka; 0 takes a free one"),
  ALLOW_WEAK_KAFKA("false", "BOOL", "accept an external cluster that may lose acknowledged events"),
  CONSUMER_BUFFER_MB(
      "0",
      "MEGABYTES",
      "memory for events that were received and not handled yet, for all consumers together; 0: a sixteenth of the heap, 8 to 512"),
  ROLES(
      "api,relay,alerts,jobs,photos,delivery",
      "LIST",
      "what this process does; `torg up` always does everything"),
  KEYS(
      "",
      "FILE",
      "the keys that sign tokens; empty: keys.json in the data directory. Processes of a cluster share one"),
  LOGIN(
      "auto",
      "auto|on|off|insecure",
      "the development login; auto: on where only this machine can reach it, else off; insecure: on for every client"),
  TOKEN_LIFETIME("PT24H", "DURATION", "how long a user's token is valid"),
  ANONYMOUS_TOKEN_LIFETIME("P180D", "DURATION", "how long an anonymous identity's token is valid"),
  IDENTITY_JWKS(
      "", "URL", "the identity provider's keys; empty: only Torg's own tokens are accepted"),
  IDENTITY_ISSUER("", "NAME", "the issuer that the identity provider's tokens must name"),
  IDENTITY_AUDIENCE(
      "", "NAME", "the audience that the identity provider's tokens must name; empty: any"),
  IDENTITY_SUBJECT_CLAIM(
      "sub", "CLAIM", "the claim of the identity provider's tokens that names the user"),
  IDENTITY_ROLES_CLAIM(
      "roles", "PATH", "the claim that lists roles, a dotted path like realm_access.roles"),
  TRUSTED_PROXIES("", "LIST", "CIDR ranges of proxies whose X-Forwarded-For is trusted"),
  RATE_LIMIT("500", "COUNT", "calls a second per caller; services have no limit"),
  ANONYMOUS_PER_MINUTE("60", "COUNT", "anonymous identities a minute per address"),
  BATCH_ITEMS_PER_CALL("10", "COUNT", "items of a batch that count as one more call of the rate"),
  CONNECTIONS("20000", "COUNT", "concurrent connections; further ones are closed"),
  CONNECTIONS_PER_ADDRESS(
      "1000", "COUNT", "concurrent connections of one address that is no trusted proxy"),
  HTTP2_STREAMS("100", "COUNT", "concurrent calls on one HTTP/2 connection"),
  CALLS("20000", "COUNT", "calls in flight, until their responses are read"),
  CALLS_PER_ADDRESS("1000", "COUNT", "calls in flight of one address; services have twice as many"),
  STREAMS("10000", "COUNT", "open event streams, gRPC health watches and reflection calls"),
  STREAMS_PER_ADDRESS("200", "COUNT", "the same of one address"),
  REQUEST_MEMORY(
      "0",
      "MEGABYTES",
      "memory for large requests in progress, a quarter of it for one address; 0: an eighth of the heap"),
  RESPONSE_MEMORY(
      "0",
      "MEGABYTES",
      "memory for large responses that are not yet read, a quarter of it for one address; 0: an eighth of the heap"),
  CALL_TIMEOUT("PT30S", "DURATION", "how long a call may take, whatever its client requests"),
  STALL_TIMEOUT(
      "PT1M",
      "DURATION",
      "a response of which nothing is read for this long is reset; at least PT30S"),
  CATEGORIES("", "FILE", "a category tree instead of the default one"),
  OFFER_LIFETIME("P60D", "DURATION", "how long an offer stays active before it expires"),
  ARCHIVE_AFTER(
      "P45D",
      "DURATION",
      "how long a removed or expired offer stays before its body moves to the archive"),
  CLAIM_FOR(
      "PT15M", "DURATION", "how long a moderator holds a claimed entry of the moderation queue"),
  NOTIFICATION_RETENTION(
      "P180D",
      "DURATION",
      "how long a notification stays in the bell after its last change; at least P30D"),
  PHOTO_STORE(
      "",
      "DIR|s3://…",
      "where photos are stored, a directory or s3://BUCKET/PREFIX; empty: photos in the data directory. Processes of a cluster share one"),
  PHOTO_S3_ENDPOINT("", "URL", "the address of an S3-compatible store that is not Amazon's"),
  PHOTO_S3_REGION("us-east-1", "NAME", "the region of the bucket"),
  PHOTO_S3_KEY(
      "", "NAME", "the access key to the bucket; empty: the AWS SDK's default credentials"),
  PHOTO_S3_SECRET("", "SECRET", "the secret of the access key"),
  PHOTO_HOSTS(
      "",
      "LIST",
      "hosts that photos may be fetched from even though they are not on the public network"),
  PHOTO_URL(
      "",
      "URL",
      "prefix of the addresses of photos in offers, a cache's for example; empty: /photos/…"),
  PHOTO_THREADS("0", "COUNT", "photos processed concurrently; 0: as many as there are processors"),
  PHOTO_UPLOADS("64", "COUNT", "concurrent photo uploads"),
  PHOTO_UPLOADS_PER_CALLER("4", "COUNT", "the same of one caller; services have no limit"),
  FEED_UPLOADS("16", "COUNT", "concurrent feed uploads"),
  FEED_UPLOADS_PER_SELLER("4", "COUNT", "the same of one seller"),
  FEED_UPLOAD_TIMEOUT(
      "PT1H",
      "DURATION",
      "how long the upload of a feed may take; an interrupted upload continues when it is sent again"),
  FEED_CATEGORIES("", "FILE", "maps the categories of YML feeds to those of this site"),
  FEED_REMOVAL_PERCENT(
      "50", "PERCENT", "a feed that would remove more of a seller's offers than this is stopped"),
  PROMOTION_PRICES("", "FILE", "a price matrix of promotion services instead of the default one"),
  PROMOTION_PRICE_URL(
      "",
      "URL",
      "a pricing service that determines the prices of promotion services; empty: the price matrix does"),
  PROMOTION_PRICE_TOKEN("", "SECRET", "the bearer token that the pricing service expects"),
  FAVORITES_MAX_OFFERS("10000", "COUNT", "saved offers a user may have"),
  FAVORITES_MAX_SEARCHES("1000", "COUNT", "saved searches a user may have"),
  FAVORITES_MAX_SELLERS("5000", "COUNT", "followed sellers a user may have"),
  FAVORITES_MAX_NOTES("10000", "COUNT", "notes on offers a user may have"),
  FAVORITES_MAX_COLLECTIONS("500", "COUNT", "collections a user may have"),
  FAVORITES_MAX_BLOCKS("5000", "COUNT", "blocked sellers a user may have"),
  FAVORITES_MAX_COLLECTION_OFFERS("10000", "COUNT", "offers that a collection of a user may hold"),
  ANONYMOUS_FAVORITES_MAX_OFFERS("1000", "COUNT", "saved offers an anonymous identity may have"),
  ANONYMOUS_FAVORITES_MAX_SEARCHES("50", "COUNT", "saved searches an anonymous identity may have"),
  ANONYMOUS_FAVORITES_MAX_SELLERS(
      "500", "COUNT", "followed sellers an anonymous identity may have"),
  ANONYMOUS_FAVORITES_MAX_NOTES("500", "COUNT", "notes on offers an anonymous identity may have"),
  ANONYMOUS_FAVORITES_MAX_COLLECTIONS("20", "COUNT", "collections an anonymous identity may have"),
  ANONYMOUS_FAVORITES_MAX_BLOCKS("500", "COUNT", "blocked sellers an anonymous identity may have"),
  ANONYMOUS_FAVORITES_MAX_COLLECTION_OFFERS(
      "1000", "COUNT", "offers that a collection of an anonymous identity may hold"),
  PUBLIC_URL(
      "",
      "URL",
      "address at which users reach this installation; links in mails and SMS are below it; empty: http://localhost and the port"),
  DEFAULT_TIMEZONE(
      "UTC", "ZONE", "timezone of people who have chosen none and whose devices state none"),
  MAIL_SMTP(
      "",
      "URL",
      "the mail server, smtp://user:password@host:port or smtps://…; empty: no mails, in development /dev/outbox shows them"),
  MAIL_STARTTLS(
      "auto",
      "auto|required",
      "encryption with an smtp:// server; auto: if the server offers it; required: else nothing is sent"),
  MAIL_FROM("Torg <noreply@localhost>", "ADDRESS", "the sender of mails"),
  SMS_GATEWAY_URL(
      "",
      "URL",
      "the HTTP service that sends SMS; empty: no SMS, in development /dev/outbox shows them"),
  SMS_GATEWAY_METHOD("POST", "GET|POST|PUT", "the method of the calls"),
  SMS_GATEWAY_HEADERS("", "HEADERS", "headers of the calls, one `Name: value` on each line"),
  SMS_GATEWAY_BODY("to={to}&text={text}", "TEMPLATE", "the body of the calls"),
  SMS_GATEWAY_SUCCESS(
      "200-299", "STATUSES", "the statuses with which the service accepts an SMS, like 200,202"),
  SMS_GATEWAY_SEGMENTS(
      "3", "COUNT", "maximum number of segments of an SMS; longer ones are shortened"),
  WEBHOOK_HOSTS(
      "",
      "LIST",
      "hosts that webhooks and web pushes may be sent to even though they are not on the public network"),
  PUSH_VAPID_PUBLIC_KEY("", "KEY", "the VAPID key for browsers, base64url; empty: no web pushes"),
  PUSH_VAPID_PRIVATE_KEY("", "SECRET", "its private key, base64url"),
  PUSH_VAPID_SUBJECT("", "URL", "whom a push service may contact, mailto:… or https://…"),
  PUSH_APNS_KEY(
      "", "FILE", "the signing key for Apple's push service, .p8; empty: no pushes to iOS"),
  PUSH_APNS_KEY_ID("", "ID", "the id of the signing key"),
  PUSH_APNS_TEAM_ID("", "ID", "the id of the developer team"),
  PUSH_APNS_TOPIC("", "ID", "the app's bundle id"),
  PUSH_APNS_SERVER(
      "api.push.apple.com:443",
      "HOST:PORT",
      "Apple's push service; api.sandbox.push.apple.com:443 for development builds of the app"),
  PUSH_APNS_CATEGORIES(
      "", "LIST", "the categories of notifications that the app registers, which provide buttons"),
  PUSH_FCM_CREDENTIALS(
      "", "FILE", "the JSON key of a service account for Firebase; empty: no pushes to Android"),
  PUSH_FCM_URL("https://fcm.googleapis.com", "URL", "the address of Firebase Cloud Messaging"),
  DELIVERY_RATE_EMAIL("200", "COUNT", "mails a second that a process sends"),
  DELIVERY_RATE_SMS("50", "COUNT", "SMS a second that a process sends"),
  DELIVERY_RATE_WEB_PUSH("20000", "COUNT", "pushes a second that a process sends to browsers"),
  DELIVERY_RATE_APNS("20000", "COUNT", "pushes a second that a process sends to iOS"),
  DELIVERY_RATE_FCM("20000", "COUNT", "pushes a second that a process sends to Android"),
  DELIVERY_RATE_WEBHOOK("2000", "COUNT", "webhook calls a second that a process makes of one host"),
  DELIVERY_SLOTS_EMAIL("64", "COUNT", "mails that a process sends concurrently"),
  DELIVERY_SLOTS_SMS("32", "COUNT", "SMS that a process sends concurrently"),
  DELIVERY_SLOTS_PUSH("2048", "COUNT", "pushes that a process sends concurrently"),
  DELIVERY_SLOTS_WEBHOOK("512", "COUNT", "webhooks that a process calls concurrently"),
  PAYMENT_PROVIDER(
      "auto",
      "auto|sandbox|stripe|none",
      "who takes the money of payments; sandbox: no money is taken, every client can pay; auto: sandbox where the development login is on, else none"),
  SANDBOX_WEBHOOK_URL(
      "",
      "URL",
      "the address that the sandbox calls; empty: /v1/payments/webhook at host and port"),
  SANDBOX_WEBHOOK_SECRET(
      "",
      "SECRET",
      "signs the calls of the sandbox, whsec_ and a key in base64; empty: derived from the keys"),
  SANDBOX_WEBHOOK_REPEATS("0", "COUNT", "how often the sandbox repeats each call, 0 to 100"),
  SANDBOX_WEBHOOK_DELAY("PT0S", "DURATION", "how long the sandbox waits before each call"),
  SANDBOX_WEBHOOK_SHUFFLE(
      "false",
      "BOOL",
      "whether calls of the sandbox wait for random times and arrive in any order"),
  STRIPE_KEY("", "SECRET", "the secret key of the Stripe account"),
  STRIPE_WEBHOOK_SECRET("", "SECRET", "the secret of the webhook endpoint registered at Stripe"),
  STRIPE_URL("https://api.stripe.com", "URL", "the address of Stripe's API"),
  LOG_LEVEL("info", "LEVEL", "error, warn, info, debug or trace"),
  LOG_FORMAT("plain", "plain|json", "format of log lines"),
  ACCESS_LOG("false", "BOOL", "write a line for each request");

  private final String defaultValue;
  private final String placeholder;
  private final String description;

  Setting(String defaultValue, String placeholder, String description) {
    this.defaultValue = defaultValue;
    this.placeholder = placeholder;
    this.description = description;
  }

  /// The name in the file, and with `--` before it on the command line.
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String option() {
    return "--" + key();
  }

  public String variable() {
    return "TORG_" + name();
  }

  public String defaultValue() {
    return defaultValue;
  }

  public String placeholder() {
    return placeholder;
  }

  public String description() {
    return description;
  }

  static Optional<Setting> named(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key().equals(key)).findFirst();
  }
}
