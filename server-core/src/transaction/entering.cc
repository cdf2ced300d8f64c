// Chains, continued: how members enter.
#include <algorithm>
#include <limits>
#include <utility>

#include "gate/agree.h"
#include "gate/obstacles.h"
#include "gate/record_operations.h"
#include "ground/check.h"
#include "ground/mutation.h"
#include "transaction/chains.h"
#include "wire/limits.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

// The run has no room for all that the member does.
bool fills_run(const Member& member, const Visit& visit) {
  const Run* run = visit.record->run();
  return run != nullptr && visit.previous == nullptr && run->entries.size() + member.visits.size() > limits::kEntriesPerRunMax;
}

}  // namespace

// Also what the committed state would let stand: otherwise nothing would ever end it.
void Chains::recall_violated(const Member& member, const Record& record) const {
  absl::InlinedVector<Warranty*, 8> violated;
  for (Warranty* warranty : record.gate->warranties()) {
    const auto violates_it = [&](const Visit& visit) { return violates_by_mode(visit, *warranty, shard_.locks.rule()); };
    if (std::any_of(member.visits.begin(), member.visits.end(), violates_it)) violated.push_back(warranty);
  }
  for (Warranty* warranty : violated) shard_.warranties.recall_violated(*warranty, member.priority);
}

Error Chains::denied(const Member& member, const Visit& visit, Why why) const {
  switch (why) {
    case Why::kQuarantine: {
      Error error = member_denied(visit, std::string(kQuarantined));
      error.cause = causes::kWarrantyWait;
      return error;
    }
    case Why::kNever:
      return member_denied(visit, "a chain does not delete records");
    case Why::kWarranty: {
      recall_violated(member, *visit.record);
      Error error = member_denied(visit, "a warranty stands that the transaction would violate");
      error.cause = causes::kWarrantyWait;
      return error;
    }
    case Why::kQueue:
      return member_denied(visit, "others have waited for the record for long enough");
    case Why::kHolder: {
      const Visit& holder = *visit.record->gate->holders().front();
      Error error = member_denied(visit, "a transaction holds a lock on the record");
      error.blocking_operation = operation_name(*holder.type, holder.call);
      error.blocking_label = shard_.counters.label(holder.party->label);
      return error;
    }
    case Why::kNothing:
    case Why::kRun:  // it waits for its turn
    case Why::kDrain:
    case Why::kNative:
    case Why::kSum:
      break;
  }
  CLARET_CHECK(false);
  return {};
}

Verdict Chains::judge(const Member& member, Error& error) const {
  Verdict verdict;
  for (const Visit& visit : member.visits) {
    const Verdict here = judge_ride(visit, member.chain->owner, shard_.locks.rules(), shard_.clock.now_ms());
    if (here.passes() && !fills_run(member, visit)) continue;
    verdict = here.passes() ? verdicts::wait(Why::kRun) : here;
    if (verdict.why == Why::kRun) continue;
    error = denied(member, visit, verdict.why);
    return verdict;
  }
  return verdict;
}

const Visit* Chains::drained(const Attempt& member) const {
  const Drain& drain = shard_.locks.drain();
  if (!drain.on || passes(Asker::kRide, Standing::kDrain)) return nullptr;
  const auto found =
      std::find_if(member.visits.begin(), member.visits.end(), [&](const Visit& visit) { return drain.covers(*visit.record); });
  return found == member.visits.end() ? nullptr : &*found;
}

Chain* Chains::sent_later(const Chain& chain, Timestamp turn) const {
  for (const Visit& visit : chain.waiting.front()->visits) {
    const Run* run = visit.record->run();
    if (run == nullptr || run->owner == chain.owner) continue;
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Chain* other) { return other->owner == run->owner; });
    const auto& entered = (*found)->entered;
    if (std::any_of(entered.begin(), entered.end(), [&](const auto& member) { return member->turn > turn; })) return *found;
  }
  return nullptr;
}

// With turns that are granted to one session at a time it never happens: see Sequencer. Of two sessions that have met in different orders at
// two shards, one has to give way.
void Chains::displace() {
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    const Chain& chain = *turns_[i];
    if (!chain.wide) continue;
    const auto wide = std::find_if(chain.waiting.begin(), chain.waiting.end(), [](const auto& member) { return member->turn != 0; });
    Chain* later = wide == chain.waiting.end() ? nullptr : sent_later(chain, (*wide)->turn);
    if (later == nullptr) continue;
    break_chain(*later, reasons::kDisplaced, chain_broken("a member that was sent in an earlier turn waits for the chain"));
    i = std::numeric_limits<std::size_t>::max();  // the queue has changed: from the beginning
  }
}

// The first of the queue has waited for long, and for a record of the member too: otherwise others could take turns at its records for ever.
bool Chains::overtakes_first(const Member& member) const {
  if (turns_.empty() || turns_.front() == member.chain) return false;
  const Member& first = *turns_.front()->waiting.front();
  if (first.came_ms > shard_.clock.now_ms() - patience_of(shard_.locks).turn_ms) return false;
  const auto wants = [&](const Visit& visit) {
    return std::any_of(first.visits.begin(), first.visits.end(), [&](const Visit& one) { return one.record == visit.record; });
  };
  const auto waits_for_others = [&](const Visit& visit) {
    const Run* run = visit.record->run();
    return run != nullptr && run->owner != first.chain->owner;
  };
  return std::any_of(member.visits.begin(), member.visits.end(), wants) &&
         std::any_of(first.visits.begin(), first.visits.end(), waits_for_others);
}

