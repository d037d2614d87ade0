package dev.torg.favorites.service;

import dev.torg.platform.Failure;
import org.jspecify.annotations.Nullable;

/// The result for one id of a batch, with the id as given; `failed` is null on success.
public record ItemResult(String id, Failure.@Nullable Kind failed) {}
