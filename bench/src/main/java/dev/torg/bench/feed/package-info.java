/// `torg bench feed` and `torg verify feed`: a very large feed against a real server in a process of its own, beside
/// the same rows written plainly; and a feed whose server is killed again and again.
@NullMarked
package dev.torg.bench.feed;

import org.jspecify.annotations.NullMarked;
