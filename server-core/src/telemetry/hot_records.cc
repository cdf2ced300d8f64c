#include "telemetry/hot_records.h"

#include <algorithm>
#include <cmath>

#include "ground/check.h"

namespace claret {

HotRecords::~HotRecords() {
  for (const HotRecord& hot : places_) {
    if (hot.record != nullptr) hot.record->hot = 0;
  }
}

std::uint32_t HotRecords::next_gap() {
  chance_ = chance_ * 6364136223846793005ull + 1442695040888963407ull;
  return telemetry::kSampledGap / 2 + static_cast<std::uint32_t>((chance_ >> 33) % (telemetry::kSampledGap + 1));
}

void HotRecords::sample(Record& record) {
  until_sample_ = next_gap();
  ++heat_up(record, telemetry::kSampledGap).operations;
}

HotRecord& HotRecords::heat_up(Record& record, double heat) {
  if (record.hot == 0) {
    // A free place has no heat, and so is the coolest.
    const auto coolest = static_cast<std::size_t>(std::min_element(heats_.begin(), heats_.end()) - heats_.begin());
    HotRecord& place = places_[coolest];
    if (place.record != nullptr) {
      place.record->hot = 0;
    } else {
      --free_;
    }
    place = {.record = &record, .tenancy = place.tenancy + 1, .since_ms = now_ms_};
    record.hot = static_cast<std::uint16_t>(coolest + 1);
  }
  heats_[record.hot - 1] += heat;
  return places_[record.hot - 1];
}

void HotRecords::vacate(Record& record) {
  CLARET_CHECK(record.hot != 0);
  HotRecord& place = places_[record.hot - 1];
  heats_[record.hot - 1] = 0;
  place = {.tenancy = place.tenancy};
  record.hot = 0;
  ++free_;
}

std::vector<HotRecord*> HotRecords::hottest(std::size_t count) {
  std::vector<HotRecord*> all;
  for (HotRecord& hot : places_) {
    if (hot.record != nullptr) all.push_back(&hot);
  }
  const auto shown = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
  std::partial_sort(all.begin(), shown, all.end(), [this](const HotRecord* a, const HotRecord* b) {
    return heat(*a) != heat(*b) ? heat(*a) > heat(*b) : a < b;  // ties are broken by the place's index
  });
  all.erase(shown, all.end());
  return all;
}

void HotRecords::next_frame(double elapsed_ms) {
  const double left = std::exp2(-elapsed_ms / telemetry::kHeatHalfLifeMs);
  for (HotRecord& hot : places_) {
    if (hot.record == nullptr) continue;
    hot.operations = hot.conflicts = hot.waits = hot.natives = hot.native_waits = hot.native_breaks = 0;
    hot.wait_ms = 0;
    double& heat = heats_[place_of(hot)];
    heat *= left;
    if (heat < telemetry::kHeatMin) vacate(*hot.record);
  }
}

}  // namespace claret