// Its time is not over, and nobody was told that it has no effect (an inquiry).
bool Chains::may_commit(const Member& member) const {
  return member.expires_at_ms > shard_.clock.now_ms() && shard_.outcomes.known().find(member.id) == nullptr;
}

Error Chains::too_late(const Member& member) const {
  if (member.expires_at_ms > shard_.clock.now_ms()) return claret::refuse(errors::kInvalidAttempt, "this attempt has already ended", true);
  return {.code = errors::kExpired, .message = "the attempt has expired", .retryable = true, .cause = causes::kTimeout};
}

const Visit* Chains::execute(std::span<Visit* const> visits, Refusal& refusal) {
  const Visit* refused = nullptr;
  for (Visit* visit : visits) {
    visit->mode = shard_.locks.rule().mode_of(*visit);
    if (admit(*visit, shard_.locks.rule(), shard_.context, refusal).passes()) continue;
    refused = visit;
    break;
  }
  for (Visit* visit : visits) {
    if (visit->admitted) claret::withdraw(*visit);
  }
  return refused;
}

Chains::Tried Chains::try_enter(std::unique_ptr<Member>& member) {
  if (!may_commit(*member)) {
    const Error error = too_late(*member);
    refuse(std::move(member), error, 0);
    return Tried::kLeft;
  }
  Error error;
  const Verdict verdict = judge(*member, error);
  if (!verdict.passes() && verdict.why != Why::kRun) {
    refuse(std::move(member), error, 0);
    return Tried::kLeft;
  }
  if (!verdict.passes() || overtakes_first(*member)) return Tried::kWaits;
  absl::InlinedVector<Visit*, 16> visits;
  for (Visit& visit : member->visits) visits.push_back(&visit);
  Refusal refusal;
  if (const Visit* refused = execute(visits, refusal)) {
    if (refused->record->run() != nullptr && !mutated(Mutation::kRefusalAboveUndecided)) {
      error = member_denied(*refused, "the operation is refused in a state that is undecided");
    } else {
      error = {.code = refusal.code, .message = refusal.message};
      error.key = refused->record->key;
      error.operation = operation_name(*refused->type, refused->call);
    }
    refuse(std::move(member), error, refused->record->last_position);
    return Tried::kLeft;
  }
  enter(std::move(member));
  return Tried::kLeft;
}

void Chains::enter(std::unique_ptr<Member> entering) {
  Member& member = *entering;
  Chain& chain = *member.chain;
  member.stage = Stage::kEntered;
  member.entered_ms = shard_.clock.now_ms();
  const double waited_ms = member.entered_ms - member.came_ms;
  if (waited_ms > 0) {
    member.waited_ms = waited_ms;
    member.locks_waited_for = 1;
    shard_.counters.wait(waits::kTurn, waited_ms);
  }
  for (Visit& visit : member.visits) {
    Record& record = *visit.record;
    if (record.gate == nullptr) record.gate = std::make_unique<Gate>();
    Run& run = record.gate->run_of(chain.owner);
    if (!run.entries.empty() && visit.previous == nullptr) {
      member.above = true;
      shard_.boards.met(record, visit.call);
    } else if (record.board != 0) {
      shard_.boards.observed(record, visit.call);
    }
    Value kept;
    if (changes(visit)) kept = shard_.effects.effect(visit);
    run.entries.push_back({&visit, std::move(kept)});
  }
  if (mutated(Mutation::kLoggedAtEntry) && shard_.journal.on() && std::any_of(member.visits.begin(), member.visits.end(), changes)) {
    shard_.log.commit(member, shard_.clock.next());
  }
  shard_.counters.totals.operations += member.visits.size();
  if (witness_) witness_->ran(member, waited_ms);
  if (member.turn != 0 && !turns_.empty()) stirred = true;  // one of an earlier turn may wait for its chain
  chain.entered.push_back(std::move(entering));
  if (member.ends) {
    advance(chain);
  } else {
    replies_.answer(member);
  }
}

const Visit* Chains::other_chain(const Member& member, const Visit*& wants) {
  for (const Visit& visit : member.visits) {
    const Run* run = visit.record->run();
    if (run == nullptr || visit.previous != nullptr || run->owner == member.chain->owner) continue;
    wants = &visit;
    return run->entries.back().visit;
  }
  return nullptr;
}

void Chains::count_turn_conflict(Member& member) const {
  const Visit* visit = nullptr;
  const Visit* last = other_chain(member, visit);
  if (last == nullptr) return;
  member.awaits = visit->record;
  const ConflictPair pair{last->party->label, member.label, last->call.operation, visit->call.operation, visit->type};
  shard_.counters.conflicts.add(pair);
  if (witness_) witness_->member_conflict(pair, *visit->record);
  shard_.boards.met(*visit->record, visit->call);
}

std::vector<TurnWait> Chains::turn_waits(std::size_t most) const {
  std::vector<TurnWait> waits;
  for (const Chain* chain : turns_) {
    for (const auto& member : chain->waiting) {
      if (waits.size() == most) return waits;
      const Visit* visit = nullptr;
      if (const Visit* blocker = other_chain(*member, visit)) waits.push_back({member.get(), visit, blocker});
    }
  }
  return waits;
}

}  // namespace claret
