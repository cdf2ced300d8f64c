#include "transaction/epoch_turns.h"

#include <algorithm>

#include "gate/gate.h"
#include "ground/check.h"
#include "ground/mutation.h"

namespace claret {

void EpochTurns::add(Attempt& member, Timestamp at) {
  decided_.emplace(std::pair{mutated(Mutation::kEpochVoteOrder) ? member.voted_at : at, member.serial}, &member);
  due_ = true;
}

bool EpochTurns::is_kept_waiting(const Attempt& member) {
  const Timestamp at = member.member_of_epoch->decided_at;
  const auto is_before = [&](const Visit* holder) {
    if (holder->party == &member || holder->party->epoch != member.epoch) return false;
    const Attempt& other = static_cast<const Attempt&>(*holder->party);
    const Timestamp decided_at = other.member_of_epoch->decided_at;
    return (decided_at != 0 ? decided_at : other.voted_at) < at;
  };
  return std::any_of(member.visits.begin(), member.visits.end(), [&](const Visit& visit) {
    const auto holders = visit.record->gate->holders();
    return std::any_of(holders.begin(), holders.end(), is_before);
  });
}

void EpochTurns::execute(Attempt& member) const {
  for (Visit& visit : member.visits) {
    if (visit.call.operation->reserves) continue;
    Outcome outcome = visit.type->execute(*visit.record->state, visit.call, {}, context_);
    CLARET_CHECK(!outcome.refused());
    visit.result = outcome.take_result();
    visit.executed = true;
  }
}

void EpochTurns::run(std::size_t& budget, absl::FunctionRef<bool(EpochNumber)> is_open, absl::FunctionRef<void(Attempt&)> commit) {
  due_ = false;
  for (auto next = decided_.begin(); next != decided_.end();) {
    Attempt& member = *next->second;
    if (is_open(member.epoch) && is_kept_waiting(member) && !mutated(Mutation::kEpochOvertakes)) {
      ++next;
      continue;
    }
    if (budget == 0) {
      due_ = true;
      return;
    }
    budget -= std::min(budget, member.visits.size());
    next = decided_.erase(next);
    execute(member);
    commit(member);
  }
}

}  // namespace claret
