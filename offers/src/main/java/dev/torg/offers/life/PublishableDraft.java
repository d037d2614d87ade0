package dev.torg.offers.life;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import java.util.Optional;

/// A draft locked for publication; the offer is set when it was published before.
public record PublishableDraft(Offer content, Optional<OfferId> offer) {}
