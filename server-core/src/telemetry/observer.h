// Observer: what a shard records while it is watched. It is notified of events, changes nothing, and produces a frame of what has happened
// since the last one. All that it keeps is bounded (bounds.h).
//
// An observer exists while the shard is watched. State from before that is read off the gates, or not reported. Deterministic like the rest
// of the core. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "telemetry/epoch_slices.h"
#include "telemetry/frame.h"
#include "telemetry/hot_records.h"
#include "telemetry/longest_waits.h"
#include "telemetry/phases.h"
#include "telemetry/samples.h"
#include "telemetry/turns.h"
#include "telemetry/warranty_events.h"
#include "transaction/witness.h"

namespace claret {

class Observer : public TransactionWitness {
 public:
  Observer(const Counters& counters, double now_ms);

  void at(double now_ms);

  void operations(const GateRequest& request) override {
    for (const Visit* visit : request.visits) hot_records_.operation(*visit->record);
  }
  void conflict(const ConflictPair& pair, const Claim& claim) override;
  void waited(const Claim& claim, double ms) override;
  void native(Record& record) override { hot_records_.native(record); }
  void native_conflict(const ConflictPair& pair, Record& record) override;
  void native_waited(const Record& record, double ms) override { hot_records_.waited(record, ms); }
  void entered(const Visit& visit, const LockRule& rule) override { phases_.entered(visit, rule.name_of(*visit.record->type, visit.mode)); }
  void left(const Record& record) override { phases_.left(record); }
  void turn(const Claim& claim, const LockRule& rule) override { phases_.turn(claim, rule.name_of(*claim.record->type, claim.mode)); }
  void passed(const GateRequest& request, const LockRule& rule) override;
  void dropped(Record& record) override { hot_records_.vacate(record); }

  void begun(Attempt& attempt) override { samples_.begun(attempt); }
  void tried(const Request& request, const Visit* refused, bool denied, const LockRule& rule) override {
    samples_.tried(request, refused, denied, rule);
  }
  void voted(const Attempt& attempt) override { samples_.voted(attempt); }
  void forgotten(const Attempt& attempt) override { samples_.forget(attempt); }
  void committed(const Attempt& attempt, std::uint64_t needs) override {
    if (attempt.traced) samples_.committed(attempt, needs);
  }
  void aborted(const Attempt& attempt, std::string_view code, std::string_view cause, const LockRule& rule, std::uint64_t needs) override {
    samples_.aborted(attempt, code, cause, rule, needs);
  }

  void ran(const Member& member, double waited_ms) override;
  void member_conflict(const ConflictPair& pair, Record& record) override;

  void batched(const Attempt& member, std::size_t members) override { samples_.batched(member, members); }
  void stood_back(const Attempt& member, std::string_view reason) override { samples_.stood_back(member, reason); }

  void warranty_ended(const StandingWarranty& warranty) override { warranties_.ended(warranty); }
  void epoch_ended(const EndedEpoch& epoch) override { epochs_.ended(epoch); }

  HotRecords& hot_records() { return hot_records_; }
  Turns& turns() { return turns_; }

  // The events since the last frame. `turn`: the one that goes on; `durable`: the position up to which the log is durable.
  TelemetryFrame take(const Waiting& waiting, const std::optional<KeptTurn>& turn, const LockRule& rule, std::uint64_t durable,
                      double now_ms);

 private:
  void take_conflicts(TelemetryFrame& frame);
  void take_hot_records(TelemetryFrame& frame, const Waiting& waiting, const LockRule& rule);
  // `index`: by place, of the record in this frame, or -1 if it is not shown.
  void take_warranties(TelemetryFrame& frame, std::span<const std::int32_t> index);

  const Counters& counters_;
  Totals before_;
  ConflictPairs conflicts_{telemetry::kFrameConflictPairsMax};
  HotRecords hot_records_;
  Phases phases_{hot_records_};
  WarrantyEvents warranties_{hot_records_};
  Samples samples_;
  Turns turns_;
  EpochSlices epochs_;
  std::uint64_t frames_ = 0;
  double last_frame_ms_;
};

}  // namespace claret
