-- Whether an offer is a feed's: one whose external id was changed by hand is still that of its item.
CREATE INDEX feed_item_by_offer ON feed_item (home, offer_id);
