/// Storms: many offers of one seller at once, such as a feed causes.
///
/// The offers of a storm are numbered per seller ([dev.torg.alerts.storm.StormStore]), so that a set of
/// them takes a few bytes. Offers for the seller's followers, or for the subscribers of a search with a
/// large audience, are appended to a log of that audience ([dev.torg.alerts.storm.StormTargetStore]). A
/// job walks each audience repeatedly, each time with everything appended since
/// ([dev.torg.alerts.storm.StormFanoutJob]): one record per recipient and walk, however many offers.
@NullMarked
package dev.torg.alerts.storm;

import org.jspecify.annotations.NullMarked;
