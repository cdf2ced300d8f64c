#include "transaction/chains.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "ground/check.h"
#include "ground/mutation.h"
#include "transaction/conditions.h"
#include "wire/limits.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

// Mistakes with which operations do not leave a run in order.
bool out_of_order() {
  return mutated(Mutation::kForeignOnRun) || mutated(Mutation::kBatchIgnoresMissing) || mutated(Mutation::kAbortedStillStoodUpon) ||
         mutated(Mutation::kStoodBackStillStoodUpon);
}

bool is_in_batch(const Chain& chain, const Visit& visit) {
  if (chain.batch == nullptr) return false;
  const auto& members = chain.batch->batch->members;
  return std::any_of(members.begin(), members.end(), [&](const auto& member) { return member.get() == visit.party; });
}

}  // namespace

Chain& Chains::chain_of(Coordinator& coordinator) {
  if (coordinator.chain == nullptr) {
    coordinator.chain = std::make_unique<Chain>();
    coordinator.chain->coordinator = &coordinator;
    coordinator.chain->owner = ++owners_;
    all_.push_back(coordinator.chain.get());
  }
  return *coordinator.chain;
}

std::size_t Chains::members() const {
  std::size_t members = 0;
  for (const Chain* chain : all_) {
    members += chain->entered.size() + chain->waiting.size();
    if (chain->batch != nullptr) members += chain->batch->batch->members.size();
  }
  return members;
}

// ---- coming ---------------------------------------------------------------------------------------------------------------

// Its client may have learnt only from another shard that the old chain is over: it is told what has become of it here.
void Chains::renew(Coordinator& coordinator, std::uint64_t number) {
  Chain& chain = chain_of(coordinator);
  if (number <= chain.number) return;
  if (chain.number != 0 && !mutated(Mutation::kOldChainKept))
    break_chain(chain, reasons::kNewerChain, chain_broken("a newer chain has begun"));
  chain.number = number;
  chain.broken = chain.wide = false;
  chain.last = chain.decided = chain.withdrawals = chain.answers = 0;
  chain.gone.clear();
}

void Chains::take(Coordinator& coordinator, MemberMessage& message, double arrived_ms) {
  Chain& chain = chain_of(coordinator);
  if (message.chain == 0) return;
  if (message.chain < chain.number) return replies_.refuse_late(coordinator, message);
  renew(coordinator, message.chain);
  if (chain.broken) return;
  if (message.n <= chain.last) {
    return break_chain(chain, reasons::kOutOfOrder, chain_broken("members come in the order of their numbers"));
  }
  if (chain.entered.size() + chain.waiting.size() >= limits::kMembersPerChainMax) {
    return break_chain(chain, reasons::kOverloaded, claret::refuse(errors::kOverloaded, "the chain has too many undecided members", true));
  }
  chain.last = message.n;
  const bool is_gone = std::erase(chain.gone, message.n) != 0;
  std::erase_if(chain.gone, [&](std::uint64_t n) { return n < message.n; });  // these will not come here
  if (is_gone) return;
  std::optional<Error> error;
  std::unique_ptr<Member> member = keeper_.begin_member(coordinator, message, arrived_ms, error);
  member->chain = &chain;
  member->n = message.n;
  member->ends = message.ends;
  member->turn = message.turn;
  member->timed = message.timed;
  chain.wide |= message.turn != 0;
  member->came_ms = shard_.clock.now_ms();
  if (error) return refuse(std::move(member), *error, 0);
  if (const Visit* visit = drained(*member)) {
    return refuse(std::move(member), member_denied(*visit, "the record is to move to another shard"), 0);
  }
  const bool queues = (!chain.waiting.empty() && !mutated(Mutation::kOvertakesInChain)) || must_yield(chain, turns_.size());
  if (queues || try_enter(member) == Tried::kWaits) wait(chain, std::move(member));
}

void Chains::wait(Chain& chain, std::unique_ptr<Member> member) {
  count_turn_conflict(*member);
  if (member->turn != 0) stirred = true;  // it may be one of an earlier turn than those that it waits for
  const bool is_first = chain.waiting.empty();
  chain.waiting.push_back(std::move(member));
  if (is_first) queue(chain);
}

// Behind those whose first members came before its own.
void Chains::queue(Chain& chain) {
  const auto place = std::upper_bound(turns_.begin(), turns_.end(), &chain, [](const Chain* a, const Chain* b) {
    return a->waiting.front()->came_ms < b->waiting.front()->came_ms;
  });
  turns_.insert(place, &chain);
}

