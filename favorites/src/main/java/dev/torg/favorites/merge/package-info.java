/// The login merge: moves everything an anonymous identity has to a login.
///
/// A row in `move` records the login and the current step. Steps of several modules run in a fixed order, page
/// by page; each page is idempotent, so any process can resume a merge after a crash
/// ([LoginMergeProcess][dev.torg.favorites.merge.LoginMergeProcess]).
@NullMarked
package dev.torg.favorites.merge;

import org.jspecify.annotations.NullMarked;
