/// Tables in the homes of offers, sellers and searches, built from the topic of favorites.
@NullMarked
package dev.torg.favorites.projection;

import org.jspecify.annotations.NullMarked;
