package dev.torg.offers;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A node of the category tree. Attributes and premoderation include what the ancestors say.
public record Category(
    String id,
    Optional<String> parent,
    Map<String, String> names,
    Map<String, AttributeSchema> attributes,
    List<Category> children,
    boolean premoderated) {}
