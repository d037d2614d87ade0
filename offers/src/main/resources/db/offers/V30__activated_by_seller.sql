-- A seller's offers in the order of first activation, for those who have just begun to follow the seller. The time is
-- set once, so edits stay HOT.
CREATE INDEX offer_by_seller_activation ON offer (home, seller, activated_at, id)
  WHERE kind = 'offer' AND activated_at IS NOT NULL;
