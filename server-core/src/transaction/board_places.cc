#include "transaction/board_places.h"

#include <algorithm>
#include <cmath>

namespace claret {

BoardPlaces::Place* BoardPlaces::place_of(Record& record) {
  if (record.board != 0) return &places_[record.board - 1];
  // A record that no commit has created must not be kept for its key's present type.
  if (record.last_commit == 0) return nullptr;
  auto free = std::find_if(places_.begin(), places_.end(), [](const Place& place) { return place.record == nullptr; });
  if (free == places_.end()) {
    if (places_.size() == kPlacesMax) return nullptr;
    free = places_.insert(places_.end(), Place{});
  }
  *free = Place{.record = &record};
  record.board = static_cast<std::uint16_t>(free - places_.begin() + 1);
  records_.pin(record);
  return &*free;
}

void BoardPlaces::ask(Place& place, const Call& call) {
  if (!predicts(*call.operation)) return;
  const double now_ms = clock_.now_ms();
  const auto same = [&](const Asked& asked) { return asked.call.operation == call.operation && asked.call.arguments == call.arguments; };
  if (const auto found = std::find_if(place.calls.begin(), place.calls.end(), same); found != place.calls.end()) {
    found->at_ms = now_ms;
    return;
  }
  if (place.calls.size() < kCallsPerRecordMax) {
    place.calls.push_back({call, now_ms});
    return;
  }
  const auto oldest =
      std::min_element(place.calls.begin(), place.calls.end(), [](const Asked& a, const Asked& b) { return a.at_ms < b.at_ms; });
  if (now_ms - oldest->at_ms > kAskAgainMs) *oldest = {call, now_ms};
}

bool BoardPlaces::heat(Record& record, const Call& call, double heat) {
  Place* place = place_of(record);
  if (place == nullptr) return false;
  const double now_ms = clock_.now_ms();
  place->heat = place->heat * std::exp2((place->heat_at_ms - now_ms) / kHalfLifeMs) + heat;
  place->heat_at_ms = now_ms;
  ask(*place, call);
  if (place->heat < heat_hot_) return false;
  const bool was_hot = place->hot_until_ms > now_ms;
  place->hot_until_ms = now_ms + kHotMs;
  return !was_hot;
}

std::vector<const BoardPlaces::Place*> BoardPlaces::hottest() const {
  const double now_ms = clock_.now_ms();
  std::vector<const Place*> hot;
  for (const Place& place : places_) {
    if (place.record != nullptr && place.hot_until_ms > now_ms) hot.push_back(&place);
  }
  std::sort(hot.begin(), hot.end(),
            [](const Place* a, const Place* b) { return a->heat != b->heat ? a->heat > b->heat : a->record->key < b->record->key; });
  return hot;
}

void BoardPlaces::free(Place& place) {
  Record& record = *place.record;
  place = Place{};
  record.board = 0;
  records_.unpin(record);
  records_.tidy(record);
}

void BoardPlaces::cool() {
  const double now_ms = clock_.now_ms();
  if (places_.empty() || now_ms - cooled_ms_ < kHotMs) return;
  cooled_ms_ = now_ms;
  bool any = false;
  for (Place& place : places_) {
    const bool is_warm = place.hot_until_ms > now_ms || now_ms - place.heat_at_ms < kAskedMs;
    any |= place.record != nullptr && is_warm;
    if (place.record == nullptr || is_warm) continue;
    free(place);
  }
  if (!any) places_.clear();
}

void BoardPlaces::leave(const SlotRun& slots) {
  for (Place& place : places_) {
    if (place.record != nullptr && slots.contains(place.record->slot)) free(place);
  }
}

}  // namespace claret
