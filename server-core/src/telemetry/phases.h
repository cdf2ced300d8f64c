// The phases of tracked records. A phase is a stretch of time in which a record belongs to one mode. It begins when a transaction comes to
// a record without holders, or when the oldest waiter's turn has come; it ends when the next phase begins or the last holder leaves. Claims
// that end where they run hold nothing; such waiters, one after another, also count as a phase. So does a run (gate/run.h), in which
// members of one session's chain are executed.
//
// Only phases during or before which a transaction waited are reported, and runs in which a member stood on another. The newest kPhaseEventsMax since the last frame are kept. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "telemetry/hot_records.h"

namespace claret {

// The mode of runs.
inline constexpr std::string_view kRunMode = "run";

struct PhaseEvent {
  std::size_t place;  // of the record, among the tracked ones
  std::uint32_t tenancy;
  std::string_view mode;
  std::string session;
  double began_ms;
  double length_ms;
  std::uint32_t let_in;
  bool capped;
};

class Phases {
 public:
  explicit Phases(HotRecords& hot_records) : hot_records_(hot_records) {}

  void at(double now_ms) { now_ms_ = now_ms; }

  // The visit now holds its record.
  void entered(const Visit& visit, std::string_view mode);
  // The claim, the oldest waiter, was admitted because its turn has come; its visits have entered.
  void turn(const Claim& claim, std::string_view mode);
  // The claim waited, and was admitted to end where it runs.
  void passed(const Claim& claim, std::string_view mode);
  // The visit is in the record's run, which is of that session.
  void ran(const Visit& visit, std::string_view session);
  // A holder has left the record, or its run is over.
  void left(const Record& record);
  // A claim has to wait at the record. `capped`: only the phase's cap holds it back, and no holder.
  void waits(const Record& record, bool capped);

  struct Told {
    std::deque<PhaseEvent> events;
    std::uint64_t dropped;
  };
  // The phases since the last call.
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
