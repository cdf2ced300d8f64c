#include "gate/wounds.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "gate/obstacles.h"
#include "gate/wait_graph.h"
#include "ground/mutation.h"

namespace claret {

namespace {

// Older than any transaction.
constexpr std::uint64_t kOldest = 0;

Error because(Error error, std::string_view cause, std::string message) {
  error.cause = cause;
  error.message = std::move(message);
  return error;
}

}  // namespace

Error Wounds::blocked_error(const Party& party, std::string_view code, std::string_view cause, std::string message) const {
  return because(claret::blocked_error(locks_, *party.asking(), code, now_ms_), cause, std::move(message));
}

void Wounds::waits(Party& party) {
  if (party.wounded && !mutated(Mutation::kWoundedMayWait)) {
    party.end_with(
        blocked_error(party, errors::kWounded, causes::kWounded, "an older transaction waits for this one, so it may not wait itself"));
    return;
  }
  if (waiting_.emplace(party.serial, &party).second) checks_.push_back({now_ms_ + patience_of(locks_).wound_delay_ms, party.serial});
  if (!break_cycles(party)) return;
  // If the request ends the transaction, other shards may have voted and keep all their locks until this shard has. A cycle through them
  // would block all transactions there. A wound is a single notice, and ends only parties that wait themselves.
  if (party.asking()->holds_elsewhere) check(party);
}

bool Wounds::break_cycles(Party& party) {
  for (;;) {
    const std::vector<Party*> cycle = find_cycle(party, locks_.rule());
    if (cycle.empty()) return true;
    Party* youngest = cycle.front();
    for (Party* one : cycle) {
      if (older(*youngest, *one)) youngest = one;
    }
    const bool itself = youngest == &party;
    youngest->end_with(
        blocked_error(*youngest, errors::kDeadlock, causes::kDeadlock, "two transactions wait for each other; the younger one is aborted"));
    if (itself) return false;
  }
}

void Wounds::break_all_cycles() {
  std::vector<std::uint64_t> serials;
  for (const auto& [serial, party] : waiting_) serials.push_back(serial);
  for (const std::uint64_t serial : serials) {
    const auto found = waiting_.find(serial);
    if (found != waiting_.end()) break_cycles(*found->second);
  }
}

void Wounds::wounded_elsewhere(Party& party, std::uint64_t by_priority) {
  // Between equal priorities, the shard that sent the notice has compared the ids.
  if (party.stage == Stage::kVoted || party.priority < by_priority) return;
  party.wounded = true;
  if (!is_waiting(party) || mutated(Mutation::kWoundedMayWait)) return;
  party.end_with(blocked_error(party, errors::kWounded, causes::kWounded, "an older transaction waits for this one at another shard"));
}

bool Wounds::tell(Party& blocker, std::uint64_t wounder_priority) {
  const bool first = !std::exchange(blocker.wounded, true);
  // The requests of the blocker to its other participants, or the link to them, may not have arrived yet: the notice is repeated.
  const bool others = blocker.stage == Stage::kVoted &&
                      (blocker.wound_told_ms < 0 || now_ms_ - blocker.wound_told_ms >= patience_of(locks_).wound_grace_ms);
  if (others) blocker.wound_told_ms = now_ms_;
  if (first || others) blocker.tell_wound(wounder_priority, first, others);
  return first;
}

void Wounds::drain(Party& party, bool over) {
  tell(party, kOldest);
  if (party.stage != Stage::kRunning || !(over || is_waiting(party))) return;
  party.end_with({.code = errors::kWounded,
                  .message = "the transaction holds a record that is to move to another shard",
                  .retryable = true,
                  .cause = causes::kWounded});
}

// A party that is notified only now has time until the next check, however long the wounder had waited before.
bool Wounds::wound(Party& blocker, const Party& wounder, double waited_ms) {
  const bool first = tell(blocker, wounder.priority);
  if (blocker.stage == Stage::kVoted || mutated(Mutation::kWoundedMayWait)) return false;
  if (!is_waiting(blocker) && (first || waited_ms < patience_of(locks_).wound_grace_ms)) return false;
  blocker.end_with(because(in_the_way_error(locks_, blocker, wounder, errors::kWounded), causes::kWounded,
                           "an older transaction has waited for this one for too long"));
  return true;
}

void Wounds::heed_elders(Party& party, const GateRequest& request) {
  for (const Claim& claim : request.claims) {
    if (claim.record->gate == nullptr) continue;
    for (const Claim* waiter : claim.record->gate->waiters()) {
      if (!older(*waiter->party, party)) break;
      if (waiter->is_passed() || !waiter->holds_elsewhere || !incompatible(claim, *waiter, locks_.rule())) continue;
      tell(party, waiter->party->priority);
      return;
    }
  }
}

// Is there anything to do about the blocker? Most blockers were notified long ago and are about to end.
bool Wounds::concerns(const Party& blocker, const Party& waiter, double waited_ms) const {
  if (blocker.stage == Stage::kLeaving || blocker.stage == Stage::kEntered) return false;
  if (!older(waiter, blocker)) return is_idle(blocker);
  if (!blocker.wounded || waited_ms >= patience_of(locks_).wound_grace_ms) return true;
  return blocker.stage == Stage::kRunning ? !blocker.waiting.empty()
                                          : now_ms_ - blocker.wound_told_ms >= patience_of(locks_).wound_grace_ms;
}

bool Wounds::end_sleep(Party& waiter) {
  if (waiter.asking()->ends_here) return false;
  const auto sleeper = std::find_if(waiter.waiting.begin(), waiter.waiting.end(), [&](const Claim* claim) {
    return claim->verdict.sleeps() && now_ms_ - claim->waiting_since_ms >= patience_of(locks_).sleep_ms;
  });
  if (sleeper == waiter.waiting.end()) return false;
  Error error = claret::blocked_error(locks_, *waiter.asking(), errors::kDenied, now_ms_);
  error.message = (*sleeper)->verdict.why == Why::kQuarantine
                      ? kQuarantined
                      : "a warranty stands that the operation would violate, and those who have it do not return it";
  waiter.end_with(error);
  return true;
}

void Wounds::check(Party& waiter) {
  if (end_sleep(waiter)) return;
  struct Blocking {
    Party* party;
    double waited_ms;
  };
  std::vector<Blocking> blocking;  // a party may block several claims
  for (const Claim* claim : waiter.waiting) {
    const double waited_ms = now_ms_ - claim->waiting_since_ms;
    const auto wanted = [&](const Party& party) { return concerns(party, waiter, waited_ms); };
    for_each_blocker(*claim, locks_.rule(), wanted, [&](const Blocker& blocker) {
      blocking.push_back({blocker.party, waited_ms});
      return true;
    });
  }
  absl::flat_hash_set<const Party*> ended;  // looked up, never iterated
  for (const auto& [blocker, waited_ms] : blocking) {
    if (!ended.empty() && ended.contains(blocker)) continue;
    if (older(waiter, *blocker)) {
      if (wound(*blocker, waiter, waited_ms)) ended.insert(blocker);
      continue;
    }
    blocker->end_with(because(in_the_way_error(locks_, *blocker, waiter, errors::kExpired), causes::kIdle,
                              "other transactions waited for the attempt, which was silent for too long"));
    ended.insert(blocker);
  }
}

void Wounds::expire(Party& party) {
  if (party.waits_until_ms <= now_ms_) {
    party.end_with(blocked_error(party, errors::kWarrantyOver, causes::kWarrantyOver, "a warranty on which the attempt relies is over"));
    return;
  }
  party.end_with(blocked_error(party, errors::kExpired, causes::kLockWait, "the attempt expired while it waited for a lock"));
}

}  // namespace claret
