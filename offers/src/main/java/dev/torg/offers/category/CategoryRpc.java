package dev.torg.offers.category;

import dev.torg.api.v1.Attribute;
import dev.torg.api.v1.CategoryServiceGrpc;
import dev.torg.api.v1.GetCategoryRequest;
import dev.torg.api.v1.ListCategoriesRequest;
import dev.torg.api.v1.ListCategoriesResponse;
import dev.torg.api.v1.Names;
import dev.torg.platform.Failure;
import io.grpc.stub.StreamObserver;

/// The gRPC adapter of the category tree. The tree does not change while the process runs, so it is encoded
/// once.
public final class CategoryRpc extends CategoryServiceGrpc.CategoryServiceImplBase {
  private final Categories categories;
  private final ListCategoriesResponse tree;

  public CategoryRpc(Categories categories) {
    this.categories = categories;
    ListCategoriesResponse.Builder roots = ListCategoriesResponse.newBuilder();
    categories.roots().forEach(root -> roots.addCategories(encode(root)));
    this.tree = roots.build();
  }

  @Override
  public void listCategories(
      ListCategoriesRequest request, StreamObserver<ListCategoriesResponse> response) {
    response.onNext(tree);
    response.onCompleted();
  }

  @Override
  public void getCategory(
      GetCategoryRequest request, StreamObserver<dev.torg.api.v1.Category> response) {
    CategoryNode category =
        categories
            .find(request.getId())
            .orElseThrow(() -> Failure.notFound("category.not-found", "no such category"));
    response.onNext(encode(category));
    response.onCompleted();
  }

  private static dev.torg.api.v1.Category encode(CategoryNode category) {
    dev.torg.api.v1.Category.Builder encoded =
        dev.torg.api.v1.Category.newBuilder()
            .setId(category.id())
            .setParent(category.parent().orElse(""))
            .putAllNames(category.names())
            .setPremoderated(category.premoderated());
    category.attributes().values().forEach(schema -> encoded.addAttributes(encode(schema)));
    category.children().forEach(child -> encoded.addChildren(encode(child)));
    return encoded.build();
  }

  private static Attribute encode(AttributeSchema schema) {
    Attribute.Builder encoded =
        Attribute.newBuilder()
            .setKey(schema.key())
            .putAllNames(schema.names())
            .setType(type(schema.type()))
            .setRequired(schema.required())
            .setFilterable(schema.filterable())
            .setUnit(schema.unit())
            .addAllValues(schema.values().keySet());
    schema.min().ifPresent(encoded::setMin);
    schema.max().ifPresent(encoded::setMax);
    schema
        .values()
        .forEach(
            (value, names) ->
                encoded.putValueNames(value, Names.newBuilder().putAllNames(names).build()));
    return encoded.build();
  }

  private static Attribute.Type type(AttributeSchema.Type type) {
    return switch (type) {
      case TEXT -> Attribute.Type.TEXT;
      case INTEGER -> Attribute.Type.INTEGER;
      case DECIMAL -> Attribute.Type.DECIMAL;
      case BOOLEAN -> Attribute.Type.BOOLEAN;
      case ENUM -> Attribute.Type.ENUM;
      case MULTI_ENUM -> Attribute.Type.MULTI_ENUM;
    };
  }
}
