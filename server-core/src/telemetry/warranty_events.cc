#include "telemetry/warranty_events.h"

#include <algorithm>
#include <tuple>

#include "transaction/listed_warranties.h"

namespace claret {

void WarrantyEvents::ended(const StandingWarranty& warranty) {
  const HotRecord* hot = hot_records_.find(*warranty.record);
  if (hot == nullptr) return;
  if (events_.size() == telemetry::kWarrantyEventsMax) {
    events_.pop_front();
    ++dropped_;
  }
  const double now_ms = hot_records_.now_ms();
  events_.push_back({.place = hot_records_.place_of(*hot),
                     .tenancy = hot->tenancy,
                     .operation = shown(*warranty.record->type, warranty.call),
                     .began_ms = warranty.issued_ms,
                     .ended_ms = now_ms,
                     .recalled_ms = warranty.recalled ? now_ms - warranty.recalled_ms : 0,
                     .lapsed = warranty.lapsed});
}

ShownWarranty shown_warranty(const WarrantyEvent& event, double now_ms) {
  return {.operation = event.operation,
          .holders = 0,
          .began_ago_ms = now_ms - event.began_ms,
          .length_ms = event.ended_ms - event.began_ms,
          .recalled_ms = event.recalled_ms,
          .ended = true,
          .lapsed = event.lapsed};
}

std::vector<ShownWarranty> standing_warranties(const Record& record, double now_ms) {
  std::vector<ListedWarranty> listed = list_warranties(record, now_ms);
  std::stable_sort(listed.begin(), listed.end(), [](const ListedWarranty& a, const ListedWarranty& b) {
    return std::tuple(!a.warranty->recalled, b.holders.size()) < std::tuple(!b.warranty->recalled, a.holders.size());
  });
  if (listed.size() > telemetry::kStandingShown) listed.resize(telemetry::kStandingShown);
  std::vector<ShownWarranty> standing;
  for (const ListedWarranty& one : listed) {
    standing.push_back({.operation = shown(*record.type, one.warranty->call),
                        .holders = one.holders.size(),
                        .began_ago_ms = one.age_ms,
                        .length_ms = one.age_ms,
                        .recalled_ms = one.recalled_ago_ms,
                        .ended = false,
                        .lapsed = false});
  }
  return standing;
}

ShownObstacle obstacle_of(const Record& record, const Call& change, const Value* result, const LockRule& rule, double now_ms) {
  ShownObstacle obstacle;
  for (const ListedWarranty& one : list_warranties(record, now_ms)) {
    if (!violates(change, result, *one.warranty, rule)) continue;
    obstacle.operation = shown(*record.type, one.warranty->call);
    // The one that has been silent for the longest is the one that is waited for.
    std::vector<ListedHolder> holders = one.holders;
    std::stable_sort(holders.begin(), holders.end(), [](const ListedHolder& a, const ListedHolder& b) {
      return std::tuple(!a.lost, b.silent_ms) < std::tuple(!b.lost, a.silent_ms);
    });
    obstacle.more_holders = holders.size() > telemetry::kBlockersShown;
    if (obstacle.more_holders) holders.resize(telemetry::kBlockersShown);
    for (const ListedHolder& holder : holders) {
      obstacle.holders.push_back({.session = shown_session(holder.session), .lost = holder.lost, .silent_ms = holder.silent_ms});
    }
    break;
  }
  return obstacle;
}

}  // namespace claret
