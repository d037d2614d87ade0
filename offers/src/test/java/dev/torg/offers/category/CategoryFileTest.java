package dev.torg.offers.category;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CategoryFileTest {
  private final Categories tree = CategoryFile.defaultTree();

  @Test
  void defaultTree_hasTheFixedCategoriesAndAttributes() {
    assertKeys(
        "cars", "transport", "brand* model year mileageKm powerHp fuel gearbox body damaged vin");
    String flat =
        "rooms areaM2* livingAreaM2 kitchenAreaM2 floor floorsTotal studio balconies metro";
    assertKeys("flats-sale", "property", flat);
    assertKeys("flats-rent", "property", flat);
    assertKeys("electronics", "", "brand model condition");
    assertKeys("clothes", "", "size brand condition");
    assertKeys("jobs", "", "salaryFrom schedule remote");
    assertKeys(
        "comics",
        "collectibles",
        "publisher* series* volume issue variant year grade writer penciller");
    assertThat(values("cars", "fuel"))
        .containsExactly("petrol", "diesel", "lpg", "cng", "hybrid", "electric", "other");
    assertThat(values("electronics", "condition")).containsExactly("new", "used", "for-parts");
  }

  @Test
  void defaultTree_hasEnglishAndRussianNames() {
    tree.roots().forEach(CategoryFileTest::assertNames);
  }

  @Test
  void children_inheritAttributesAndPremoderation() {
    Categories categories =
        CategoryFile.parse(
            "test",
            """
            categories:
              - id: top
                names: {en: Top}
                premoderated: true
                attributes: [{key: size, type: text, names: {en: Size}}]
                children:
                  - id: below
                    names: {en: Below}
                    attributes: [{key: year, type: integer, names: {en: Year}}]
            """);
    CategoryNode below = categories.find("below").orElseThrow();
    assertThat(below.attributes().keySet()).containsExactly("size", "year");
    assertThat(below.premoderated()).isTrue();
    assertThat(categories.withDescendants("top")).containsExactly("below", "top");
  }

  @Test
  void visibleWhileReviewed_isInheritedAndMayBeOverridden() {
    Categories categories =
        CategoryFile.parse(
            "test",
            """
            categories:
              - id: top
                names: {en: Top}
                premoderated: true
                visibleWhileReviewed: true
                children:
                  - {id: same, names: {en: Same}}
                  - {id: other, names: {en: Other}, visibleWhileReviewed: false}
            """);
    assertThat(categories.find("top").orElseThrow().visibleWhileReviewed()).isTrue();
    assertThat(categories.find("same").orElseThrow().visibleWhileReviewed()).isTrue();
    assertThat(categories.find("other").orElseThrow().visibleWhileReviewed()).isFalse();
    assertThat(tree.find("pets").orElseThrow().premoderated()).isTrue();
    assertThat(tree.find("pets").orElseThrow().visibleWhileReviewed()).isFalse();
  }

  @Test
  void visibleWhileReviewed_withoutPremoderation_isAnError() {
    String yaml =
        """
        categories:
          - {id: top, names: {en: Top}, visibleWhileReviewed: true}
        """;
    assertThatThrownBy(() -> CategoryFile.parse("my.yaml", yaml))
        .hasMessageContaining("categories[0].visibleWhileReviewed: needs premoderated: true");
  }

  @Test
  void parse_invalidFile_reportsAllErrors() {
    String yaml =
        """
        categories:
          - id: Top
            names: {ru: Верх}
            colour: red
            attributes:
              - {key: size, type: text, names: {en: Size}}
              - {key: size, type: text, names: {en: Size}}
              - {key: kind, type: enum, names: {en: Kind}}
              - {key: year, type: int, names: {en: Year}}
              - {key: area, type: decimal, min: 5, max: 1, names: {en: Area}}
              - {key: on, type: boolean, min: 1, names: {en: On}}
            children:
              - {id: twice, names: {en: A}}
              - {id: twice, names: {en: B}}
        """;
    assertThatThrownBy(() -> CategoryFile.parse("my.yaml", yaml))
        .hasMessageContaining("my.yaml")
        .hasMessageContaining("categories[0].id")
        .hasMessageContaining("categories[0].names: needs an English name")
        .hasMessageContaining("categories[0].colour: is not known")
        .hasMessageContaining("attributes[1].key: 'size' is there twice")
        .hasMessageContaining("attributes[2].values")
        .hasMessageContaining("attributes[3].type")
        .hasMessageContaining("attributes[4].min: is above max")
        .hasMessageContaining("attributes[5].min")
        .hasMessageContaining("children[1].id: 'twice' is there twice");
  }

  @Test
  void parse_notYaml_isRefused() {
    assertThatThrownBy(() -> CategoryFile.parse("my.yaml", "categories: ["))
        .hasMessageContaining("my.yaml is not readable YAML");
    assertThatThrownBy(() -> CategoryFile.parse("my.yaml", "just text"))
        .hasMessageContaining("must be a mapping");
    assertThatThrownBy(() -> CategoryFile.parse("my.yaml", "categories: []"))
        .hasMessageContaining("must not be empty");
  }

  @Test
  void read_operatorsFile_replacesTheTree(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("categories.yaml");
    Files.writeString(file, "categories: [{id: boats, names: {en: Boats}}]");
    assertThat(CategoryFile.read(file).find("boats")).isPresent();
    assertThat(CategoryFile.read(file).find("cars")).isEmpty();
  }

  private void assertKeys(String id, String parent, String keys) {
    CategoryNode category = tree.find(id).orElseThrow();
    assertThat(category.parent().orElse("")).isEqualTo(parent);
    assertThat(category.premoderated()).isFalse();
    String errors =
        String.join(
            " ",
            category.attributes().values().stream()
                .map(schema -> schema.key() + (schema.required() ? "*" : ""))
                .toList());
    assertThat(errors).isEqualTo(keys);
  }

  private Set<String> values(String category, String key) {
    AttributeSchema schema = tree.find(category).orElseThrow().attributes().get(key);
    return schema.values().keySet();
  }

  private static void assertNames(CategoryNode category) {
    assertThat(category.names().keySet()).contains("en", "ru");
    for (AttributeSchema schema : category.attributes().values()) {
      assertThat(schema.names().keySet()).contains("en", "ru");
      schema.values().values().forEach(names -> assertThat(names.keySet()).contains("en", "ru"));
    }
    category.children().forEach(CategoryFileTest::assertNames);
  }
}
