/// Storms: many offers of one seller at once, such as a feed brings.
///
/// The offers of a storm are numbered per seller ([dev.torg.alerts.storm.StormStore]), so that a set of
/// them is a few bytes. What the seller's followers, or the subscribers of a search with a large
/// audience, are to hear of is appended to a log of that audience
/// ([dev.torg.alerts.storm.StormTargetStore]). A job walks each audience again and again, each time with
/// all that has gathered since ([dev.torg.alerts.storm.StormFanoutJob]): one record per reader and walk,
/// however many offers.
@NullMarked
package dev.torg.alerts.storm;

import org.jspecify.annotations.NullMarked;
