-- Devices that a person registered for pushes. A device is in use by the person whom its claim names.
CREATE TABLE device (
  home        int         NOT NULL,
  -- Random, of the last registration.
  version     bigint      NOT NULL,
  created_at  timestamptz NOT NULL,
  -- When it was registered last.
  used_at     timestamptz NOT NULL,
  owner       text COLLATE "C" NOT NULL,
  -- A hash of kind and token.
  device_id   text COLLATE "C" NOT NULL,
  kind        text COLLATE "C" NOT NULL,
  platform    text COLLATE "C" NOT NULL,
  -- The provider's token, or the endpoint of a browser's subscription, which has the two keys.
  token       text COLLATE "C" NOT NULL,
  public_key  text COLLATE "C" NOT NULL,
  auth_secret text COLLATE "C" NOT NULL,
  app_version text COLLATE "C" NOT NULL,
  timezone    text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, device_id)
);

-- The one owner of a device, in the home of the device's id.
CREATE TABLE device_claim (
  home      int    NOT NULL,
  -- Of the registration that claimed the device.
  version   bigint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  owner     text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, device_id)
);

-- The addresses of a person: for each kind at most one that is verified and one that waits for its verification.
CREATE TABLE contact (
  home            int    NOT NULL,
  wrong_codes     int    NOT NULL,
  -- Random, of the last change of the pending address.
  version         bigint NOT NULL,
  -- Until when the code is accepted.
  expires_at      timestamptz NOT NULL,
  owner           text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL,
  -- The verified address, empty if there is none. A webhook has a secret.
  address         text COLLATE "C" NOT NULL,
  secret          text COLLATE "C" NOT NULL,
  -- The address that waits for its verification.
  pending_address text COLLATE "C" NOT NULL,
  pending_secret  text COLLATE "C" NOT NULL,
  -- What authenticates the code; the code itself is not stored.
  code_hash       text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, kind)
);

-- The merge of an anonymous identity's contacts into a login, in the login's home: they are copied once.
CREATE TABLE contact_move (
  home      int NOT NULL,
  owner     text COLLATE "C" NOT NULL,
  anonymous text COLLATE "C" NOT NULL,
  PRIMARY KEY (home, owner, anonymous)
);

-- When codes were sent recently, by person and by a hash of the address.
CREATE TABLE code_quota (
  home    int         NOT NULL,
  last_at timestamptz NOT NULL,
  subject text COLLATE "C" NOT NULL,
  -- Times in µs, 8 bytes each.
  sent    bytea       NOT NULL,
  PRIMARY KEY (home, subject)
);
CREATE INDEX code_quota_by_age ON code_quota (home, last_at);
