// Chains, continued: how members are taken out, and what becomes of those that were executed on top of them.
#include <algorithm>
#include <utility>

#include "ground/mutation.h"
#include "transaction/chains.h"
#include "wire/limits.h"

namespace claret {

void Chains::withdraw(Coordinator& coordinator, const WithdrawnMessage& message) {
  Chain* chain = coordinator.chain.get();
  if (chain == nullptr || message.chain > chain->number) {
    // None of the new chain's members has come yet.
    chain = &chain_of(coordinator);
    begin(*chain, message.chain);
  }
  if (message.chain < chain->number || chain->broken) return;
  chain->withdrawals = message.count;
  if (message.n > chain->last) {
    if (chain->gone.size() == limits::kMembersPerChainMax) {
      return break_chain(*chain, claret::refuse(errors::kOverloaded, "too many members were withdrawn before they came", true));
    }
    chain->gone.push_back(message.n);
    return;
  }
  const auto is_it = [&](const auto& member) { return member->n == message.n; };
  if (const auto found = std::find_if(chain->waiting.begin(), chain->waiting.end(), is_it); found != chain->waiting.end()) {
    tell_abort(**found, aborts::kWithdrawn, {});
    release(**found);
    chain->waiting.erase(found);
    if (chain->waiting.empty()) std::erase(turns_, chain);
    return;
  }
  if (const auto found = std::find_if(chain->entered.begin(), chain->entered.end(), is_it); found != chain->entered.end()) {
    take_out(*chain, static_cast<std::size_t>(found - chain->entered.begin()));
    advance(*chain);
    return;
  }
  // It was refused, which the client did not know yet. It may wait for answers that count this withdrawal.
  for (const auto& member : chain->entered) {
    if (member->n > message.n && !member->ends) answer(*member);
  }
}

void Chains::take_out(Chain& chain, std::size_t index, const Error* error) {
  std::vector<Member*> again;
  std::vector<Refused> refused;
  shard_.boards.taken_out(chain, chain.entered[index]->n);
  const auto leave_runs = [&](const Member& member) {
    for (const Visit& visit : member.visits) {
      if (visit.previous == nullptr) rebuild(*visit.record, member, again, refused);
    }
  };
  leave_runs(*chain.entered[index]);
  // More may be refused while this runs.
  for (std::size_t next = 0; next < refused.size(); ++next) {
    shard_.boards.taken_out(chain, refused[next].member->n);
    leave_runs(*refused[next].member);
  }
  std::unique_ptr<Member> gone = std::move(chain.entered[index]);
  chain.entered.erase(chain.entered.begin() + static_cast<std::ptrdiff_t>(index));
  if (error != nullptr) {
    refuse(std::move(gone), *error, 0);
  } else {
    tell_abort(*gone, aborts::kWithdrawn, {});
    release(*gone);
  }
  for (std::size_t next = 0; next < refused.size(); ++next) {
    Member* member = refused[next].member;
    const auto found = std::find_if(chain.entered.begin(), chain.entered.end(), [&](const auto& one) { return one.get() == member; });
    if (found == chain.entered.end()) continue;  // refused on more than one record
    std::unique_ptr<Member> leaving = std::move(*found);
    chain.entered.erase(found);
    std::erase(again, member);
    // What it was refused in may be undecided itself.
    refuse(std::move(leaving), denied(*refused[next].visit, "what the member was executed on was taken out"), 0);
  }
  std::sort(again.begin(), again.end(), [](const Member* a, const Member* b) { return a->n < b->n; });
  again.erase(std::unique(again.begin(), again.end()), again.end());
  for (Member* member : again) {
    ++shard_.counters.totals.answered_again;
    if (!member->ends && !mutated(Mutation::kNotAnsweredAgain)) answer(*member);
  }
}

void Chains::rebuild(Record& record, const Member& gone, std::vector<Member*>& again, std::vector<Refused>& refused) {
  Run* run = record.run();
  if (run == nullptr) return;
  std::deque<Run::Entry>& entries = run->entries;
  const std::size_t first = run->first_of(gone);
  if (first == entries.size()) return;
  std::size_t above = first;
  const Visit* changed = nullptr;
  for (; above < entries.size() && entries[above].visit->party == &gone; ++above) {
    if (changes(*entries[above].visit)) changed = entries[above].visit;
  }
  const auto at = [&](std::size_t index) { return entries.begin() + static_cast<std::ptrdiff_t>(index); };
  if (changed == nullptr) {
    entries.erase(at(first), at(above));
  } else {
    for (std::size_t index = entries.size(); index > first; --index) {
      Run::Entry& entry = entries[index - 1];
      if (changes(*entry.visit)) shard_.effects.undo(*entry.visit, entry.kept);
    }
    std::vector<Visit*> rest;
    for (std::size_t index = above; index < entries.size(); ++index) rest.push_back(entries[index].visit);
    entries.erase(at(first), entries.end());
    for (std::size_t begin = 0, end = 0; begin < rest.size(); begin = end) {
      while (end < rest.size() && rest[end]->party == rest[begin]->party) ++end;
      const std::span<Visit* const> visits = std::span(rest).subspan(begin, end - begin);
      Member& member = static_cast<Member&>(*rest[begin]->party);
      Refusal refusal;
      if (!mutated(Mutation::kNotExecutedAgain)) {
        if (const Visit* refused_visit = execute(visits, refusal)) {
          count_again(*changed, *refused_visit);
          refused.push_back({&member, refused_visit, std::move(refusal)});
          continue;
        }
      }
      const auto answers = std::find_if(visits.begin(), visits.end(), [](const Visit* visit) { return has_result(*visit); });
      if (answers != visits.end()) {
        count_again(*changed, **answers);
        again.push_back(&member);
      }
      for (Visit* visit : visits) {
        Value kept;
        if (changes(*visit)) kept = shard_.effects.effect(*visit);
        entries.push_back({visit, std::move(kept)});
      }
    }
  }
  if (entries.empty()) end_run(record);
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
