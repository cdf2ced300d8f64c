// The longest waits at this shard now, with the transactions that block them. Derived from the gates; nothing is stored.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <vector>

#include "gate/lock_rule.h"
#include "telemetry/frame.h"
#include "transaction/chains.h"
#include "transaction/natives.h"

namespace claret {

// What waits at the shard.
struct Waiting {
  const absl::btree_map<std::uint64_t, Party*>& parties;  // by serial
  std::vector<NativeWait> natives;  // the longest waits, longest first
  std::vector<TurnWait> turns;
};

// At most kWaitersShown claims, natives and members. The claims are those of the first kWaitingClaimsSearched.
std::vector<ShownWaiter> longest_waits(const Waiting& waiting, const LockRule& rule, const Counters& counters, double now_ms);

}  // namespace claret
