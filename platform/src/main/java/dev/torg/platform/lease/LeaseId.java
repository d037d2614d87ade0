package dev.torg.platform.lease;

/// Names a lease: which work, of which group of homes.
record LeaseId(String work, int group) {}
