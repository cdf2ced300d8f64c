// The hottest records of a shard, in bounded memory: the space-saving algorithm (Metwally, Agrawal, El Abbadi, ICDT 2005) over *heat*. Heat
// is counted in operations and conflicts and halves with time, so that a record that was hot yesterday leaves.
//
// A tracked record knows its place here, so each operation on it is counted exactly, at almost no cost. Of the operations on other records
// one in kSampledGap is sampled, and stands for that many. A newly tracked record takes the place of the coolest record and inherits its
// heat, since it may have been that hot before it was seen.
//
// Invariants: places_[n].record->hot == n + 1 for each occupied place; no other record has `hot` set. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "counters/bounds.h"
#include "gate/gate.h"

namespace claret {

// The phase of a tracked record (phases.h).
struct OpenPhase {
  bool open = false;
  bool passing = false;  // only claims that end where they run were let in: the record has no holder
  bool contended = false;  // a transaction waited in the phase, or before it
  bool capped = false;  // its cap has held a transaction back
  std::uint32_t let_in = 0;  // operations
  std::string_view mode;
  std::string session;  // of a run
  double began_ms = 0;
  double last_ms = 0;  // for a passing phase: the time when it last let a claim in
};

struct HotRecord {
  Record* record = nullptr;  // null: the place is free
  std::uint32_t tenancy = 0;  // distinguishes the records that have had this place
  double since_ms = 0;  // the time since which the record is tracked
  OpenPhase phase;
  double phase_ended_ms = 0;  // end of the previous phase
  // Since the last frame, or since tracking began:
  std::uint64_t operations = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t waits = 0;
  double wait_ms = 0;
  std::uint64_t natives = 0;  // executed, among `operations`
  std::uint64_t native_waits = 0;  // begun
  std::uint64_t native_breaks = 0;
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
  // A native was executed.
  void native(Record& record) {
    operation(record);
    if (record.hot != 0) ++places_[record.hot - 1].natives;
  }
  void conflict(Record& record) { ++heat_up(record, telemetry::kConflictHeat).conflicts; }
  // A native waits, or has broken a holder.
  void native_conflict(Record& record, bool broke) {
    HotRecord& hot = heat_up(record, telemetry::kConflictHeat);
    ++hot.conflicts;
    ++(broke ? hot.native_breaks : hot.native_waits);
  }
  void waited(const Record& record, double ms) {
    if (record.hot == 0) return;
    HotRecord& hot = places_[record.hot - 1];
    ++hot.waits;
    hot.wait_ms += ms;
  }

  // Null if the record is not tracked.
  HotRecord* find(const Record& record) { return record.hot == 0 ? nullptr : &places_[record.hot - 1]; }
  // The record is about to be deleted, or has cooled down. REQUIRES: it is tracked.
  void vacate(Record& record);

  std::size_t place_of(const HotRecord& hot) const { return static_cast<std::size_t>(&hot - places_.data()); }
  std::uint32_t tenancy(std::size_t place) const { return places_[place].tenancy; }
  double heat(const HotRecord& hot) const { return heats_[place_of(hot)]; }
  // At most `count` records, hottest first.
  std::vector<HotRecord*> hottest(std::size_t count);
  std::size_t tracked() const { return telemetry::kHotRecordsTracked - free_; }

  // A frame has been taken: resets the counts, and lets all records cool down.
  void next_frame(double elapsed_ms);

 private:
  HotRecord& heat_up(Record& record, double heat);
  void sample(Record& record);
  std::uint32_t next_gap();

  std::array<HotRecord, telemetry::kHotRecordsTracked> places_;
  std::array<double, telemetry::kHotRecordsTracked> heats_{};
  std::size_t free_ = telemetry::kHotRecordsTracked;
  std::uint32_t until_sample_ = telemetry::kSampledGap;
  // A linear congruential generator: the gaps must only be out of step with periodic load.
  std::uint64_t chance_ = 1;
  double now_ms_ = 0;
};

}  // namespace claret
