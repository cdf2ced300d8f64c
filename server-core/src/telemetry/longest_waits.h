// The longest waits at this shard now, with the transactions that block them. Derived from the gates; nothing is stored.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <vector>

#include "gate/lock_rule.h"
#include "telemetry/frame.h"

namespace claret {

// `waiting`: parties by serial. Returns at most kWaitersShown claims, from the first kWaitingClaimsSearched.
std::vector<ShownWaiter> longest_waits(const absl::btree_map<std::uint64_t, Party*>& waiting, const LockRule& rule,
                                       const Counters& counters, double now_ms);

}  // namespace claret
