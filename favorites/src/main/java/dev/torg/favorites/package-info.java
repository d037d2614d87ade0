/// What people save: offers, searches, sellers, notes, collections, and the move at login.
@NullMarked
package dev.torg.favorites;

import org.jspecify.annotations.NullMarked;
