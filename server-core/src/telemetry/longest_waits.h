// Who waits for whom at this shard now, the longest waits first. Read off the gates; nothing is stored.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <vector>

#include "gate/lock_rule.h"
#include "telemetry/frame.h"

namespace claret {

// `waiting`: parties by serial. At most kWaitersShown claims; looked at are the first kWaitingClaimsSearched.
std::vector<ShownWaiter> longest_waits(const absl::btree_map<std::uint64_t, Party*>& waiting, const LockRule& rule,
                                       const Counters& counters, double now_ms);

}  // namespace claret
