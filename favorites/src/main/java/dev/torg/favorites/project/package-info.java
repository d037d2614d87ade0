/// Tables in the homes of offers, sellers and searches, built from the topic of favorites.
@NullMarked
package dev.torg.favorites.project;

import org.jspecify.annotations.NullMarked;
