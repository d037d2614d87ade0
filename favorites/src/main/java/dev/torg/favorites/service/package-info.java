/// Saves and removes favorites, saved searches and their estimates for the RPCs.
@NullMarked
package dev.torg.favorites.service;

import org.jspecify.annotations.NullMarked;
