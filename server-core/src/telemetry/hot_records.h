// The hottest records of a shard, in bounded memory: the space-saving algorithm (Metwally, Agrawal, El Abbadi, ICDT 2005)
// over *heat*, which is counted in operations and conflicts and halves with time, so that yesterday's hot record leaves.
//
// A record that is tracked knows its place here, so each operation on it is counted exactly and for next to nothing. Of
// the operations on all others one in kSampledGap is looked at, and stands for that many. A newcomer takes the place of
// the coolest, and its heat: it may have been as hot unseen.
//
// Invariants: places_[n].record->hot == n + 1 for each place that is taken; no other record has `hot` set.
// Thread safety: none needed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "counters/bounds.h"
#include "gate/gate.h"

namespace claret {

// The phase of a tracked record (phases.h).
struct OpenPhase {
  bool open = false;
  bool passing = false;  // only such as end where they run have been let in: nobody holds the record
  bool contended = false;  // somebody waited in it, or before it
  bool capped = false;  // its cap has held somebody back
  std::uint32_t let_in = 0;  // operations
  std::string_view mode;
  double began_ms = 0;
  double last_ms = 0;  // of a passing one: when it last let somebody in
};

struct HotRecord {
  Record* record = nullptr;  // null: the place is free
  std::uint32_t tenancy = 0;  // tells the records apart that have had the place
  double since_ms = 0;  // tracked since
  OpenPhase phase;
  double phase_ended_ms = 0;  // the one before
  // Since the last frame, or since it is tracked:
  std::uint64_t operations = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t waits = 0;
  double wait_ms = 0;
};

class HotRecords {
 public:
  HotRecords() = default;
  ~HotRecords();
  HotRecords(const HotRecords&) = delete;

  void at(double now_ms) { now_ms_ = now_ms; }
  double now_ms() const { return now_ms_; }

  void operation(Record& record) {
    if (record.hot != 0) {
      ++places_[record.hot - 1].operations;
      heats_[record.hot - 1] += 1;
    } else if (--until_sample_ == 0) {
      sample(record);
    }
  }
  void conflict(Record& record) { ++heat_up(record, telemetry::kConflictHeat).conflicts; }
  void waited(Record& record, double ms) {
    if (record.hot == 0) return;
    HotRecord& hot = places_[record.hot - 1];
    ++hot.waits;
    hot.wait_ms += ms;
  }

  // Null when it is not tracked.
  HotRecord* find(const Record& record) { return record.hot == 0 ? nullptr : &places_[record.hot - 1]; }
  // The record goes, or has cooled down. REQUIRES: it is tracked.
  void vacate(Record& record);

  std::size_t place_of(const HotRecord& hot) const { return static_cast<std::size_t>(&hot - places_.data()); }
  std::uint32_t tenancy(std::size_t place) const { return places_[place].tenancy; }
  double heat(const HotRecord& hot) const { return heats_[place_of(hot)]; }
  // The hottest first, at most so many.
  std::vector<HotRecord*> hottest(std::size_t count);
  std::size_t tracked() const { return telemetry::kHotRecordsTracked - free_; }

  // A frame has been told: counting begins anew, and everything has cooled down.
  void next_frame(double elapsed_ms);

 private:
  HotRecord& heat_up(Record& record, double heat);
  void sample(Record& record);
  std::uint32_t next_gap();

  std::array<HotRecord, telemetry::kHotRecordsTracked> places_;
  std::array<double, telemetry::kHotRecordsTracked> heats_{};
  std::size_t free_ = telemetry::kHotRecordsTracked;
  std::uint32_t until_sample_ = telemetry::kSampledGap;
  // A linear congruential generator: gaps only have to fall out of step with whatever the load repeats.
  std::uint64_t chance_ = 1;
  double now_ms_ = 0;
};

}  // namespace claret
