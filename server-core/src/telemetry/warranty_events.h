// The warranties of tracked records: those that have ended since the last frame, and those that stand. The newest kWarrantyEventsMax ended ones
// are kept. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "gate/lock_rule.h"
#include "telemetry/frame.h"
#include "telemetry/hot_records.h"
#include "transaction/warranties.h"

namespace claret {

struct WarrantyEvent {
  std::size_t place;  // of the record, among the tracked ones
  std::uint32_t tenancy;
  ShownOperation operation;
  double began_ms;
  double ended_ms;
  double recalled_ms;  // the time in which something waited for its end
  bool lapsed;
};

class WarrantyEvents {
 public:
  explicit WarrantyEvents(HotRecords& hot_records) : hot_records_(hot_records) {}

  void ended(const StandingWarranty& warranty);

  struct Told {
    std::deque<WarrantyEvent> events;
    std::uint64_t dropped;
  };
  // Those that have ended since the last call.
  Told take() { return {std::exchange(events_, {}), std::exchange(dropped_, 0)}; }

 private:
  HotRecords& hot_records_;
  std::deque<WarrantyEvent> events_;
  std::uint64_t dropped_ = 0;
};

ShownWarranty shown_warranty(const WarrantyEvent& event, double now_ms);

// At most kStandingShown: those for whose end something waits first, then those that most sessions have.
std::vector<ShownWarranty> standing_warranties(const Record& record, double now_ms);

// For what a change waits that sleeps. `result`: of the change, null if it is not known.
ShownObstacle obstacle_of(const Record& record, const Call& change, const Value* result, const LockRule& rule, double now_ms);

}  // namespace claret
