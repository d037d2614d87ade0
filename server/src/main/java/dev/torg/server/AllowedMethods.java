package dev.torg.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.server.json.JsonRoute;
import dev.torg.server.route.HttpRoute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// The methods that an address accepts, for the `Allow` header of a 405. Computed only then, so scanning all
/// routes is fine.
final class AllowedMethods implements Function<ServiceRequestContext, List<HttpMethod>> {
  private final List<Entry> entries = new ArrayList<>();

  private record Entry(HttpMethod method, Route path, Predicate<ServiceRequestContext> accepts) {
    boolean matches(ServiceRequestContext ctx) {
      return path.apply(ctx.routingContext(), true).isPresent() && accepts.test(ctx);
    }
  }

  void add(HttpRoute route) {
    entries.add(new Entry(route.method(), anyMethod(route.path()), _ -> true));
  }

  void add(JsonRoute route) {
    entries.add(new Entry(route.method(), anyMethod(route.path()), route::accepts));
  }

  void addRpcs(Collection<Route> routes) {
    routes.forEach(
        route ->
            entries.add(new Entry(HttpMethod.POST, anyMethod(route.patternString()), _ -> true)));
  }

  @Override
  public List<HttpMethod> apply(ServiceRequestContext ctx) {
    return entries.stream()
        .filter(entry -> entry.matches(ctx))
        .map(Entry::method)
        .distinct()
        .sorted()
        .toList();
  }

  private static Route anyMethod(String path) {
    return Route.builder().path(path).build();
  }
}
