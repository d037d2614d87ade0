package dev.torg.offers.feed;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;

/// How many uploads there may be at once in this process: so many altogether, and few of one seller, who
/// else could keep all others from sending.
final class UploadSlots {
  private final int all;
  private final int perSeller;
  private final Multiset<String> inUse = HashMultiset.create();

  UploadSlots(int all, int ofOne) {
    this.all = all;
    this.perSeller = ofOne;
  }

  /// Whether there was one.
  synchronized boolean take(String seller) {
    return inUse.size() < all && inUse.count(seller) < perSeller && inUse.add(seller);
  }

  synchronized void giveBack(String seller) {
    inUse.remove(seller);
  }
}
