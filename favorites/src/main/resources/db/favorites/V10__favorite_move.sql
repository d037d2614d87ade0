-- How far the favorites of an anonymous identity have been merged into a login, in the login's home. Written in the
-- transaction of the merge, so that a page is merged once, however often it is tried. Kept for good, like the move.
CREATE TABLE favorite_move (
  home        int      NOT NULL,
  -- The last row merged: 0 blocked seller, 1 offer, 2 search, 3 seller, 4 note, 5 collection; -1 before the first.
  rank        smallint NOT NULL,
  owner       text COLLATE "C" NOT NULL,
  anonymous   text COLLATE "C" NOT NULL,
  favorite_id text COLLATE "C" NOT NULL,
  -- Of a collection: the last of its offers, and the login's collection that takes them.
  offer_id    text COLLATE "C" NOT NULL,
  target      text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, anonymous)
);
