// The concurrency control in effect at this shard, and its change while transactions run.
//
// Changes of lock rules and phasing take effect at once: holders keep what they hold, and their modes are recomputed by the new rule. A
// change to or from `locks: none` takes effect once the attempts that span it are gone: the shard drains. Attempts that have not voted are
// aborted, and new ones are refused until the voted attempts have their outcomes.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "gate/wounds.h"
#include "transaction/attempt.h"
#include "transaction/conditions.h"

namespace claret {

class ConditionsChange {
 public:
  // `attempts`: by serial.
  ConditionsChange(Locks& locks, Wounds& wounds, const absl::btree_map<std::uint64_t, Attempt*>& attempts, AttemptKeeper& keeper,
                   double phase_cap_ms)
      : locks_(locks), wounds_(wounds), attempts_(attempts), keeper_(keeper), phase_cap_ms_(phase_cap_ms) {}

  const Conditions& in_force() const { return in_force_; }
  void change(const Conditions& conditions, double now_ms);
  // Once nothing is left to drain, the requested conditions take effect.
  void finish_draining();
  // Drains as before a change of conditions, until end_drain_for_types().
  void drain_for_types();
  bool drained_for_types() const { return for_types_ && attempts_.empty(); }
  void end_drain_for_types();
  // The records with a gate to which an attempt has come.
  std::vector<Record*> gated() const;

 private:
  void switch_rule(double now_ms);
  void drain();

  Locks& locks_;
  Wounds& wounds_;
  const absl::btree_map<std::uint64_t, Attempt*>& attempts_;
  AttemptKeeper& keeper_;
  double phase_cap_ms_;
  Conditions in_force_;
  std::optional<Conditions> draining_to_;
  bool for_types_ = false;
};

}  // namespace claret
