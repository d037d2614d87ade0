package dev.torg.offers.category;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A node of the category tree. Attributes and premoderation include those of its ancestors.
///
/// @param premoderated whether a moderator approves an offer before it is shown, and again after every edit
/// @param visibleWhileReviewed whether an approved offer that was edited stays visible until a moderator
///     has reviewed it; otherwise it is hidden until then
public record CategoryNode(
    String id,
    Optional<String> parent,
    Map<String, String> names,
    Map<String, AttributeSchema> attributes,
    List<CategoryNode> children,
    boolean premoderated,
    boolean visibleWhileReviewed) {}