// `ahead`: how many chains of the queue stand before it. One that waits only until its own run is shorter wants no turn.
bool Chains::must_yield(const Chain& chain, std::size_t ahead) const {
  if (chain.entered.empty() && chain.batch == nullptr) return false;
  const double before_ms = shard_.clock.now_ms() - patience_of(shard_.locks).turn_ms;
  return std::any_of(turns_.begin(), turns_.begin() + static_cast<std::ptrdiff_t>(ahead), [&](const Chain* other) {
    if (other == &chain || other->waiting.empty() || other->waiting.front()->came_ms > before_ms) return false;
    const Visit* wants = nullptr;
    return other_chain(*other->waiting.front(), wants) != nullptr;
  });
}

bool Chains::settle() {
  if (!std::exchange(stirred, false)) return false;
  if (!mutated(Mutation::kLaterTurnStays)) displace();
  bool any = false;
  for (std::size_t i = 0; i < turns_.size();) {
    Chain& chain = *turns_[i];
    bool left = false;
    while (!chain.waiting.empty() && !must_yield(chain, i)) {
      std::unique_ptr<Member> member = std::move(chain.waiting.front());
      if (try_enter(member) == Tried::kWaits) {
        chain.waiting.front() = std::move(member);
        break;
      }
      chain.waiting.pop_front();
      any = left = true;
    }
    if (!left && !chain.waiting.empty()) {
      ++i;
      continue;
    }
    turns_.erase(turns_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!chain.waiting.empty()) queue(chain);
  }
  return any;
}

// ---- leaving --------------------------------------------------------------------------------------------------------------

void Chains::refuse(std::unique_ptr<Member> member, const Error& error, std::uint64_t needs) {
  tell_abort(*member, error.code, error.code == errors::kDenied ? std::string_view() : error.cause);
  replies_.refuse(*member, error, needs);
  release(*member);
}

void Chains::tell_abort(const Attempt& member, std::string_view code, std::string_view cause) const {
  shard_.counters.abort(code);
  // A member without a serial number was refused before it began.
  if (witness_ && member.serial != 0) witness_->aborted(member, code, cause, shard_.locks.rule(), shard_.journal.position());
}

void Chains::release(Attempt& member) {
  if (member.traced && witness_) witness_->forgotten(member);
  shard_.locks.release(member);
  stirred = true;
}

void Chains::end_run(Record& record) {
  record.gate->end_run();
  shard_.effects.note_presence(record);
  if (witness_ && record.hot != 0) witness_->left(record);
  shard_.locks.retry_waiters(record);
  stirred = true;
}

Value Chains::leave_run(Visit& visit) {
  Record& record = *visit.record;
  Run* run = record.run();
  Value kept;
  if (out_of_order()) {
    if (run == nullptr) return kept;
    std::erase_if(run->entries, [&](const Run::Entry& entry) { return entry.visit == &visit; });
  } else {
    CLARET_CHECK(run->entries.front().visit == &visit);
    kept = std::move(run->entries.front().kept);
    run->entries.pop_front();
  }
  if (run->entries.empty()) end_run(record);
  return kept;
}

void Chains::commit(Chain& chain) {
  std::unique_ptr<Member> member = std::move(chain.entered.front());
  chain.entered.pop_front();
  const Timestamp at = shard_.clock.next();
  const bool logs =
      shard_.journal.on() && !mutated(Mutation::kLoggedAtEntry) && std::any_of(member->visits.begin(), member->visits.end(), changes);
  std::uint64_t needs = logs ? shard_.log.commit(*member, at) : 0;
  const std::uint64_t position = needs;
  keeper_.member_committed(*member, at, position);
  for (Visit& visit : member->visits) {
    Value kept = leave_run(visit);
    if (changes(visit)) shard_.effects.book(visit, at, position, std::move(kept));
    needs = std::max(needs, visit.record->last_position);
  }
  chain.decided = member->n;
  replies_.committed(*member, at, needs);
  release(*member);
}

void Chains::advance(Chain& chain) {
  while (chain.batch == nullptr && !chain.entered.empty() && chain.entered.front()->ends) {
    if (may_commit(*chain.entered.front())) {
      commit(chain);
    } else {
      const Error error = too_late(*chain.entered.front());
      take_out(chain, 0, &error);
    }
  }
}

bool Chains::stands(const Member& member, std::uint64_t n, std::uint64_t answers) const {
  const bool is_stale = member.answer > answers && !mutated(Mutation::kStaleAnswerCounts);
  return member.n == n && !member.ends && !is_stale && may_commit(member);
}

