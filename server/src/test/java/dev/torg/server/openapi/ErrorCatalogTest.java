package dev.torg.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.linecorp.armeria.common.HttpMethod;
import dev.torg.api.v1.CallerKind;
import dev.torg.api.v1.DevicesProto;
import dev.torg.api.v1.DocumentationProto;
import dev.torg.api.v1.FavoritesProto;
import dev.torg.api.v1.FeedsProto;
import dev.torg.api.v1.IdentityProto;
import dev.torg.api.v1.NotificationsProto;
import dev.torg.api.v1.OffersProto;
import dev.torg.api.v1.PhotosProto;
import dev.torg.api.v1.PromotionsProto;
import dev.torg.api.v1.SendingProto;
import dev.torg.platform.Failure;
import dev.torg.server.access.CallerPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Compares the errors that the .proto files, the routes and `errors.txt` declare with the failures in the sources.
class ErrorCatalogTest {
  private static final List<String> MODULES =
      List.of(
          "platform",
          "queries",
          "photos",
          "offers",
          "favorites",
          "notifications",
          "alerts",
          "promotions",
          "server");

  /// Codes that no call of an operation returns.
  private static final Set<String> NOT_OF_OPERATIONS =
      Set.of(
          // Starting and the command line.
          "data.held",
          "embedded.failed",
          "kafka.unreachable",
          "kafka.weak",
          "keys.missing",
          "port.taken",
          "torg.ended",
          "token.roles",
          "database.unreachable",
          // Consumers of topics.
          "photo-answer.invalid",
          "promotion-event.invalid",
          // Of module comics, which uses payments of its own purpose.
          "payment.not-usable",
          // Retried with another id.
          "offer.id-taken",
          // Addresses and methods that are not served, and errors of gRPC's own.
          "http.no-such-route",
          "http.method-not-allowed",
          "rpc.unimplemented",
          "not-found",
          "forbidden",
          "conflict",
          // The caller is gone and does not receive it.
          "request.cancelled");

  private static final Pattern FACTORY =
      Pattern.compile(
          "Failure\\s*\\.\\s*(of|invalid|notFound|conflict|forbidden|unauthenticated|exhausted|unavailable)\\("
              + "\\s*(?:(?:Failure\\.)?Kind\\.(\\w+),\\s*)?(name \\+ \"[^\"]+\"|\"[^\"]+\"|[A-Z][\\w.]*)");

  private static final Pattern CONSTRUCTOR =
      Pattern.compile("new Failure\\(\\s*(?:Failure\\.)?Kind\\.(\\w+),\\s*(\"[^\"]+\")");

  /// Its codes are given to a constructor.
  private static final Pattern OUT_OF_BOUNDS = Pattern.compile("new OutOfBounds\\((\"[^\"]+\")");

  private static final Pattern QUEUE = Pattern.compile("CoalescerSettings\\.of\\(\\s*\"([^\"]+)\"");
  private static final Pattern CONSTANT = Pattern.compile("String (\\w+) = \"([\\w.-]+)\";");
  private static final Pattern ROUTE_ERRORS = Pattern.compile("failingWith\\(([^)]*)\\)");

  private static final Map<String, Map<String, String>> KIND_BY_CODE = new TreeMap<>();
  private static final Set<String> ROUTES = new TreeSet<>();
  private static final Map<String, ErrorCatalog.Entry> CATALOG = ErrorCatalog.load().all();

  @BeforeAll
  static void scan() {
    Set<String> queues = new TreeSet<>();
    Map<String, String> constants = new TreeMap<>();
    each(
        MODULES,
        (module, source) -> {
          QUEUE.matcher(source).results().forEach(match -> queues.add(match.group(1)));
          CONSTANT
              .matcher(source)
              .results()
              .forEach(match -> constants.put(match.group(1), match.group(2)));
        });
    each(
        MODULES,
        (module, source) -> {
          Map<String, String> codes = KIND_BY_CODE.computeIfAbsent(module, _ -> new TreeMap<>());
          Matcher matcher = FACTORY.matcher(source);
          while (matcher.find()) {
            String kind = matcher.group(2) != null ? matcher.group(2) : kind(matcher.group(1));
            codes(matcher.group(3), queues, constants).forEach(code -> codes.put(code, kind));
          }
          CONSTRUCTOR
              .matcher(source)
              .results()
              .forEach(match -> codes.put(text(match.group(2)), match.group(1)));
          OUT_OF_BOUNDS
              .matcher(source)
              .results()
              .forEach(match -> codes.put(text(match.group(1)), "INVALID"));
          ROUTE_ERRORS
              .matcher(source)
              .results()
              .forEach(
                  match ->
                      Pattern.compile("\"([^\"]+)\"")
                          .matcher(match.group(1))
                          .results()
                          .forEach(code -> ROUTES.add(code.group(1))));
        });
  }

