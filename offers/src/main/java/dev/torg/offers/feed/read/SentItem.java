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
    try {
      if (bytes > Entry.MAX_BYTES) {
        String problem = "the item is larger than " + Entry.MAX_BYTES + " bytes";
        throw new BadItem("feed.item-too-large", problem, item.knownId());
      }
      return item.build(number, bytes);
    } catch (BadItem e) {
      return e.at(number, bytes);
    }
  }
}