bool Chains::names_first(const Chain& chain, const WordMessage& message) const {
  if (chain.batch != nullptr) return false;
  auto next = chain.entered.begin();
  const auto passes = [&](const Member& member, std::uint64_t n) {
    return member.n < n && ((member.ends && may_commit(member)) || mutated(Mutation::kWordSkipsUndecided));
  };
  for (const std::uint64_t n : message.members) {
    while (next != chain.entered.end() && passes(**next, n)) ++next;
    if (next == chain.entered.end()) return false;
    if (!stands(**next++, n, message.answers)) return false;
  }
  return true;
}

void Chains::word(Coordinator& coordinator, const WordMessage& message) {
  Chain* chain = coordinator.chain.get();
  if (chain == nullptr || message.chain != chain->number) return;
  if (chain->broken) return;
  if (!names_first(*chain, message)) {
    const Error error = chain_broken("a word does not name the chain's first undecided members as they are");
    return break_chain(*chain, reasons::kWordRefused, error);
  }
  if (!message.members.empty()) patience_.learn(shard_.clock.now_ms() - chain->entered.front()->entered_ms);
  for (const std::uint64_t n : message.members) {
    while (chain->decided < n) commit(*chain);
  }
  replies_.tell_committed(*chain);
  advance(*chain);
}

// ---- breaking ---------------------------------------------------------------------------------------------------------------

void Chains::undo(const Chain& chain, Visit& visit) {
  Record& record = *visit.record;
  if (out_of_order() && record.run() == nullptr) return;
  Run& run = *record.run();
  auto newest = std::prev(run.entries.end());
  if (mutated(Mutation::kUndoForwards)) {
    const auto is_undone = [&](const Run::Entry& entry) { return !is_in_batch(chain, *entry.visit); };
    newest = std::find_if(run.entries.begin(), run.entries.end(), is_undone);
  }
  if (out_of_order()) {
    newest = std::find_if(run.entries.begin(), run.entries.end(), [&](const Run::Entry& entry) { return entry.visit == &visit; });
    if (newest == run.entries.end()) return;
  }
  CLARET_CHECK(newest->visit == &visit || mutated(Mutation::kUndoForwards));
  if (changes(*newest->visit)) shard_.effects.undo(*newest->visit, newest->kept);
  run.entries.erase(newest);
  if (run.entries.empty()) end_run(record);
}

void Chains::undo_all(Chain& chain, std::string_view reason) {
  for (auto member = chain.entered.rbegin(); member != chain.entered.rend(); ++member) {
    for (auto visit = (*member)->visits.rbegin(); visit != (*member)->visits.rend(); ++visit) undo(chain, *visit);
  }
  if (!chain.entered.empty()) shard_.boards.taken_out(chain, chain.entered.front()->n);
  for (auto* members : {&chain.entered, &chain.waiting}) {
    for (const auto& member : *members) {
      tell_abort(*member, errors::kChainBroken, reason);
      release(*member);
    }
    members->clear();
  }
  std::erase(turns_, &chain);
}

void Chains::count_break(std::string_view reason) {
  ++shard_.counters.totals.chains_broken;
  ++shard_.counters.totals.breaks[reason];
}

void Chains::break_chain(Chain& chain, std::string_view reason, const Error& error) {
  if (chain.broken) return;
  undo_all(chain, reason);
  if (!mutated(Mutation::kBrokenStillCommits)) chain.broken = true;
  count_break(reason);
  replies_.broken(chain, reason, error);
}

void Chains::break_all(const Error& error) {
  for (Chain* chain : all_) {
    if (chain->number != 0) break_chain(*chain, error.code, error);
  }
}

bool Chains::change(const Change& change) {
  switch (change.kind) {
    case ChangeKind::kSlots:
      if (change.step == ChangeStep::kAnnounced) leave(change.slots);
      break;
    case ChangeKind::kType:
      // It would be replayed by another version.
      if (change.step == ChangeStep::kMaking && change.replaces) break_all(condition_changed());
      break;
    case ChangeKind::kConditions:
      if (change.step == ChangeStep::kMaking && *change.before != *change.after) break_all(condition_changed());
      break;
    case ChangeKind::kQuarantine:
      break;
  }
  return true;
}

void Chains::trouble(LogTrouble why) {
  if (why != LogTrouble::kNone && !shard_.clock.refuses_changes()) break_all(changes_refused(why));
}