  @Test
  void catalog_hasEveryCodeOfTheSources_withItsKind() {
    Map<String, String> codes = new TreeMap<>();
    KIND_BY_CODE.values().forEach(codes::putAll);
    NOT_OF_OPERATIONS.forEach(code -> assertThat(codes.remove(code)).as(code).isNotNull());
    codes.put("internal", "INTERNAL");
    Map<String, String> listed = new TreeMap<>();
    CATALOG.forEach((code, entry) -> listed.put(code, name(entry.kind())));
    assertThat(listed).isEqualTo(codes);
  }

  @Test
  void codesOfAModule_areDeclaredByItsOperations() {
    Set<String> common = common();
    for (String module : MODULES) {
      Set<String> undeclared = new TreeSet<>(KIND_BY_CODE.get(module).keySet());
      undeclared.removeAll(NOT_OF_OPERATIONS);
      undeclared.removeAll(common);
      undeclared.removeAll(ROUTES);
      services()
          .filter(service -> mayFailWith(module, service))
          .forEach(service -> undeclared.removeAll(declared(service)));
      assertThat(undeclared).as(module).isEmpty();
    }
  }

  @Test
  void codesOfAnOperation_occurInTheModulesBehindIt() {
    services()
        .forEach(
            service -> {
              Set<String> possible = new HashSet<>();
              MODULES.stream()
                  .filter(module -> mayFailWith(module, service))
                  .forEach(module -> possible.addAll(KIND_BY_CODE.get(module).keySet()));
              assertThat(possible).as(service.getName()).containsAll(declared(service));
            });
  }

  /// Whether calls of the service reach the module. Platform is below all; offers uses photos; favorites, alerts and
  /// promotions read offers and parse queries; a campaign may have a query as its criterion.
  private static boolean mayFailWith(String module, ServiceDescriptor service) {
    String own =
        switch (service.getName()) {
          case "FavoriteService" -> "favorites";
          case "WhyService" -> "alerts";
          case "NotificationService",
              "NotificationSettingsService",
              "DeviceService",
              "SendingService" ->
              "notifications";
          case "PromotionService", "PaymentService", "BalanceService", "PromotionIntentService" ->
              "promotions";
          case "IdentityService" -> "server";
          default -> "offers";
        };
    boolean readsOffers =
        own.equals("favorites") || own.equals("alerts") || own.equals("promotions");
    boolean parsesQueries = readsOffers || service.getName().equals("SendingService");
    return module.equals(own)
        || module.equals("platform")
        || module.equals("photos") && own.equals("offers")
        || module.equals("queries") && parsesQueries
        || readsOffers && module.equals("offers");
  }

  private static Set<String> declared(ServiceDescriptor service) {
    Set<String> codes =
        new TreeSet<>(
            service.getOptions().getExtension(DocumentationProto.serviceErrors).getCodesList());
    for (MethodDescriptor method : service.getMethods()) {
      codes.addAll(method.getOptions().getExtension(DocumentationProto.errors).getCodesList());
    }
    return codes;
  }

  private static Set<String> common() {
    return new TreeSet<>(
        CommonErrors.ofRpc(
            CallerPolicy.of("test", List.of(CallerKind.USER)), HttpMethod.POST, true));
  }

  private static Stream<ServiceDescriptor> services() {
    return Stream.of(
            OffersProto.getDescriptor(),
            PhotosProto.getDescriptor(),
            FeedsProto.getDescriptor(),
            FavoritesProto.getDescriptor(),
            NotificationsProto.getDescriptor(),
            DevicesProto.getDescriptor(),
            SendingProto.getDescriptor(),
            PromotionsProto.getDescriptor(),
            IdentityProto.getDescriptor())
        .map(FileDescriptor::getServices)
        .flatMap(List::stream);
  }

  private static Set<String> codes(
      String written, Set<String> queues, Map<String, String> constants) {
    if (written.startsWith("name + ")) {
      Set<String> codes = new TreeSet<>();
      queues.forEach(queue -> codes.add(queue + text(written.substring("name + ".length()))));
      return codes;
    }
    if (written.startsWith("\"")) {
      return Set.of(text(written));
    }
    String constant = constants.get(written.substring(written.lastIndexOf('.') + 1));
    return constant == null ? Set.of() : Set.of(constant);
  }

  private static String text(String literal) {
    return literal.substring(1, literal.length() - 1);
  }

  private static String kind(String factory) {
    return factory.equals("notFound") ? "NOT_FOUND" : factory.toUpperCase(java.util.Locale.ROOT);
  }

  private static String name(Failure.Kind kind) {
    return kind == null ? "INTERNAL" : kind.name();
  }

  private interface Source {
    void read(String module, String text);
  }

  private static void each(List<String> modules, Source reader) {
    for (String module : modules) {
      try (Stream<Path> files = Files.walk(Path.of("../" + module + "/src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          reader.read(module, Files.readString(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
