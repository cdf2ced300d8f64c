#include "transaction/epoch_members.h"

#include <algorithm>

#include "ground/mutation.h"

namespace claret {

std::optional<Error> EpochMembers::check(const RequestMessage& message) const {
  const BeginMessage& begin = *message.begin;
  if (begin.epoch_manager_plus_one > ground_.shards || !begin.transaction.empty() || !begin.exclusive.empty()) {
    return refuse(errors::kInvalidAttempt, "a member of an epoch names a shard that manages it, and no id of its transaction");
  }
  if (!message.prepare) {
    Error error = refuse(errors::kEpochMissed, "a member of an epoch has to fit into one message", true);
    error.cause = causes::kEpochMissed;
    return error;
  }
  const auto is_special = [](const OperationMessage& operation) {
    return operation.intent || operation.warrant != 0 || !operation.expect.empty() || operation.guess;
  };
  if (std::any_of(message.operations.begin(), message.operations.end(), is_special)) {
    return refuse(errors::kInvalidAttempt, "a member of an epoch has neither intents nor uses warranties");
  }
  const auto names_record = [](const OperationMessage& operation) { return is_of_record(operation); };
  if (std::any_of(message.operations.begin(), message.operations.end(), names_record)) {
    return refuse(errors::kInvalidAttempt, "a member of an epoch has no operations of records");
  }
  return parts_.epochs.check(message.operations.size());
}

void EpochMembers::gather(Attempt& attempt) {
  Request& request = *attempt.requests.front();
  EpochMember& member = *attempt.member_of_epoch;
  member.prepare = std::move(*request.prepare);
  member.gathered_ms = member.considered_ms = ground_.clock.now_ms();
  Refusal refusal;
  if (const Visit* refused = parts_.epochs.refused(attempt, refusal)) return parts_.endings.abort_refused(attempt, refusal, *refused);
  ground_.counters.totals.operations += request.visits.size();
  if (ground_.witness) ground_.witness->operations(request);
  parts_.epochs.gather(attempt);
}

bool EpochMembers::vote_listed(Attempt& attempt) {
  const Prepare& prepare = attempt.member_of_epoch->prepare;
  const bool changes_something = std::any_of(attempt.visits.begin(), attempt.visits.end(), changes);
  Timestamp at = 0;
  if (const auto error = parts_.votes.draw(attempt, prepare, changes_something, at)) {
    attempt.epoch = 0;
    parts_.endings.abort(attempt, *error);
    return false;
  }
  parts_.votes.cast(attempt, prepare, at);
  return true;
}

bool EpochMembers::commit_member_of_epoch(Attempt& attempt, Timestamp at) {
  // Its outcome is of no use to anybody any more.
  const bool matters = !attempt.participants.empty() && !attempt.member_of_epoch->prepare.observes_only;
  if (attempt.coordinator == nullptr && !matters) {
    parts_.endings.abort(attempt, {.code = errors::kSessionLost, .message = "the client is gone", .cause = causes::kSessionLost});
    return false;
  }
  // It is refused if its answer would not be durable, so that no other output of its session waits behind that.
  const auto is_late = [&](const Visit& visit) {
    return changes(visit) || (has_result(visit) && visit.record->last_position > ground_.journal.durable());
  };
  if (!matters && ground_.clock.refuses_changes() && std::any_of(attempt.visits.begin(), attempt.visits.end(), is_late)) {
    parts_.endings.abort(attempt, changes_refused(ground_.clock.trouble()));
    return false;
  }
  ground_.clock.pass(at);
  if (!attempt.logged) ground_.clock.cover(at);
  // The votes are durable everywhere, and cannot be undone. But a client that has all answers lets the shards forget the commit, so none of them
  // may have to ask for it any more.
  std::uint64_t position = attempt.logged ? ground_.log.outcome(attempt, at) : 0;
  const bool alone = attempt.participants.empty() && std::any_of(attempt.visits.begin(), attempt.visits.end(), changes);
  if (ground_.journal.on() && alone) position = ground_.log.commit(attempt, at);
  if (attempt.coordinator != nullptr) parts_.replies.reply(*attempt.requests.front(), 0, at, position);
  parts_.endings.commit(attempt, at, position);
  return true;
}

AttemptState EpochMembers::state_of(const AttemptId& id, EpochNumber epoch, Timestamp& at) {
  parts_.epochs.asked(epoch);
  const KnownAttempts::Known* known = ground_.outcomes.known().find(id);
  if (known == nullptr) return AttemptState::kAborted;
  if (known->attempt == nullptr) {
    at = known->committed_at;
    return known->state == AttemptState::kCommitted ? AttemptState::kCommitted : AttemptState::kAborted;
  }
  const Attempt& member = *known->attempt;
  if (member.epoch != epoch) return AttemptState::kAborted;
  const Timestamp decided_at = member.member_of_epoch->decided_at;
  at = decided_at != 0 ? decided_at : member.voted_at;
  return decided_at != 0 ? AttemptState::kCommitted : AttemptState::kVoted;
}

}  // namespace claret
