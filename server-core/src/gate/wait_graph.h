// Who waits for whom within this shard, read off the gates; nothing is stored.
#pragma once

#include <absl/functional/function_ref.h>

#include <vector>

#include "gate/gate.h"

namespace claret {

struct Blocker {
  Party* party;
  const Visit* visit;  // the holder in the way; null where the claim waits behind an older waiter
  const Claim* claim;  // that waiter, else null
};

// Everyone a blocked claim waits for; a party may come more than once. `each` returns false to stop. Whether two operations
// conflict may have to be looked up in the record: that is asked only of parties that are `wanted`.
void for_each_blocker(const Claim& claim, const LockRule& rule, absl::FunctionRef<bool(const Party&)> wanted,
                      absl::FunctionRef<bool(const Blocker&)> each);
inline void for_each_blocker(const Claim& claim, const LockRule& rule, absl::FunctionRef<bool(const Blocker&)> each) {
  for_each_blocker(
      claim, rule, [](const Party&) { return true; }, each);
}

// A cycle of parties that wait for each other, through `start`; empty if there is none. Looks at no more than
// kGraphStepsMax edges: a longer cycle is left to the wounds.
inline constexpr int kGraphStepsMax = 4096;
std::vector<Party*> find_cycle(Party& start, const LockRule& rule);

}  // namespace claret
