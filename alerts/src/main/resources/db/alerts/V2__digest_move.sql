-- How far the digest of an anonymous person was copied to their login, in the login's home: an item that the login
-- may have heard since is not copied again. Kept for good, like the move.
CREATE TABLE digest_move (
  home      int      NOT NULL,
  -- The last item copied.
  kind      smallint NOT NULL,
  offer_id  bigint   NOT NULL,
  -- The person's favorites, which are the reasons of the items, are not all here yet: the digest waits.
  open      boolean  NOT NULL,
  owner     text COLLATE "C" NOT NULL,
  anonymous text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, anonymous)
);
