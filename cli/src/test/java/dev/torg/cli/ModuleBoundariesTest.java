package dev.torg.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The modules and which others each may use, as listed in CONTRIBUTING.md.
class ModuleBoundariesTest {
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("api", List.of()),
          Map.entry("platform", List.of("api")),
          Map.entry("matching", List.of()),
          Map.entry("queries", List.of("api", "platform", "matching")),
          Map.entry("embedded", List.of()),
          Map.entry("photos", List.of("api", "platform")),
          Map.entry("offers", List.of("api", "platform", "photos")),
          Map.entry("notifications", List.of("api", "platform")),
          Map.entry("promotions", List.of("api", "platform", "offers", "notifications")),
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
                  "photos",
                  "offers",
                  "matching",
                  "queries",
                  "favorites",
                  "notifications",
                  "alerts",
                  "promotions")),
          Map.entry(
              "bench",
              List.of(
                  "api",
                  "platform",
                  "embedded",
                  "photos",
                  "offers",
                  "matching",
                  "queries",
                  "favorites",
                  "notifications",
                  "alerts",
                  "promotions",
                  "server")),
          Map.entry(
              "cli",
              List.of(
                  "api",
                  "platform",
                  "embedded",
                  "photos",
                  "offers",
                  "matching",
                  "queries",
                  "favorites",
                  "notifications",
                  "alerts",
                  "promotions",
                  "server",
                  "bench")));

  /// Modules of one business domain each: other modules see their root and public packages only.
  private static final List<String> DOMAINS =
      List.of("photos", "offers", "notifications", "favorites", "alerts", "promotions");

  /// Packages of domains that other modules may use, in addition to the roots.
  private static final List<String> PUBLIC_PACKAGES = List.of("dev.torg.offers.category");

  /// Packages that wire all modules together or measure them from inside.
  private static final List<String> WIRING = List.of("dev.torg.server.run..", "dev.torg.bench..");

  private static final JavaClasses TORG =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.torg");

  @Test
  void modules_ofTheBuild_areAllListed() {
    List<String> modules =
        TORG.stream()
            .map(ModuleBoundariesTest::module)
            .distinct()
            .filter(module -> !module.equals("testkit"))
            .toList();
    assertThat(MAY_USE.keySet()).containsExactlyInAnyOrderElementsOf(modules);
  }

  @Test
  void packages_namedByTheRules_exist() {
    assertThat(Stream.concat(PUBLIC_PACKAGES.stream(), WIRING.stream()))
        .allSatisfy(name -> assertThat(TORG.that(resideInAPackage(name))).isNotEmpty());
    assertThat(DOMAINS)
        .allSatisfy(name -> assertThat(TORG.that(resideInAPackage(all(name)))).isNotEmpty());
  }

  @TestFactory
  Stream<DynamicTest> module_usesOnlyWhatItMay() {
    return MAY_USE.entrySet().stream()
        .map(
            entry ->
                dynamicTest(entry.getKey(), () -> checkUses(entry.getKey(), entry.getValue())));
  }

  @TestFactory
  Stream<DynamicTest> packages_ofAModule_haveNoCycles() {
    return MAY_USE.keySet().stream()
        .sorted()
        .map(module -> dynamicTest(module, () -> checkCycles(module)));
  }

  @TestFactory
  Stream<DynamicTest> domain_exposesItsPublicPackagesOnly() {
    return DOMAINS.stream().map(domain -> dynamicTest(domain, () -> checkPublicPackages(domain)));
  }

  @TestFactory
  Stream<DynamicTest> rootPackage_ofADomain_holdsItsApiOnly() {
    return DOMAINS.stream().map(domain -> dynamicTest(domain, () -> checkRootPackage(domain)));
  }

  private static void checkUses(String module, List<String> mayUse) {
    String[] allowed =
        Stream.concat(mayUse.stream(), Stream.of(module))
            .map(ModuleBoundariesTest::all)
            .toArray(String[]::new);
    DescribedPredicate<JavaClass> internalOfOthers =
        resideInAPackage("dev.torg..").and(not(resideInAnyPackage(allowed)));
    noClasses()
        .that()
        .resideInAPackage(all(module))
        .should()
        .dependOnClassesThat(internalOfOthers)
        .allowEmptyShould(true)
        .check(TORG);
  }

  private static void checkCycles(String module) {
    slices().assignedFrom(new PackagesOf(module)).should().beFreeOfCycles().check(TORG);
  }

  private static void checkPublicPackages(String domain) {
    String[] inside = Stream.concat(Stream.of(all(domain)), WIRING.stream()).toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage("dev.torg." + domain + ".*..")
        .and()
        .resideOutsideOfPackages(PUBLIC_PACKAGES.toArray(String[]::new))
        .should()
        .onlyBeAccessed()
        .byAnyPackage(inside)
        .allowEmptyShould(true)
        .check(TORG);
  }

  /// Implementations and wiring belong into packages below the root. Constants and pure functions, in classes without
  /// instances, may stay.
  private static void checkRootPackage(String domain) {
    classes()
        .that()
        .resideInAPackage("dev.torg." + domain)
        .and()
        .areTopLevelClasses()
        .should()
        .beInterfaces()
        .orShould()
        .beRecords()
        .orShould()
        .beEnums()
        .orShould()
        .beAssignableTo(Throwable.class)
        .orShould()
        .haveOnlyPrivateConstructors()
        .allowEmptyShould(true)
        .check(TORG);
  }

  private static String module(JavaClass type) {
    return type.getPackageName().split("\\.", -1)[2];
  }

  private static String all(String module) {
    return "dev.torg." + module + "..";
  }

  /// Each package of a module is a slice, its root included.
  private record PackagesOf(String module) implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return type.getPackageName().startsWith("dev.torg.")
              && ModuleBoundariesTest.module(type).equals(module)
          ? SliceIdentifier.of(type.getPackageName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages of " + module;
    }
  }
}
