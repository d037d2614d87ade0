package dev.torg.bench.matching;

import dev.torg.bench.workload.AdWorld;
import dev.torg.bench.workload.SampleOffer;
import dev.torg.bench.workload.SampleSearch;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.QueryBuilder;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Converts samples to the types of the engine.
final class Translate {
  private Translate() {}

  static Query query(SampleSearch search) {
    QueryBuilder query = Query.builder().text(search.text()).withPhotos(search.photos());
    if (search.category() != null) {
      query.category(search.category());
    }
    search.regions().forEach(query::region);
    if (search.priceFrom() != null || search.priceTo() != null) {
      query.price(AdWorld.CURRENCY, search.priceFrom(), search.priceTo());
    }
    search
        .ranges()
        .forEach((key, range) -> query.range(key, decimal(range.from()), decimal(range.to())));
    search.anyOf().forEach(query::anyOf);
    search.noneOf().forEach(query::noneOf);
    search.flags().forEach(query::is);
    return query.build();
  }

  private static @Nullable BigDecimal decimal(@Nullable Long value) {
    return value == null ? null : BigDecimal.valueOf(value);
  }

  /// Includes the analysis, which is part of the measurement.
  static OfferFeatures features(SampleOffer offer) {
    OfferFeatures.Builder features =
        OfferFeatures.builder()
            .categoryPath(offer.categoryPath())
            .region(offer.region())
            .price(offer.price(), AdWorld.CURRENCY)
            .seller(offer.seller())
            .photos(offer.photos())
            .title(offer.title())
            .description(offer.description());
    offer.numbers().forEach(features::number);
    offer.values().forEach(features::value);
    offer.flags().forEach(features::flag);
    return features.build();
  }
}
