/// Notices to sellers about their own offers: banned and unbanned, about to expire and expired, photos failed, feeds
/// finished or stopped.
///
/// **Recorded once.** Consumers of `torg.offers`, `torg.photos` and `torg.feeds`
/// ([SellerNoticeConsumer][dev.torg.alerts.seller.SellerNoticeConsumer]) and a job that reads due dates
/// ([ExpiryNoticesJob][dev.torg.alerts.seller.ExpiryNoticesJob]) insert a row of `seller_notice` per event, in the seller's
/// home. Its key names the offer and its version (or photo, due date, change of the task), so an event that is delivered
/// again, or by a fenced-off process, inserts nothing. What a seller did causes no notice: only status changes that
/// moderators and time make are recorded, which is decided from the event alone, before anything is read.
///
/// **Sent together.** A row waits for [SellerNotice#GATHER_TIME][dev.torg.alerts.seller.SellerNotice], so that what happens
/// to many offers at once is known before the first entry is written.
/// [SendSellerNoticesJob][dev.torg.alerts.seller.SendSellerNoticesJob] then writes one entry per event or, beyond
/// [NoticePlan][dev.torg.alerts.seller.NoticePlan]'s limit, one entry per seller, kind and hour that counts them. Marking
/// the rows as sent commits with the entries, so each event counts exactly once.
///
/// All of it runs in role jobs, with consumer groups and transactions of its own: a mass ban or a feed of a million items
/// delays no alert.
@NullMarked
package dev.torg.alerts.seller;

import org.jspecify.annotations.NullMarked;
