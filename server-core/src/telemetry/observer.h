// Observer: what a shard keeps for those who watch it, while somebody does. It is told of things as they happen, changes
// nothing, and gives a frame of what has happened since the last one. All it keeps is bounded (bounds.h).
//
// Lives from the moment somebody watches: what was there before is found at the gates, or not told. Deterministic like the
// rest of the core. Thread safety: none needed.
#pragma once

#include <cstdint>
#include <string_view>

#include "telemetry/frame.h"
#include "telemetry/hot_records.h"
#include "telemetry/phases.h"
#include "telemetry/samples.h"

namespace claret {

class Observer {
 public:
  Observer(const Telemetry& telemetry, double now_ms);

  void at(double now_ms);

  // ---- told by Locks
  void operations(const Request& request) {
    for (const Visit* visit : request.visits) hot_records_.operation(*visit->record);
  }
  // The claim cannot be granted; `capped`: because of its turn alone.
  void conflict(const ConflictPair& pair, const Claim& claim, bool capped);
  void waited(const Claim& claim, double ms);
  void entered(const Visit& visit, const LockRule& rule) {
    if (visit.record->hot != 0 && visit.party->kind == PartyKind::kAttempt) {
      phases_.entered(visit, rule.name_of(*visit.record->type, visit.mode));
    }
  }
  void left(const Record& record) {
    if (record.hot != 0) phases_.left(record);
  }
  // The oldest waiter's turn has come, and it holds.
  void turn(const Claim& claim, const LockRule& rule) {
    if (claim.record->hot != 0) phases_.turn(claim, rule.name_of(*claim.record->type, claim.mode));
  }
  // The request has waited, and ends where it runs.
  void passed(const Request& request, const LockRule& rule);

  // ---- told by the participant
  void begun(Attempt& attempt) { samples_.begun(attempt); }
  // `needs`: how far the log goes that this may rest on.
  void committed(const Attempt& attempt, std::uint64_t needs) {
    if (attempt.traced) samples_.committed(attempt, needs);
  }
  void aborted(const Attempt& attempt, std::string_view code, std::string_view cause, const LockRule& rule, std::uint64_t needs) {
    samples_.aborted(attempt, code, cause, rule, needs);
  }
  Samples& samples() { return samples_; }
  HotRecords& hot_records() { return hot_records_; }

  // What has happened since the last frame. `waiting`: attempts by serial; `durable`: how far the log is.
  TelemetryFrame take(const absl::btree_map<std::uint64_t, Attempt*>& waiting, const LockRule& rule, std::uint64_t durable, double now_ms);

 private:
  void take_conflicts(TelemetryFrame& frame);
  void take_hot_records(TelemetryFrame& frame, const LockRule& rule);

  const Telemetry& telemetry_;
  Totals before_;
  ConflictPairs conflicts_{telemetry::kFrameConflictPairsMax};
  HotRecords hot_records_;
  Phases phases_{hot_records_};
  Samples samples_;
  std::uint64_t frames_ = 0;
  double last_frame_ms_;
};

}  // namespace claret
