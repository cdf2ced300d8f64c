// The phases of tracked records. A phase is a stretch of time in which a record belongs to one mode: it begins with whoever
// comes to a record that nobody holds, or with the oldest waiter when its turn has come, and ends with the next one's
// beginning or with the last holder. Those that end where they run hold nothing: a run of such waiters is a phase too.
//
// Told are phases in which, or before which, somebody waited; the others are nobody's concern. The newest
// kPhaseEventsMax since the last frame are kept. Thread safety: none needed.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>

#include "telemetry/hot_records.h"

namespace claret {

struct PhaseEvent {
  std::size_t place;  // of the record among the tracked ones
  std::uint32_t tenancy;
  std::string_view mode;
  double began_ms;
  double length_ms;
  std::uint32_t let_in;
  bool capped;
};

class Phases {
 public:
  explicit Phases(HotRecords& hot_records) : hot_records_(hot_records) {}

  void at(double now_ms) { now_ms_ = now_ms; }

  // The visit has come to hold its record.
  void entered(const Visit& visit, std::string_view mode);
  // The claim, the oldest waiter, has been let in because its turn has come; its visits have entered.
  void turn(const Claim& claim, std::string_view mode);
  // The claim waited, and was let in to end where it ran.
  void passed(const Claim& claim, std::string_view mode);
  // A holder has left the record.
  void left(const Record& record);
  // Somebody has to wait at the record; held back by the phase's cap alone, or by holders.
  void waits(const Record& record, bool capped);

  struct Told {
    std::deque<PhaseEvent> events;
    std::uint64_t dropped;
  };
  // Since the last call.
  Told take();

 private:
  void open(HotRecord& hot, std::string_view mode, double began_ms);
  void close(HotRecord& hot);

  HotRecords& hot_records_;
  std::deque<PhaseEvent> events_;
  std::uint64_t dropped_ = 0;
  double now_ms_ = 0;
};

}  // namespace claret
