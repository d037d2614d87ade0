package dev.torg.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The rooms and whom each may use, as CONTRIBUTING.md tells it.
class ModuleBoundariesTest {
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("api", List.of()),
          Map.entry("platform", List.of("api")),
          Map.entry("matching", List.of()),
          Map.entry("queries", List.of("api", "platform", "matching")),
          Map.entry("embedded", List.of()),
          Map.entry("offers", List.of("api", "platform")),
          Map.entry("notifications", List.of("api", "platform")),
          Map.entry("favorites", List.of("api", "platform", "matching", "queries", "offers")),
          Map.entry(
              "alerts",
              List.of(
                  "api",
                  "platform",
                  "matching",
                  "queries",
                  "offers",
                  "favorites",
                  "notifications")),
          Map.entry(
              "server",
              List.of(
                  "api",
                  "platform",
                  "embedded",
                  "offers",
                  "matching",
                  "queries",
                  "favorites",
                  "notifications",
                  "alerts")),
          Map.entry(
              "bench",
              List.of(
                  "api",
                  "platform",
                  "embedded",
                  "offers",
                  "matching",
                  "queries",
                  "favorites",
                  "notifications",
                  "alerts",
                  "server")),
          Map.entry(
              "cli",
              List.of(
                  "api",
                  "platform",
                  "embedded",
                  "offers",
                  "matching",
                  "queries",
                  "favorites",
                  "notifications",
                  "alerts",
                  "server",
                  "bench")));

  /// Rooms with a business of their own: siblings see their root package only.
  private static final List<String> DOMAINS =
      List.of("offers", "notifications", "favorites", "alerts");

  private static final JavaClasses TORG =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.torg");

  @Test
  void modules_ofTheBuild_areAllListed() {
    List<String> rooms =
        TORG.stream()
            .map(type -> type.getPackageName().split("\\.", -1)[2])
            .distinct()
            .filter(room -> !room.equals("testkit"))
            .toList();
    assertThat(MAY_USE.keySet()).containsAll(rooms);
  }

  @TestFactory
  List<DynamicTest> module_usesOnlyWhatItMay() {
    return MAY_USE.entrySet().stream()
        .map(
            room ->
                DynamicTest.dynamicTest(
                    room.getKey(), () -> checkUses(room.getKey(), room.getValue())))
        .toList();
  }

  @TestFactory
  List<DynamicTest> domain_exposesItsRootPackageOnly() {
    return DOMAINS.stream()
        .map(domain -> DynamicTest.dynamicTest(domain, () -> checkPublicPackages(domain)))
        .toList();
  }

  private static void checkUses(String room, List<String> mayUse) {
    String[] allowed =
        java.util.stream.Stream.concat(mayUse.stream(), java.util.stream.Stream.of(room))
            .map(ModuleBoundariesTest::all)
            .toArray(String[]::new);
    DescribedPredicate<JavaClass> foreign =
        resideInAPackage("dev.torg..").and(DescribedPredicate.not(resideInAnyPackage(allowed)));
    noClasses()
        .that()
        .resideInAPackage(all(room))
        .should()
        .dependOnClassesThat(foreign)
        .allowEmptyShould(true)
        .check(TORG);
  }

  private static void checkPublicPackages(String domain) {
    String[] inside =
        Arrays.asList(all(domain), "dev.torg.server.run..", "dev.torg.bench..")
            .toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage("dev.torg." + domain + ".*..")
        .should()
        .onlyBeAccessed()
        .byAnyPackage(inside)
        .allowEmptyShould(true)
        .check(TORG);
  }

  private static String all(String room) {
    return "dev.torg." + room + "..";
  }
}
