// Chains, continued: how members are taken out, and what becomes of those that were executed on top of them.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "ground/mutation.h"
#include "transaction/chains.h"
#include "wire/limits.h"

namespace claret {

void Chains::withdraw(Coordinator& coordinator, const WithdrawnMessage& message) {
  Chain* chain = coordinator.chain.get();
  if (chain == nullptr || message.chain > chain->number) {
    // None of the new chain's members has come yet.
    renew(coordinator, message.chain);
    chain = coordinator.chain.get();
  }
  if (message.chain < chain->number || chain->broken) return;
  chain->withdrawals = message.count;
  if (message.n > chain->last) {
    if (chain->gone.size() == limits::kMembersPerChainMax) {
      const Error error = claret::refuse(errors::kOverloaded, "too many members were withdrawn before they came", true);
      return break_chain(*chain, reasons::kOverloaded, error);
    }
    chain->gone.push_back(message.n);
    return;
  }
  const auto is_it = [&](const auto& member) { return member->n == message.n; };
  if (const auto found = std::find_if(chain->waiting.begin(), chain->waiting.end(), is_it); found != chain->waiting.end()) {
    tell_abort(**found, aborts::kWithdrawn, {});
    release(**found);
    const bool was_first = found == chain->waiting.begin();
    chain->waiting.erase(found);
    if (!was_first) return;
    std::erase(turns_, chain);
    if (!chain->waiting.empty()) queue(*chain);  // its place is that of the next one now
    return;
  }
  if (const auto found = std::find_if(chain->entered.begin(), chain->entered.end(), is_it); found != chain->entered.end()) {
    take_out(*chain, static_cast<std::size_t>(found - chain->entered.begin()));
    advance(*chain);
    return;
  }
  // It was refused, which the client did not know yet. It may wait for answers that count this withdrawal. Those that it has stand.
  for (const auto& member : chain->entered) {
    if (member->n > message.n && !member->ends) replies_.tell(*member);
  }
}

// Takes a member out of the runs of its records, and executes again what stands on its changes. What is refused then is taken out with it.
//
// All members above are gone through once, in the order of their chain, on whatever records they are to be executed again: one that is
// refused may add records, but none of it or below it. So however many are refused, each operation is executed again at most once.
class Chains::Removal {
 public:
  // An operation that was refused when it was executed again.
  struct Refused {
    const Member* member;
    const Visit* visit;
  };

  Removal(Chains& chains, Member& gone) : chains_(chains) {
    leave(gone);
    while (!due_.empty()) execute_next();
    for (Record* record : observed_) {
      std::erase_if(record->run()->entries, [](const Run::Entry& entry) { return static_cast<Member&>(*entry.visit->party).leaves; });
      end_if_over(*record);
    }
    for (const Rebuilt& one : rebuilt_) end_if_over(*one.record);
  }

  // Both in the order of the chain.
  const std::vector<Member*>& again() const { return again_; }  // those that may have other results
  const std::vector<Refused>& refused() const { return refused_; }

 private:
  // A record from which a change was taken out. What stood on it was undone, and is executed again in order.
  struct Rebuilt {
    Record* record;
    const Visit* changed;  // the change
    std::vector<Visit*> rest;  // what stood on it
    std::size_t next = 0;  // index of the first that has not been executed again
  };

  static std::uint64_t n_of(const Visit& visit) { return static_cast<const Member&>(*visit.party).n; }

  void undo_newest(Run& run) {
    const Run::Entry& entry = run.entries.back();
    if (changes(*entry.visit)) chains_.shard_.effects.undo(*entry.visit, entry.kept);
    run.entries.pop_back();
  }

  void leave(Member& member) {
    member.leaves = true;
    for (const Visit& visit : member.visits) {
      Record& record = *visit.record;
      Run* run = record.run();
      if (run == nullptr) continue;
      const auto [found, is_new] = places_.try_emplace(&record, kOnlyObserved);
      if (found->second != kOnlyObserved) {
        // It was executed again there already, or need not be.
        while (!run->entries.empty() && run->entries.back().visit->party == &member) undo_newest(*run);
      } else if (changes(visit)) {
        found->second = rebuilt_.size();
        rebuild(record, member);
      } else if (is_new) {
        observed_.push_back(&record);
      }
    }
  }

  void rebuild(Record& record, const Member& gone) {
    Run& run = *record.run();
    Rebuilt rebuilt{&record, nullptr, {}};
    const std::size_t first = run.first_of(gone);
    for (std::size_t index = first; index < run.entries.size(); ++index) {
      Visit* visit = run.entries[index].visit;
      if (visit->party != &gone) {
        rebuilt.rest.push_back(visit);
      } else if (changes(*visit)) {
        rebuilt.changed = visit;
      }
    }
    while (run.entries.size() > first) undo_newest(run);
    rebuilt_.push_back(std::move(rebuilt));
    schedule(rebuilt_.size() - 1);
  }

