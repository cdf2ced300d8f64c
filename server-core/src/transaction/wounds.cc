// Participant, continued: what happens to those who wait, and to those they wait for.
//
// A wound forbids to wait, it does not kill (the founding rules, section 4): most transactions in the way of
// an older one end within a round trip by themselves. Cycles within this shard are broken at once, the youngest of the
// cycle dies; whatever crosses shards is found by time.
#include <algorithm>
#include <utility>

#include "gate/wait_graph.h"
#include "mutation.h"
#include "transaction/participant.h"

namespace claret {

namespace {

constexpr double kExpirySweepMs = 1000;
constexpr double kForgetAgainMs = 1;

Error because(Error error, std::string_view cause, std::string message) {
  error.cause = cause;
  error.message = std::move(message);
  return error;
}

}  // namespace

void Participant::waits(Attempt& attempt) {
  if (attempt.wounded && !mutated(Mutation::kWoundedMayWait)) {
    abort(attempt, because(locks_.blocked_error(*attempt.requests.front(), errors::kWounded), causes::kWounded,
                           "an older transaction waits for this one, so it may not wait itself"));
    return;
  }
  if (waiting_.emplace(attempt.serial, &attempt).second) {
    wound_checks_.push_back({now_ms_ + options_.wound_delay_ms, attempt.serial});
  }
  if (shared_.standing() != 0) end_joining(attempt);
  if (!break_cycles(attempt)) return;
  // Where the end rides on what waits, other shards may have voted and keep all locks until this one has. A cycle through
  // them would hold up everybody there; a wound is only one notice and strikes none but those that wait themselves.
  const Request& request = *attempt.requests.front();
  if (request.prepare && !request.prepare->participants.empty()) check_waiter(attempt);
}

// Joining what somebody waits for would only prolong the phase.
void Participant::end_joining(const Attempt& waiter) {
  const auto is_shared = [](const Party& party) { return party.kind == PartyKind::kShared; };
  for (const Claim* claim : waiter.waiting) {
    for_each_blocker(*claim, locks_.settings().rule, is_shared, [&](const Blocker& blocker) {
      wound(static_cast<SharedHolder&>(*blocker.party), waiter, 0);
      return true;
    });
  }
}

bool Participant::break_cycles(Attempt& attempt) {
  for (;;) {
    const std::vector<Party*> cycle = find_cycle(attempt, locks_.settings().rule);
    if (cycle.empty()) return true;
    Party* youngest = cycle.front();
    for (Party* party : cycle) {
      if (older(*youngest, *party)) youngest = party;
    }
    auto& victim = static_cast<Attempt&>(*youngest);
    const Error error = because(locks_.blocked_error(*victim.requests.front(), errors::kDeadlock), causes::kDeadlock,
                                "two transactions wait for each other; the younger one gives way");
    const bool itself = &victim == &attempt;
    abort(victim, error);
    if (itself) return false;
  }
}

void Participant::wounded_elsewhere(const AttemptId& id, std::uint64_t by_priority) {
  Attempt* under_way = known_.under_way(id);
  if (under_way == nullptr) return;
  Attempt& attempt = *under_way;
  // Of equals the shard that sent the notice has judged by id.
  if (attempt.phase == AttemptPhase::kVoted || attempt.priority < by_priority) return;
  attempt.wounded = true;
  if (waiting_.contains(attempt.serial) && !mutated(Mutation::kWoundedMayWait)) {
    abort(attempt, because(locks_.blocked_error(*attempt.requests.front(), errors::kWounded), causes::kWounded,
                           "an older transaction waits for this one at another shard"));
  }
}

bool Participant::tell_wound(Attempt& blocker, std::uint64_t wounder_priority) {
  const bool first = !std::exchange(blocker.wounded, true);
  if (first && blocker.session != nullptr) {
    server_frame::add_wound(blocker.session->out, blocker.number, blocker.id, wounder_priority);
    has_output_(*blocker.session);
  }
  if (blocker.phase != AttemptPhase::kVoted) return first;
  // Its requests may still be under way to the others, and so may the link to them be: they are told again.
  if (blocker.wound_told_ms < 0 || now_ms_ - blocker.wound_told_ms >= options_.wound_grace_ms) {
    blocker.wound_told_ms = now_ms_;
    wounds_told_.push_back({blocker.id, wounder_priority, blocker.participants});
  }
  return first;
}

// One that is told only now gets until the next check, however long the wounder has waited before it came in.
void Participant::wound(Attempt& blocker, const Attempt& wounder, double waited_ms) {
  const bool first = tell_wound(blocker, wounder.priority);
  if (blocker.phase == AttemptPhase::kVoted || mutated(Mutation::kWoundedMayWait)) return;
  const bool waits_itself = waiting_.contains(blocker.serial);
  if (waits_itself || (!first && waited_ms >= options_.wound_grace_ms)) {
    abort(blocker, because(locks_.in_the_way_error(blocker, wounder, errors::kWounded), causes::kWounded,
                           "an older transaction has waited for this one for too long"));
  }
}

// The notice ends its joining; its session then lets every member hold for itself, and releases it.
void Participant::wound(SharedHolder& blocker, const Attempt& wounder, double waited_ms) {
  if (!std::exchange(blocker.wounded, true)) {
    server_frame::add_shared_wound(blocker.session->out, blocker.number, wounder.priority);
    has_output_(*blocker.session);
  } else if (waited_ms >= options_.wound_grace_ms) {
    shared_.drop(blocker);
  }
}

// Those that pass an elder on whom other shards wait are told at once: if one of them waits there for that elder, it is in
// a cycle.
void Participant::heed_elders(Attempt& attempt, const Request& request) {
  for (const Claim& claim : request.claims) {
    if (claim.record->gate == nullptr) continue;
    for (const Claim* waiter : claim.record->gate->waiters()) {
      if (!older(*waiter->party, attempt)) break;
      if (!waiter->holds_elsewhere || !incompatible(claim, *waiter, locks_.settings().rule)) continue;
      tell_wound(attempt, waiter->party->priority);
      return;
    }
  }
}

// Is there something to do about it, if it is in the waiter's way? Most have been told long ago, and come to their end.
bool Participant::concerns(const Party& party, const Attempt& waiter, double waited_ms) const {
  if (party.kind == PartyKind::kShared) return true;
  const auto& blocker = static_cast<const Attempt&>(party);
  if (blocker.phase == AttemptPhase::kLeaving) return false;
  const bool running = blocker.phase == AttemptPhase::kRunning;
  if (!older(waiter, blocker)) {
    return running && blocker.requests.empty() && now_ms_ - blocker.last_heard_ms >= options_.idle_ms;
  }
  if (!blocker.wounded || waited_ms >= options_.wound_grace_ms) return true;
  return running ? !blocker.waiting.empty() : now_ms_ - blocker.wound_told_ms >= options_.wound_grace_ms;
}

void Participant::check_waiter(Attempt& waiter) {
  // Serials and numbers, not pointers: aborting one blocker may end another.
  struct Blocking {
    std::uint64_t serial;
    Session* session;  // of a shared holder, else null
    std::uint32_t number;
    double waited_ms;
  };
  std::vector<Blocking> blocking;
  for (const Claim* claim : waiter.waiting) {
    const double waited_ms = now_ms_ - claim->waiting_since_ms;
    const auto wanted = [&](const Party& party) { return concerns(party, waiter, waited_ms); };
    for_each_blocker(*claim, locks_.settings().rule, wanted, [&](const Blocker& blocker) {
      if (blocker.party->kind == PartyKind::kShared) {
        const auto& holder = static_cast<const SharedHolder&>(*blocker.party);
        blocking.push_back({0, holder.session, holder.number, waited_ms});
      } else {
        blocking.push_back({static_cast<const Attempt&>(*blocker.party).serial, nullptr, 0, waited_ms});
      }
      return true;
    });
  }
  for (const Blocking& one : blocking) {
    if (one.session == nullptr) continue;
    if (SharedHolder* holder = shared_.find(*one.session, one.number)) wound(*holder, waiter, one.waited_ms);
  }
  for (const Blocking& one : blocking) {
    const auto found = one.session == nullptr ? attempts_.find(one.serial) : attempts_.end();
    if (found == attempts_.end()) continue;
    Attempt& blocker = *found->second;
    if (blocker.phase == AttemptPhase::kLeaving) continue;  // it stood in the way of another claim, and has been ended
    if (older(waiter, blocker)) {
      wound(blocker, waiter, one.waited_ms);
    } else if (blocker.phase == AttemptPhase::kRunning && blocker.requests.empty() && now_ms_ - blocker.last_heard_ms >= options_.idle_ms) {
      abort(blocker, because(locks_.in_the_way_error(blocker, waiter, errors::kExpired), causes::kIdle,
                             "others waited for the attempt and it sent nothing for too long"));
    }
  }
}

void Participant::expire_attempts() {
  std::vector<Attempt*> expired;
  for (const auto& [serial, attempt] : attempts_) {
    if (attempt->expires_at_ms > now_ms_ || attempt->phase == AttemptPhase::kLeaving) continue;
    // No lock is held for ever: if the client does not tell, the participants settle it.
    if (attempt->phase == AttemptPhase::kVoted) {
      doubt(*attempt);
    } else {
      expired.push_back(attempt);
    }
  }
  for (Attempt* attempt : expired) expire(*attempt);
}

void Participant::expire(Attempt& attempt) {
  if (waiting_.contains(attempt.serial)) {
    abort(attempt, because(locks_.blocked_error(*attempt.requests.front(), errors::kExpired), causes::kLockWait,
                           "the attempt's time is over, and it still waits for a lock"));
    return;
  }
  abort(attempt, because({.code = errors::kExpired, .retryable = true}, causes::kTimeout, "the attempt's time is over"));
}

void Participant::sweep() {
  // Those that are due now; a check may put itself back.
  for (std::size_t left = wound_checks_.size(); left > 0 && wound_checks_.front().at_ms <= now_ms_; --left) {
    const std::uint64_t serial = wound_checks_.front().serial;
    wound_checks_.pop_front();
    const auto found = waiting_.find(serial);
    if (found == waiting_.end()) continue;
    // At its time, not at the next of the rare sweeps: whoever waited can still be told for what.
    if (found->second->expires_at_ms <= now_ms_) {
      expire(*found->second);
    } else {
      check_waiter(*found->second);
    }
    settle();  // what that has freed is granted before the next waiter looks for somebody to blame
    if (waiting_.contains(serial)) wound_checks_.push_back({now_ms_ + options_.wound_delay_ms, serial});
  }
  if (next_expiry_ms_ <= now_ms_) {
    next_expiry_ms_ = now_ms_ + kExpirySweepMs;
    next_forgetting_ms_ = now_ms_;
    expire_attempts();
    settle();
  }
  if (next_forgetting_ms_ <= now_ms_) {
    const bool more = known_.forget_due(now_ms_);
    next_forgetting_ms_ = deduplication_.forget_due(wall_ms_) || more ? now_ms_ + kForgetAgainMs : next_expiry_ms_;
  }
}

double Participant::next_sweep_ms() const {
  const double next_ms = std::min(next_expiry_ms_, next_forgetting_ms_);
  return wound_checks_.empty() ? next_ms : std::min(next_ms, wound_checks_.front().at_ms);
}

}  // namespace claret
