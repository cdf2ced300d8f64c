// Which parties wait for which others within this shard, derived from the gates; nothing is stored.
#pragma once

#include <absl/functional/function_ref.h>

#include <vector>

#include "gate/gate.h"

namespace claret {

struct Blocker {
  Party* party;
  const Visit* visit;  // the holder that blocks; null if the claim waits behind an older waiter
  const Claim* claim;  // that waiter; otherwise null
};

// Calls `each` for all parties for which a blocked claim waits, some perhaps more than once, until it returns false. The test for a
// conflict may read the record, so it is made only for parties that are `wanted`.
void for_each_blocker(const Claim& claim, const LockRule& rule, absl::FunctionRef<bool(const Party&)> wanted,
                      absl::FunctionRef<bool(const Blocker&)> each);
inline void for_each_blocker(const Claim& claim, const LockRule& rule, absl::FunctionRef<bool(const Blocker&)> each) {
  for_each_blocker(
      claim, rule, [](const Party&) { return true; }, each);
}

// A cycle of parties that wait for each other, through `start`; empty if there is none. Examines at most kGraphStepsMax edges: longer
// cycles are left to the wounds.
inline constexpr int kGraphStepsMax = 4096;
std::vector<Party*> find_cycle(Party& start, const LockRule& rule);

}  // namespace claret
