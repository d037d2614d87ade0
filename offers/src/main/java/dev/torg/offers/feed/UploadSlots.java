package dev.torg.offers.feed;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;

/// Limits the concurrent uploads of this process, in total and for each seller, so that one seller
/// cannot block all others.
final class UploadSlots {
  private final int all;
  private final int perSeller;
  private final Multiset<String> inUse = HashMultiset.create();

  UploadSlots(int all, int perSeller) {
    this.all = all;
    this.perSeller = perSeller;
  }

  /// Returns whether a slot was free.
  synchronized boolean acquire(String seller) {
    return inUse.size() < all && inUse.count(seller) < perSeller && inUse.add(seller);
  }

  synchronized void release(String seller) {
    inUse.remove(seller);
  }
}