  void schedule(std::size_t index) {
    const Rebuilt& rebuilt = rebuilt_[index];
    if (rebuilt.next < rebuilt.rest.size()) due_.emplace(n_of(*rebuilt.rest[rebuilt.next]), index);
  }

  // The lowest member that is due, on one record.
  void execute_next() {
    const std::size_t index = due_.top().second;
    due_.pop();
    Rebuilt& rebuilt = rebuilt_[index];
    const std::size_t begin = rebuilt.next;
    Member& member = static_cast<Member&>(*rebuilt.rest[begin]->party);
    while (rebuilt.next < rebuilt.rest.size() && rebuilt.rest[rebuilt.next]->party == &member) ++rebuilt.next;
    schedule(index);
    if (member.leaves) return;
    const std::span<Visit* const> visits = std::span(rebuilt.rest).subspan(begin, rebuilt.next - begin);
    chains_.executed_again_ += visits.size();
    Refusal refusal;
    if (!mutated(Mutation::kNotExecutedAgain)) {
      if (const Visit* visit = chains_.execute(visits, refusal)) {
        chains_.count_again(*rebuilt.changed, *visit);
        refused_.push_back({&member, visit});
        if (!again_.empty() && again_.back() == &member) again_.pop_back();
        return leave(member);
      }
    }
    const auto answers = std::find_if(visits.begin(), visits.end(), [](const Visit* visit) { return has_result(*visit); });
    if (answers != visits.end()) {
      chains_.count_again(*rebuilt.changed, **answers);
      if (again_.empty() || again_.back() != &member) again_.push_back(&member);
    }
    Run& run = *rebuilt.record->run();
    for (Visit* visit : visits) {
      Value kept;
      if (changes(*visit)) kept = chains_.shard_.effects.effect(*visit);
      run.entries.push_back({visit, std::move(kept)});
    }
  }

  void end_if_over(Record& record) {
    if (record.run() != nullptr && record.run()->entries.empty()) chains_.end_run(record);
  }

  static constexpr std::size_t kOnlyObserved = std::numeric_limits<std::size_t>::max();

  Chains& chains_;
  std::vector<Rebuilt> rebuilt_;
  std::vector<Record*> observed_;  // by members that leave, which had not changed them, nor had those that left before
  absl::flat_hash_map<const Record*, std::size_t> places_;  // in rebuilt_; looked up, never iterated
  // What is to be executed again: the number of a member, and the record's index in rebuilt_.
  using Due = std::pair<std::uint64_t, std::size_t>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<Member*> again_;
  std::vector<Refused> refused_;
};

void Chains::take_out(Chain& chain, std::size_t index, const Error* error) {
  shard_.boards.taken_out(chain, chain.entered[index]->n);
  const Removal removal(*this, *chain.entered[index]);
  std::unique_ptr<Member> gone = std::move(chain.entered[index]);
  chain.entered.erase(chain.entered.begin() + static_cast<std::ptrdiff_t>(index));
  if (error != nullptr) {
    refuse(std::move(gone), *error, 0);
  } else {
    tell_abort(*gone, aborts::kWithdrawn, {});
    release(*gone);
  }
  refuse_those_that_leave(chain, removal);
  for (Member* member : removal.again()) {
    ++shard_.counters.totals.answered_again;
    if (!member->ends && !mutated(Mutation::kNotAnsweredAgain)) replies_.answer(*member);
  }
}

void Chains::refuse_those_that_leave(Chain& chain, const Removal& removal) {
  if (removal.refused().empty()) return;
  std::deque<std::unique_ptr<Member>> leaving;
  for (std::unique_ptr<Member>& member : std::exchange(chain.entered, {})) {
    (member->leaves ? leaving : chain.entered).push_back(std::move(member));
  }
  for (const Removal::Refused& refused : removal.refused()) {
    if (leaving.empty() || leaving.front().get() != refused.member) continue;
    std::unique_ptr<Member> member = std::move(leaving.front());
    leaving.pop_front();
    // What it was refused in may be undecided itself.
    refuse(std::move(member), member_denied(*refused.visit, "what the member was executed on was taken out"), 0);
  }
}

void Chains::count_again(const Visit& gone, const Visit& again) const {
  const ConflictPair pair{.holder_label = gone.party->label,
                          .comer_label = again.party->label,
                          .holder_operation = gone.call.operation,
                          .comer_operation = again.call.operation,
                          .type = again.type,
                          .again = true};
  shard_.counters.conflicts.add(pair);
  if (witness_) witness_->member_conflict(pair, *again.record);
}

}  // namespace claret
