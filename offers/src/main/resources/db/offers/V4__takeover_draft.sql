-- Which draft is taken over. The anonymous person may begin another one as soon as it is gone; whoever still works on
-- the former takeover must leave that one alone. Null in takeovers begun before this column was there: whatever is
-- current.
ALTER TABLE draft_takeover ADD COLUMN draft_id uuid;