void Chains::leave(const SlotRun& slots) {
  const auto uses = [&](const auto& member) {
    const auto& visits = member->visits;
    return std::any_of(visits.begin(), visits.end(), [&](const Visit& visit) { return slots.contains(visit.record->slot); });
  };
  for (Chain* chain : all_) {
    if (!std::any_of(chain->entered.begin(), chain->entered.end(), uses) &&
        !std::any_of(chain->waiting.begin(), chain->waiting.end(), uses)) {
      continue;
    }
    break_chain(*chain, reasons::kSlotsMoved, chain_broken("a record of the chain is to move to another shard"));
  }
}

void Chains::lose(Coordinator& coordinator) {
  if (coordinator.chain == nullptr) return;
  const Chain& chain = *coordinator.chain;
  if (!chain.broken && (!chain.entered.empty() || !chain.waiting.empty())) count_break(reasons::kSessionLost);
  undo_all(*coordinator.chain, reasons::kSessionLost);
  if (Attempt* batch = coordinator.chain->batch) {
    if (mutated(Mutation::kLossUndoesVoted)) {
      batch->end_with({.code = errors::kSessionLost, .message = "the session is lost"});
    } else {
      keeper_.put_in_doubt(*batch, reasons::kSessionLost);
    }
  }
  std::erase(all_, coordinator.chain.get());
  shard_.boards.forget(*coordinator.chain);
  coordinator.chain.reset();
}

// ---- time -------------------------------------------------------------------------------------------------------------------

// Has anybody waited for the chain since then, or longer?
bool Chains::keeps_waiting(const Chain& chain, double since_ms) const {
  bool any = false;
  const auto look = [&](const Visit& visit) { any = any || visit.record->gate->waited_for_since_ms() <= since_ms; };
  for (const auto& member : chain.entered) for_each_visit(*member, look);
  if (chain.batch != nullptr) for_each_visit(*chain.batch, look);
  if (any) return true;
  return std::any_of(turns_.begin(), turns_.end(), [&](const Chain* other) {
    if (other == &chain || other->waiting.front()->came_ms > since_ms) return false;
    const auto& visits = other->waiting.front()->visits;
    return std::any_of(visits.begin(), visits.end(), [&](const Visit& visit) {
      const Run* run = visit.record->run();
      return run != nullptr && run->owner == chain.owner;
    });
  });
}

// Members that nobody will conclude: those that wait, or end by themselves.
void Chains::expire(Chain& chain) {
  for (std::size_t i = chain.entered.size(); i > 0; --i) {
    if (i > chain.entered.size()) continue;  // others left with it
    const Member& member = *chain.entered[i - 1];
    if (!member.ends || may_commit(member)) continue;
    const Error error = too_late(member);
    take_out(chain, i - 1, &error);
  }
  if (std::all_of(chain.waiting.begin(), chain.waiting.end(), [&](const auto& member) { return may_commit(*member); })) return;
  std::erase(turns_, &chain);
  for (std::unique_ptr<Member>& member : std::exchange(chain.waiting, {})) {
    if (may_commit(*member)) {
      chain.waiting.push_back(std::move(member));
    } else {
      const Error error = too_late(*member);
      refuse(std::move(member), error, 0);
    }
  }
  if (!chain.waiting.empty()) queue(chain);
}

void Chains::due() {
  looked_ms_ = shard_.clock.now_ms();
  const double since_ms = looked_ms_ - patience_.ms();
  for (Chain* chain : all_) {
    expire(*chain);
    if (chain->batch != nullptr && chain->batch->begun_ms <= since_ms && keeps_waiting(*chain, since_ms)) {
      patience_.learn(looked_ms_ - chain->batch->begun_ms);
      keeper_.put_in_doubt(*chain->batch, reasons::kKeptWaiting);
      continue;
    }
    if (chain->entered.empty() || chain->entered.front()->entered_ms > since_ms || !keeps_waiting(*chain, since_ms)) continue;
    patience_.learn(looked_ms_ - chain->entered.front()->entered_ms);
    break_chain(*chain, reasons::kKeptWaiting, chain_broken("the chain has kept others waiting for too long"));
  }
}

double Chains::next_due_ms() const {
  double due_ms = std::numeric_limits<double>::infinity();
  for (const Chain* chain : all_) {
    if (!chain->entered.empty()) due_ms = std::min(due_ms, chain->entered.front()->entered_ms + patience_.ms());
    if (chain->batch != nullptr) due_ms = std::min(due_ms, chain->batch->begun_ms + patience_.ms());
  }
  return std::max(due_ms, looked_ms_ + patience_of(shard_.locks).look_again_ms);
}

}  // namespace claret
