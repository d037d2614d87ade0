package dev.torg.offers.feed;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;

/// How many uploads there may be at once in this process: so many altogether, and few of one seller, who
/// else could keep all others from sending.
final class UploadSlots {
  private final int all;
  private final int ofOne;
  private final Multiset<String> taken = HashMultiset.create();

  UploadSlots(int all, int ofOne) {
    this.all = all;
    this.ofOne = ofOne;
  }

  /// Whether there was one.
  synchronized boolean take(String seller) {
    return taken.size() < all && taken.count(seller) < ofOne && taken.add(seller);
  }

  synchronized void giveBack(String seller) {
    taken.remove(seller);
  }
}
