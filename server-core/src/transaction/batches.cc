// Chains, continued: batches.
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <utility>

#include "ground/check.h"
#include "ground/mutation.h"
#include "transaction/chains.h"
#include "wire/limits.h"

namespace claret {

namespace {

// Nothing is left in a state, nor was taken from under a batch, because of a mistake.
bool are_undone_in_order() {
  return !mutated(Mutation::kNoUndo) && !mutated(Mutation::kUndoForwards) && !mutated(Mutation::kStoodBackStillStoodUpon) &&
         !mutated(Mutation::kBatchIgnoresMissing);
}

}  // namespace

// Of the members that end by themselves, none is the first undecided one: it would have committed.
std::optional<Error> Chains::check_batch(Coordinator& coordinator, const BatchMessage& message, bool& changes_something) {
  renew(coordinator, message.chain);
  const Chain& chain = *coordinator.chain;
  if (message.chain != chain.number || chain.broken) return chain_broken("the batch's chain is over");
  if (chain.batch != nullptr) return chain_broken("another batch of the session is undecided");
  if (message.members.empty() || message.members.size() > chain.entered.size()) {
    return chain_broken("a batch does not name members that have been executed");
  }
  if (message.first > message.members.front() || message.last < message.members.back() ||
      message.last - message.first > limits::kMembersPerChainMax) {
    return chain_broken("a batch names members that are not between its first and its last");
  }
  std::size_t operations = 0;
  for (std::size_t i = 0; i < message.members.size(); ++i) {
    const std::uint64_t n = message.members[i];
    const auto is_named = [&](const auto& member) { return member->n == n; };
    const bool is_there = mutated(Mutation::kBatchIgnoresMissing) && std::any_of(chain.entered.begin(), chain.entered.end(), is_named);
    if (!stands(*chain.entered[i], n, message.answers) && !is_there) {
      return chain_broken("a batch does not name the chain's first undecided members as they are");
    }
    const auto& visits = chain.entered[i]->visits;
    operations += visits.size();
    changes_something |= std::any_of(visits.begin(), visits.end(), changes);
  }
  if (operations <= limits::kOperationsPerBatchMax) return std::nullopt;
  return claret::refuse(errors::kTooManyOperations,
                        "a batch has at most " + std::to_string(limits::kOperationsPerBatchMax) + " operations at a shard", true);
}

void Chains::refuse_batch(Coordinator& coordinator, const BatchMessage& message, const Error& error) {
  Chain* chain = coordinator.chain.get();
  if (chain == nullptr || message.chain != chain->number || chain->number == 0) return;
  // What is wrong with the batch is not wrong with the rest of its chain, which may go on elsewhere.
  break_chain(*chain, reasons::kBatchRefused, chain_broken("a batch of the chain was refused: " + error.message));
}

void Chains::form_batch(Attempt& attempt, const BatchMessage& message) {
  Chain& chain = *attempt.coordinator->chain;
  patience_.learn(shard_.clock.now_ms() - chain.entered.front()->entered_ms);
  chain.batch = &attempt;
  attempt.batch = std::make_unique<Batch>();
  Batch& batch = *attempt.batch;
  batch.chain = &chain;
  batch.number = chain.number;
  batch.first = message.members.front();
  batch.last = message.members.back();
  batch.ticks = message.last - message.first;
  for (const std::uint64_t n : message.members) {
    const auto found = std::find_if(chain.entered.begin(), chain.entered.end(), [&](const auto& member) { return member->n == n; });
    const auto& visits = (*found)->visits;
    const auto logged = std::count_if(visits.begin(), visits.end(), [](const Visit& visit) { return !visit.intent; });
    batch.parts.push_back({(*found)->id, n - message.first, static_cast<std::uint32_t>(logged), (*found)->label});
    if ((*found)->traced && witness_) witness_->batched(**found, message.members.size());
    batch.members.push_back(std::move(*found));
    chain.entered.erase(found);
  }
  ++shard_.counters.totals.batches;
  shard_.counters.totals.batch_members += batch.members.size();
}

void Chains::commit_batch(Attempt& attempt, Timestamp at, std::uint64_t position) {
  Batch& batch = *attempt.batch;
  if (batch.chain == nullptr) return;
  Chain& chain = *batch.chain;
  patience_.learn(shard_.clock.now_ms() - attempt.begun_ms);
  absl::flat_hash_set<const Record*> changed;  // looked up, never iterated
  for (std::size_t i = 0; i < batch.members.size(); ++i) {
    const Timestamp committed_at = HybridClock::after(at, batch.parts[i].ticks);
    for (Visit& visit : batch.members[i]->visits) {
      Value kept = leave_run(visit);
      if (changes(visit)) shard_.effects.book(visit, committed_at, position, changed.insert(visit.record).second, std::move(kept));
    }
    release(*batch.members[i]);
  }
  chain.batch = nullptr;
  batch.chain = nullptr;
  if (chain.number == batch.number) chain.decided = batch.last;
  advance(chain);
}

void Chains::undo_batch(Attempt& attempt, std::string_view reason) {
  Batch& batch = *attempt.batch;
  Chain& chain = *batch.chain;
  if (!reason.empty()) break_chain(chain, reason, chain_broken("what the chain's members were executed on is undone"));
  shard_.boards.taken_out(chain, batch.first);
  chain.batch = nullptr;
  batch.chain = nullptr;
  for (auto member = batch.members.rbegin(); member != batch.members.rend(); ++member) {
    for (auto visit = (*member)->visits.rbegin(); visit != (*member)->visits.rend(); ++visit) undo(chain, *visit);
  }
}

void Chains::abort_batch(Attempt& attempt) {
  Batch& batch = *attempt.batch;
  if (batch.chain == nullptr) return;
  undo_batch(attempt, mutated(Mutation::kAbortedStillStoodUpon) ? std::string_view() : reasons::kBatchAborted);
  for (const auto& member : batch.members) release(*member);
}

// What it locks is what it did, and nobody else has been there since: so nobody holds the records, and what was reserved then, one operation
// after the other, can be reserved again.
void Chains::stand_back(Attempt& attempt, std::string_view reason) {
  Batch& batch = *attempt.batch;
  if (batch.chain == nullptr) return;
  ++shard_.counters.totals.stood_back;
  ++shard_.counters.totals.stand_backs[reason];
  undo_batch(attempt, mutated(Mutation::kStoodBackStillStoodUpon) ? std::string_view() : reasons::kStoodBack);
  std::uint32_t number = 0;
  for (const auto& member : batch.members) {
    ++number;
    if (member->traced && witness_) witness_->stood_back(*member, reason);
    for (Visit& visit : member->visits) {
      if (visit.intent) continue;
      Visit& own = attempt.visit(*visit.record);
      visit.record = nullptr;  // the other one pins it now
      own.type = visit.type;
      own.call = std::move(visit.call);
      own.result = std::move(visit.result);
      own.exclusive = visit.exclusive;
      own.request_number = number;
      own.executed = true;
    }
    shard_.locks.release(*member);  // it has not ended: its trace goes on
  }
  stirred = true;
  const bool reinstated = shard_.locks.reinstate(attempt, shard_.clock.now_ms());
  CLARET_CHECK(reinstated || !are_undone_in_order());
}

}  // namespace claret
