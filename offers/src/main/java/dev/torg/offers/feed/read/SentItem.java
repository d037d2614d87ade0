package dev.torg.offers.feed.read;

import dev.torg.api.v1.FeedItem;
import dev.torg.offers.life.Terms;

/// An item that came as a message of its own.
public final class SentItem {
  private SentItem() {}

  public static Entry entry(FeedItem sent, int number) {
    ItemBuilder item = new ItemBuilder();
    Terms.said(item.offer, sent.getOffer());
    item.partnerId(sent.getPartnerId());
    sent.getPhotoUrlsList().forEach(item::photo);
    int bytes = sent.getSerializedSize();
    return bytes <= Entry.MAX_BYTES
        ? item.build(number, bytes)
        : new Entry.Broken(
            number,
            item.knownId(),
            "feed.item-too-large",
            "the item is larger than " + Entry.MAX_BYTES + " bytes",
            bytes);
  }
}
