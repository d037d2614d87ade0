package dev.torg.favorites.service;

import dev.torg.platform.Failure;
import org.jspecify.annotations.Nullable;

/// What became of one id of a batch, under the id as it was given.
public record ItemResult(String id, Failure.@Nullable Kind failed) {}
