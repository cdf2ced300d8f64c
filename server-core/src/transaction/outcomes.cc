#include "transaction/outcomes.h"

#include <algorithm>
#include <utility>

namespace claret {

void Outcomes::committed(const Attempt& attempt, Timestamp at) {
  Coordinator* coordinator = attempt.coordinator;
  const AttemptId& id = attempt.id;
  // A commit without changes is not remembered: a client that lost the reply is told that the attempt aborted, and runs it again.
  if (attempt.participants.empty() && attempt.transaction == nullptr &&
      std::none_of(attempt.visits.begin(), attempt.visits.end(), changes)) {
    if (attempt.enlisted) known_.forget(id);
    return;
  }
  if (attempt.enlisted) known_.committed(id, at);
  if (attempt.participants.empty()) {
    auto& alone = coordinator->committed_alone;
    for (; !alone.empty() && alone.front().expires_at_ms + kAskGraceMs <= clock_.now_ms(); alone.pop_front()) {
      forget_alone(*coordinator);
    }
    alone.push_back({attempt.number, id, at, attempt.expires_at_ms, attempt.enlisted});
    if (!attempt.enlisted) {
      ++coordinator->unpublished;
      ++unpublished_;
    }
  } else if (coordinator != nullptr) {
    coordinator->committed_together.push_back({attempt.number, id, at, attempt.expires_at_ms, attempt.participants, attempt.logged});
  } else {
    doubts_.tell(id, at, attempt.participants, std::max(clock_.now_ms(), attempt.expires_at_ms + kAskGraceMs));
  }
}

void Outcomes::restore(const KeptOutcome& outcome) {
  const double until_ms = clock_.monotonic_ms(outcome.until_wall_ms);
  if (outcome.committed_at == 0) {
    known_.aborted(outcome.id, until_ms);
  } else {
    known_.committed(outcome.id, outcome.committed_at);
    known_.forget_at(outcome.id, until_ms);
  }
}

void Outcomes::restore(const AttemptId& id, const UnforgottenCommit& commit) {
  known_.committed(id, commit.committed_at);
  const double ask_at_ms = std::max(clock_.now_ms(), clock_.monotonic_ms(commit.expires_wall_ms) + kAskGraceMs);
  doubts_.tell(id, commit.committed_at, commit.participants, ask_at_ms);
}

void Outcomes::forgotten_below(Coordinator& coordinator, std::uint64_t number) {
  // In order of commit, not of number: entries behind a higher number are forgotten a little later.
  auto& alone = coordinator.committed_alone;
  for (; !alone.empty() && alone.front().number < number; alone.pop_front()) {
    forget_alone(coordinator);
  }
  std::vector<AttemptId> logged;
  auto& together = coordinator.committed_together;
  for (; !together.empty() && together.front().number < number; together.pop_front()) {
    if (together.front().logged) {
      logged.push_back(together.front().id);
    } else {
      known_.forget(together.front().id);
    }
  }
  forget(logged);
}

void Outcomes::forget(const std::vector<AttemptId>& ids) {
  if (cut_.defers(ids)) return;
  for (const AttemptId& id : ids) known_.forget(id);
  if (!journal_.on() || ids.empty()) return;
  journal_.forgotten(ids);
  for (const AttemptId& id : ids) checkpoint_.unforgotten.erase(id);
}

// REQUIRES: the session has noted a commit. The oldest one is to be removed next.
void Outcomes::forget_alone(Coordinator& coordinator) {
  const CommitAlone& oldest = coordinator.committed_alone.front();
  if (oldest.published) {
    known_.forget(oldest.id);
  } else {
    --coordinator.unpublished;
    --unpublished_;
  }
}

void Outcomes::publish(Coordinator& coordinator) {
  if (coordinator.unpublished == 0) return;
  unpublished_ -= std::exchange(coordinator.unpublished, 0);
  for (CommitAlone& commit : coordinator.committed_alone) {
    if (!std::exchange(commit.published, true)) known_.committed(commit.id, commit.committed_at);
  }
}

void Outcomes::session_lost(Coordinator& coordinator) {
  publish(coordinator);
  for (const CommitAlone& commit : coordinator.committed_alone) known_.forget_at(commit.id, commit.expires_at_ms + kAskGraceMs);
  for (const CommitTogether& commit : coordinator.committed_together) {
    doubts_.tell(commit.id, commit.committed_at, commit.participants, std::max(clock_.now_ms(), commit.expires_at_ms + kAskGraceMs));
  }
  coordinator.committed_alone.clear();
  coordinator.committed_together.clear();
}

}  // namespace claret
