#include "gate/wait_graph.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "gate/judge.h"

namespace claret {

namespace {

bool in_the_way(const Claim& claim, const Visit& holder, const LockRule& rule) {
  return std::any_of(claim.visits.begin(), claim.visits.end(), [&](const Visit* visit) { return conflicts(*visit, holder, rule); });
}

// A party can be waited for only if it holds a gate that has waiters, or waits itself before younger waiters.
bool waited_for(const Party& party) {
  return std::any_of(party.waiting.begin(), party.waiting.end(),
                     [](const Claim* claim) { return claim->record->gate->waiters().back() != claim; }) ||
         std::any_of(party.visits.begin(), party.visits.end(),
                     [](const Visit& visit) { return visit.held && !visit.record->gate->waiters().empty(); });
}

class CycleSearch {
 public:
  CycleSearch(Party& start, const LockRule& rule) : start_(start), rule_(rule) {}

  bool reaches_start(Party& from) {
    path_.push_back(&from);
    // A party that does not wait leads nowhere.
    const auto wanted = [this](const Party& party) { return &party == &start_ || (!party.waiting.empty() && !seen_.contains(&party)); };
    for (const Claim* claim : from.waiting) {
      bool found = false;
      for_each_blocker(*claim, rule_, wanted, [&](const Blocker& blocker) {
        if (--steps_left_ < 0) return false;
        found = blocker.party == &start_ || (seen_.insert(blocker.party).second && reaches_start(*blocker.party));
        return !found;
      });
      if (found) return true;
    }
    path_.pop_back();
    return false;
  }

  std::vector<Party*> path() && { return std::move(path_); }

 private:
  Party& start_;
  const LockRule& rule_;
  int steps_left_ = kGraphStepsMax;
  std::vector<Party*> path_;
  absl::flat_hash_set<const Party*> seen_;  // looked up, never iterated
};

}  // namespace

void for_each_blocker(const Claim& claim, const LockRule& rule, absl::FunctionRef<bool(const Party&)> wanted,
                      absl::FunctionRef<bool(const Blocker&)> each) {
  if (!claim.blocked() || claim.record->gate == nullptr) return;
  const Gate& gate = *claim.record->gate;
  if (gate.run() != nullptr) {
    for (const Run::Entry& entry : gate.run()->entries) {
      if (wanted(*entry.visit->party) && !each({entry.visit->party, entry.visit, nullptr})) return;
    }
  }
  for (Visit* holder : gate.holders()) {
    if (holder->party == claim.party || !wanted(*holder->party)) continue;
    // A claim that waits for the sum of reservations (escrow) is blocked by all holders together, not by a particular one.
    if (claim.verdict.why != Why::kSum && !in_the_way(claim, *holder, rule)) continue;
    if (!each({holder->party, holder, nullptr})) return;
  }
  if (passes(asker_of(claim), Standing::kQueue) || gate.held_by_party_of(claim)) return;
  for (Claim* waiter : gate.waiters()) {
    if (!older(*waiter->party, *claim.party)) break;
    if (waiter == &claim || waiter->is_passed() || waiter->party == claim.party || !wanted(*waiter->party)) continue;
    if (incompatible(claim, *waiter, rule) && !each({waiter->party, nullptr, waiter})) return;
  }
}

std::vector<Party*> find_cycle(Party& start, const LockRule& rule) {
  if (!waited_for(start)) return {};
  CycleSearch search(start, rule);
  if (!search.reaches_start(start)) return {};
  return std::move(search).path();
}

}  // namespace claret
