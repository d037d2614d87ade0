package dev.torg.offers.feed.format;

import dev.torg.api.v1.FeedItem;
import dev.torg.offers.lifecycle.PublishingTerms;

/// An item sent as a message.
public final class SentItem {
  private SentItem() {}

  public static FeedEntry entry(FeedItem sent, int number) {
    ItemBuilder item = new ItemBuilder();
    PublishingTerms.copySellerContent(item.offer, sent.getOffer());
    item.partnerId(sent.getPartnerId());
    sent.getPhotoUrlsList().forEach(item::photo);
    if (sent.getPromoteCount() > 0) {
      item.promote(sent.getPromoteList());
    }
    int bytes = sent.getSerializedSize();
    try {
      if (bytes > FeedEntry.MAX_BYTES) {
        String problem = "the item is larger than " + FeedEntry.MAX_BYTES + " bytes";
        throw new InvalidItemException("feed.item-too-large", problem, item.knownId());
      }
      return item.build(number, bytes);
    } catch (InvalidItemException e) {
      return e.at(number, bytes);
    }
  }
}
