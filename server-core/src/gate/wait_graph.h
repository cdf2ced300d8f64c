// Who waits for whom within this shard, read off the gates; nothing is stored.
#pragma once

#include <functional>
#include <vector>

#include "gate/gate.h"

namespace claret {

struct Blocker {
  Party* party;
  const Visit* visit;  // the holder in the way; null where the claim waits behind an older waiter
  const Claim* claim;  // that waiter, else null
};

// Everyone a blocked claim waits for; a party may come more than once. `each` returns false to stop.
void for_each_blocker(const Claim& claim, const LockRule& rule, const std::function<bool(const Blocker&)>& each);

// A cycle of parties that wait for each other, through `start`; empty if there is none. Looks at no more than
// kGraphStepsMax edges: a longer cycle is left to the wounds.
inline constexpr int kGraphStepsMax = 4096;
std::vector<Party*> find_cycle(Party& start, const LockRule& rule);

}  // namespace claret
