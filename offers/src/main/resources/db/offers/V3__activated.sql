-- When an offer first became active, for those who must not miss any. Null in rows written before this
-- column was there; it is set once, so edits stay HOT.
ALTER TABLE offer ADD COLUMN activated_at timestamptz;

CREATE INDEX offer_by_activation ON offer (activated_at, id)
  WHERE kind = 'offer' AND activated_at IS NOT NULL;
