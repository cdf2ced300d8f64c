#include "gate/locks.h"

#include <algorithm>

#include "gate/obstacles.h"
#include "ground/check.h"
#include "ground/mutation.h"

namespace claret {

namespace {

void undo(Claim& claim) {
  for (auto visit = claim.visits.rbegin(); visit != claim.visits.rend(); ++visit) {
    if ((*visit)->held) claim.record->gate->remove_holder(**visit);
    if ((*visit)->admitted) withdraw(**visit);
  }
  claim.granted = false;
}

}  // namespace

Gate& Locks::gate_of(Record& record) {
  if (record.gate == nullptr) record.gate = std::make_unique<Gate>();
  return *record.gate;
}

void Locks::make_claims(GateRequest& request) {
  request.claims.reserve(request.visits.size());
  for (Visit* visit : request.visits) {
    visit->observes_at_once = request.leaves_at_once && visit->call.operation->operation_class == OperationClass::kObserve;
    if (visit->previous != nullptr && visit->previous->request_number == request.number) {
      visit->claim = visit->previous->claim;
      visit->claim->visits.push_back(visit);
      visit->claim->observes_at_once &= visit->observes_at_once;
      continue;
    }
    Claim& claim = request.claims.emplace_back();
    claim.request = &request;
    claim.party = request.party;
    claim.record = visit->record;
    claim.holds_elsewhere = request.holds_elsewhere;
    claim.observes_at_once = visit->observes_at_once;
    claim.visits.push_back(visit);
    visit->claim = &claim;
  }
  request.ungranted = request.claims.size();
}

Locks::Tried Locks::try_claim(Claim& claim, bool heed_queue, double now_ms, Refusal& refusal, const Visit*& refused) {
  claim.verdict = judge(claim, rules(), heed_queue, now_ms, refusal, refused);
  if (claim.verdict.passes()) {
    claim.granted = true;
    return Tried::kGranted;
  }
  // As long as the claim's own reservations are made: with them it may violate more than without.
  if (claim.verdict.sleeps()) recall_violated(claim);
  undo(claim);
  return claim.blocked() ? Tried::kBlocked : Tried::kRefused;
}

// Right after a try. A claim that was held back has not been asked whether it would sleep: the request sleeps as it did before. Otherwise tries
// at which it is next, and others at which the queue holds it back, would wake each other for ever.
bool Locks::sleeps_now(const GateRequest& request) {
  const auto some = [&](bool (Verdict::*is)() const) {
    return std::any_of(request.claims.begin(), request.claims.end(), [&](const Claim& claim) { return (claim.verdict.*is)(); });
  };
  return some(&Verdict::sleeps) || (request.sleeps && some(&Verdict::is_turn));
}

Locks::Tried Locks::try_whole(GateRequest& request, bool heed_queue, double now_ms, Refusal& refusal, const Visit*& refused) {
  Tried result = Tried::kGranted;
  for (Claim& claim : request.claims) {
    const bool was_blocked = claim.blocked();
    const Tried tried = try_claim(claim, heed_queue, now_ms, refusal, refused);
    if (tried == Tried::kGranted) continue;
    if (tried == Tried::kRefused) {
      result = tried;
      break;
    }
    result = tried;
    if (claim.waiting) {
      claim.changed |= !was_blocked;
      continue;
    }
    count_conflict(claim);
    if (settings_.phasing) enqueue(claim, now_ms);
  }
  const bool slept = request.sleeps;
  request.sleeps = result == Tried::kBlocked && sleeps_now(request) && !mutated(Mutation::kSleeperKeepsPlaces);
  if (request.sleeps && !slept) {
    for (Claim& claim : request.claims) {
      if (claim.waiting) retry_waiters(*claim.record);
    }
  }
  if (result != Tried::kGranted) {
    for (Claim& claim : request.claims) {
      if (claim.granted) undo(claim);
    }
    return result;
  }
  for (Claim& claim : request.claims) {
    if (claim.waiting) {
      leave_queue(claim, now_ms);
      // Whoever would not pass it in the queue may go beside it as a holder.
      if (!claim.record->gate->waiters().empty()) retry_waiters(*claim.record);
    }
    if (request.ends_here) continue;
    for (Visit* visit : claim.visits) enter(*visit, now_ms);
  }
  request.ungranted = 0;
  return result;
}

Acquired Locks::acquire(GateRequest& request, double now_ms, Refusal& refusal, const Visit*& refused) {
  CLARET_CHECK(request.claims.empty());
  make_claims(request);
  counters_.totals.operations += request.visits.size();
  if (witness_) witness_->operations(request);
  if (request.whole) {
    switch (try_whole(request, true, now_ms, refusal, refused)) {
      case Tried::kGranted:
        return Acquired::kGranted;
      case Tried::kRefused:
        drop_claims(request, now_ms);
        return Acquired::kRefused;
      case Tried::kBlocked:
        return settings_.phasing ? Acquired::kWaiting : Acquired::kDenied;
    }
  }
  for (Claim& claim : request.claims) {
    switch (try_claim(claim, true, now_ms, refusal, refused)) {
      case Tried::kGranted:
        for (Visit* visit : claim.visits) enter(*visit, now_ms);
        --request.ungranted;
        break;
      case Tried::kRefused:
        drop_claims(request, now_ms);
        return Acquired::kRefused;
      case Tried::kBlocked:
        count_conflict(claim);
        if (!settings_.phasing) return Acquired::kDenied;
        enqueue(claim, now_ms);
    }
  }
  return request.ungranted == 0 ? Acquired::kGranted : Acquired::kWaiting;
}

bool Locks::reinstate(Party& party, double now_ms) {
  for (Visit& visit : party.visits) {
    visit.mode = settings_.rule.mode_of(visit);
    // Other operations of a member of an epoch have no result yet.
    visit.admitted = true;
    const bool has_run = party.epoch == 0 || visit.call.operation->reserves;
    if (has_run && !readmit(visit)) return false;
    if (!has_run) visit.type->reserve(*visit.record->state, visit.call, visit.result);
    enter(visit, now_ms);
  }
  return true;
}

Listed Locks::list(Party& party, double now_ms, Refusal& refusal, const Visit*& refused) {
  for (Visit& visit : party.visits) {
    const Verdict verdict = judge_listed(visit, rules(), refusal);
    if (verdict.passes()) {
      // What takes no reservation may still be counted in the state; it is taken off again with the others.
      if (!visit.call.operation->reserves) visit.type->reserve(*visit.record->state, visit.call, visit.result);
      visit.admitted = true;  // later operations of the party on the record are judged after it
      enter(visit, now_ms);
      continue;
    }
    if (verdict.sleeps()) warranty_keeper_->recall(*visit.record, visit.call, visit.executed ? &visit.result : nullptr, party.priority);
    unlist(party);
    refused = &visit;
    return verdict.kind == Verdict::Kind::kRefuse ? Listed::kRefused : Listed::kMissed;
  }
  return Listed::kHeld;
}

void Locks::unlist(Party& party) {
  for (Visit& visit : party.visits) {
    if (visit.held) {
      visit.record->gate->remove_holder(visit);
      if (witness_ && visit.record->hot != 0) witness_->left(*visit.record);
    }
    if (visit.admitted) withdraw(visit);
    if (visit.record->gate != nullptr) retry_waiters(*visit.record);
  }
}

void Locks::enter(Visit& visit, double now_ms) {
  gate_of(*visit.record).add_holder(visit, now_ms);
  if (witness_ && visit.record->hot != 0) witness_->entered(visit, settings_.rule);
}

void Locks::enqueue(Claim& claim, double now_ms) {
  if (conflict_listener_) conflict_listener_->waits(claim);
  claim.cause = cause_of_wait(claim, settings_.rule);
  if (claim.record->run() != nullptr) ++claim.party->runs_waited_for;
  gate_of(*claim.record).add_waiter(claim, now_ms);
  recall_violated(claim);
}

// Also if the claim waits for holders first: the warranties may have ended when it is its turn.
void Locks::recall_violated(const Claim& claim) {
  if (claim.record->gate == nullptr || claim.record->gate->warranties().empty()) return;
  for (const Visit* visit : claim.visits) {
    warranty_keeper_->recall(*claim.record, visit->call, visit->executed ? &visit->result : nullptr, claim.party->priority);
  }
}

void Locks::begin_quarantine(double until_ms) {
  settings_.rule.quarantined = true;
  settings_.rule.quarantined_until_ms = until_ms;
}

void Locks::end_quarantine(const std::vector<Record*>& gated) {
  settings_.rule.quarantined = false;
  for (Record* record : gated) retry_waiters(*record);
}

void Locks::leave_queue(Claim& claim, double now_ms) {
  claim.record->gate->remove_waiter(claim);
  const double waited_ms = now_ms - claim.waiting_since_ms;
  claim.party->waited_ms += waited_ms;
  ++claim.party->locks_waited_for;
  counters_.wait(claim.cause, waited_ms);
  if (witness_) witness_->waited(claim, waited_ms);
}

void Locks::drop_claims(GateRequest& request, double now_ms) {
  for (Claim& claim : request.claims) {
    if (claim.waiting) leave_queue(claim, now_ms);
    if (claim.granted) {
      undo(claim);
      if (witness_ && claim.record->hot != 0) witness_->left(*claim.record);
    }
    retry_waiters(*claim.record);
  }
  request.claims.clear();
}

void Locks::count_conflict(const Claim& claim) {
  const std::optional<Obstacle> first = first_obstacle(claim, settings_.rule);
  if (!first) return;
  const ConflictPair pair{first->label, claim.party->label, first->call->operation, claim.visits.front()->call.operation,
                          claim.record->type};
  counters_.conflicts.add(pair);
  if (witness_) witness_->conflict(pair, claim);
}

void Locks::retry_waiters(Record& record) {
  if (record.queued) return;
  record.queued = true;
  to_retry_.push_back(&record);
}

void Locks::stop_waiting(Party& party, double now_ms) {
  const std::vector<Claim*> claims = party.waiting;
  for (Claim* claim : claims) {
    leave_queue(*claim, now_ms);
    retry_waiters(*claim->record);  // now, not when the party lets go: it may leave in parts
  }
}

void Locks::hold_granted(Party& party, double now_ms) {
  for (Visit& visit : party.visits) {
    if (!visit.admitted || visit.held) continue;
    enter(visit, now_ms);
    retry_waiters(*visit.record);  // `advance` has stopped at this grant, since the party was to hold nothing
  }
}

void Locks::give_back_unheld(Party& party) {
  for (Visit& visit : party.visits) {
    if (visit.record == nullptr || visit.held) continue;
    if (visit.admitted) withdraw(visit);
    retry_waiters(*visit.record);
  }
}

void Locks::withdraw_requests(Party& party) {
  while (!party.waiting.empty()) {
    Claim& claim = *party.waiting.back();
    claim.record->gate->remove_waiter(claim);
    retry_waiters(*claim.record);
  }
  std::erase_if(brought_, [&](const Brought& brought) { return brought.request->party == &party; });
}

void Locks::release(Party& party) {
  withdraw_requests(party);
  for (Visit& visit : party.visits) {
    if (visit.record != nullptr) let_go(visit);
  }
}

void Locks::let_go(Visit& visit) {
  if (visit.held) {
    visit.record->gate->remove_holder(visit);
    if (witness_ && visit.record->hot != 0) witness_->left(*visit.record);
  }
  if (visit.admitted) withdraw(visit);
  records_.unpin(*visit.record, *visit.type);
  if (visit.record->gate != nullptr || visit.record->last_commit == 0) retry_waiters(*visit.record);
  visit.record = nullptr;
}

bool Locks::try_waiter(Claim& claim, bool heed_queue, double now_ms) {
  GateRequest& request = *claim.request;
  Brought brought{News::kGranted, &request, {}, nullptr};
  const Tried tried = request.whole ? try_whole(request, heed_queue, now_ms, brought.refusal, brought.refused)
                                    : try_claim(claim, heed_queue, now_ms, brought.refusal, brought.refused);
  if (tried == Tried::kBlocked) {
    const auto changed = [](const Claim& one) { return one.waiting && one.changed; };
    if (std::any_of(request.claims.begin(), request.claims.end(), changed)) moved(request);
    return false;
  }
  if (tried == Tried::kRefused) {
    brought.news = News::kRefused;
    for (Claim& other : request.claims) {
      if (other.waiting) leave_queue(other, now_ms);
    }
    brought_.push_back(std::move(brought));
    return true;
  }
  if (!request.whole) {
    for (Visit* visit : claim.visits) enter(*visit, now_ms);
    leave_queue(claim, now_ms);
    --request.ungranted;
  }
  if (request.ungranted != 0) {
    moved(request);
  } else {
    // A request that ends here holds nothing: it has to be finished before another claim is tried.
    if (request.ends_here) {
      if (witness_) witness_->passed(request, settings_.rule);
      brought_.push_front(std::move(brought));
    } else {
      brought_.push_back(std::move(brought));
    }
  }
  return true;
}

void Locks::advance(Record& record, double now_ms) {
  Gate* gate = record.gate.get();
  if (gate == nullptr || gate->waiters().empty()) return;
  // The next phase: if the oldest waiter can be granted, all waiters of its mode are let in with it, oldest first.
  Claim& oldest = *gate->waiters().front();
  const Mode mode = oldest.mode;
  bool ending = false;  // a claim was granted that ends next; its end causes this record to be tried again
  // Holders are only added while this runs. So if one waiter is blocked because of its mode, so are the others of that mode, except for
  // those that hold the record already. (An exclusive claim may consist of several modes.) What blocks a claim that passes those who have yet
  // to vote blocks all of its mode; the reverse does not hold.
  std::uint32_t blocked_modes = 0;
  std::uint32_t blocked_observing_modes = 0;
  const auto go = [&](Claim& claim, bool heed_queue) {
    const bool passes_soft = passes(asker_of(claim), Standing::kSoft);
    const std::uint32_t blocked = passes_soft ? blocked_observing_modes : blocked_modes;
    if ((blocked >> claim.mode & 1) != 0 && !gate->held_by_party_of(claim)) return false;
    const bool left = try_waiter(claim, heed_queue, now_ms);
    if (!left && claim.verdict.whole_mode && claim.mode != kExclusiveMode) {
      blocked_modes |= 1u << claim.mode;
      if (passes_soft) blocked_observing_modes |= 1u << claim.mode;
    }
    ending = left && claim.request->ends_here;
    return left;
  };
  std::size_t next = 0;
  if (go(oldest, false)) {
    if (!passes(asker_of(oldest), Standing::kQueue)) gate->begin_phase(now_ms);
    const bool was_refused = gate->holders().empty();
    if (witness_ && !ending && !was_refused && oldest.record->hot != 0) witness_->turn(oldest, settings_.rule);
    while (!ending && next < gate->waiters().size()) {
      Claim& claim = *gate->waiters()[next];
      if (claim.mode != mode || !go(claim, false)) ++next;
    }
  }
  // Then the other waiters, by the rule and the queue.
  next = 0;
  while (!ending && next < gate->waiters().size()) {
    if (!go(*gate->waiters()[next], true)) ++next;
  }
}

void Locks::settle(double now_ms) {
  for (;;) {
    while (brought_.empty() && !to_retry_.empty()) {
      Record& record = *to_retry_.front();
      to_retry_.pop_front();
      record.queued = false;
      if (record.gate != nullptr && !record.gate->natives().empty()) native_server_->serve(record);
      advance(record, now_ms);
      records_.tidy(record);
    }
    if (brought_.empty()) return;
    const Brought brought = std::move(brought_.front());
    brought_.pop_front();
    switch (brought.news) {
      case News::kGranted:
        brought.request->granted();
        break;
      case News::kRefused:
        brought.request->refused(brought.refusal, *brought.refused);
        break;
      case News::kMoved:
        brought.request->moved();
    }
  }
}

void Locks::change(const LockSettings& settings, const std::vector<Record*>& gated) {
  const LockRule before = settings_.rule;
  settings_ = settings;
  settings_.rule.quarantined = before.quarantined;
  settings_.rule.quarantined_until_ms = before.quarantined_until_ms;
  for (Record* record : gated) {
    record->gate->change_rule(settings_.rule);
    retry_waiters(*record);
  }
}

}  // namespace claret
