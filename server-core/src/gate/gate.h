// The gate of one record: the operations that hold it and those that wait (the one idea of docs/ARCHITECTURE.md).
//
// The gate keeps count; the judges (judge.h) decide, and neither acts on a transaction.
//
// A run (run.h) takes the place of holders: everything else waits until the run is over, whether it commutes or not. Warranties (warranty.h)
// stand beside holders and keep out what would violate them. A claim that only they keep out is passed by all others.
//
// Invariants: holders_by_mode_ counts holders_; waiters_ are in order of age, oldest first; there are holders or a run, never both. A record
// without holders, run, waiters and warranties has no gate. Not thread-safe.
#pragma once

#include <absl/container/inlined_vector.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "adt/adt.h"
#include "gate/lock_rule.h"
#include "gate/run.h"
#include "gate/visit.h"
#include "structure/block_pool.h"

namespace claret {

class Gate : public Pooled<Gate> {
 public:
  std::span<Visit* const> holders() const { return holders_; }
  std::span<Claim* const> waiters() const { return waiters_; }
  // In order of arrival.
  std::span<WaitingNative* const> natives() const { return natives_; }
  // Null if there is none. A run that exists has entries, except while it is changed.
  Run* run() const { return run_.get(); }
  // The run of that owner. REQUIRES: nobody holds the record, and there is no run of another owner.
  Run& run_of(std::uint64_t owner);
  void end_run() { run_.reset(); }
  // Since when the claim or native that has waited longest has waited; infinity if none waits.
  double waited_for_since_ms() const;
  bool idle() const { return holders_.empty() && run_ == nullptr && waiters_.empty() && natives_.empty() && warranties_.empty(); }

  // In the order in which they were issued.
  std::span<Warranty* const> warranties() const { return warranties_; }
  void add_warranty(Warranty& warranty) { warranties_.push_back(&warranty); }
  void remove_warranty(Warranty& warranty) { std::erase(warranties_, &warranty); }

  void add_holder(Visit& visit, double now_ms);
  // REQUIRES: visit.held.
  void remove_holder(Visit& visit);

  void add_waiter(Claim& claim, double now_ms);
  // REQUIRES: claim.waiting.
  void remove_waiter(Claim& claim);

  void add_native(WaitingNative& native) { natives_.push_back(&native); }
  void remove_native(WaitingNative& native) { std::erase(natives_, &native); }

  void begin_phase(double now_ms) { phase_began_ms_ = now_ms; }
  double phase_began_ms() const { return phase_began_ms_; }

  // Holders of `mode` that are not of the visit's party. REQUIRES: the visit does not hold.
  std::uint32_t others_in_mode(Mode mode, const Visit& visit) const;
  std::uint32_t holders_in_mode(Mode mode) const { return holders_by_mode_[mode]; }
  // Does the claim's party hold this gate already?
  bool held_by_party_of(const Claim& claim) const;

  // The lock rule has changed: recomputes the mode of every visit and claim.
  void change_rule(const LockRule& rule);

 private:
  void count(Visit& holder);

  absl::InlinedVector<Visit*, 4> holders_;
  absl::InlinedVector<Claim*, 2> waiters_;
  std::vector<WaitingNative*> natives_;
  std::vector<Warranty*> warranties_;
  std::unique_ptr<Run> run_;
  std::array<std::uint32_t, kAllModes> holders_by_mode_{};
  double phase_began_ms_ = 0;
};

// The record of one key. It exists only if it has a commit or a gate in use.
struct Record {
  std::string key;
  const DataType* type = nullptr;
  std::unique_ptr<State> state;
  std::unique_ptr<Gate> gate;
  Timestamp last_commit = 0;  // slightly more if a commit took effect behind a later one; 0: never committed
  std::uint64_t expires_at_ms = 0;  // by the wall clock; 0: never
  std::uint64_t last_position = 0;  // in the log, of the last entry applied
  std::uint32_t pins = 0;  // number of visits that refer to it
  std::uint32_t pins_without_type = 0;  // of these, operations of records (gate/record_operations.h)
  bool watched : 1 = false;  // commits have to be reported to watches
  bool dirty : 1 = false;  // changed since a checkpoint last put it
  bool in_parts : 1 = false;  // the last checkpoint put it in parts
  bool put : 1 = false;  // a checkpoint may have a pair of it
  bool queued : 1 = false;  // in the list of records whose waiters are to be tried again
  bool made : 1 = false;  // by its last commit, which was no deletion (gate/record_operations.h)
  bool vacated : 1 = false;  // in the list of records that have become vacant, without a log (transaction/effects.h)
  bool counted : 1 = false;  // among those that are there (records.h)
  bool gone : 1 = false;  // its slot was emptied: only a checkpoint still has to remove it
  std::uint16_t hot = 0;  // its place among the hottest records plus 1, while the shard is watched; 0: not tracked
  std::uint16_t board = 0;  // its place among the records that boards may show plus 1; 0: none (transaction/boards.h)
  std::uint16_t slot = 0;
  std::uint16_t copied = 0;  // the number of the copy that has it as it is; 0: none (transaction/slot_copy.h)
  std::uint64_t past = 0;  // the position of its newest change that is kept; 0: none (transaction/past.h)
  // Among the committed records of its slot (records.h).
  Record* next_in_slot = nullptr;
  Record* previous_in_slot = nullptr;

  // Null if there is none.
  Run* run() const { return gate == nullptr ? nullptr : gate->run(); }
};

// The common mode of its visits, or exclusive.
Mode queue_mode(const Claim& claim);

}  // namespace claret
