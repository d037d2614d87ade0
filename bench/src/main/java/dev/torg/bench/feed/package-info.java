/// `torg bench feed` and `torg verify feed`: a very large feed against a real server in a separate
/// process, compared with a plain implementation; and a feed whose server is killed repeatedly.
@NullMarked
package dev.torg.bench.feed;

import org.jspecify.annotations.NullMarked;
