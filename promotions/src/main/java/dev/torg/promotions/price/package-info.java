/// What services cost.
///
/// [ServiceCatalog] defines the services: their durations, which can be extended while active, and which are bundles of
/// others. It is read from the same file as the [PriceMatrix], which has the prices by category and region
/// ([PriceMatrixFile]; the format is described in `torg/promotion-prices.yaml`).
///
/// A [PriceSource] determines prices: [MatrixPriceSource] from the matrix, [HttpPriceSource] by asking a pricing service.
/// Both know an offer by its [OfferParameters] only.
@NullMarked
package dev.torg.promotions.price;

import org.jspecify.annotations.NullMarked;
