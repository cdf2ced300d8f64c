// Participant, continued: members of epochs (epochs.h).
#include <algorithm>

#include "transaction/participant.h"

namespace claret {

std::optional<Error> Participant::check_member_of_epoch(const RequestMessage& message) const {
  const BeginMessage& begin = *message.begin;
  if (conditions_.in_force().epochs == EpochPolicy::kOff || conditions_.in_force().locks == LockKind::kNone) return condition_changed();
  if (begin.epoch_manager_plus_one > shards_ || !begin.transaction.empty() || !begin.exclusive.empty()) {
    return refuse(errors::kInvalidAttempt, "a member of an epoch names a shard that manages it, and no id of its transaction");
  }
  if (!message.prepare) {
    Error error = refuse(errors::kEpochMissed, "a member of an epoch has to fit into one message", true);
    error.cause = causes::kEpochMissed;
    return error;
  }
  const auto is_special = [](const OperationMessage& operation) {
    return operation.intent || operation.warrant != 0 || !operation.expect.empty();
  };
  if (std::any_of(message.operations.begin(), message.operations.end(), is_special)) {
    return refuse(errors::kInvalidAttempt, "a member of an epoch has neither intents nor uses warranties");
  }
  const auto names_record = [](const OperationMessage& operation) { return is_of_record(operation); };
  if (std::any_of(message.operations.begin(), message.operations.end(), names_record)) {
    return refuse(errors::kInvalidAttempt, "a member of an epoch has no operations of records");
  }
  return epochs_.check(message.operations.size());
}

void Participant::gather(Attempt& attempt) {
  Request& request = *attempt.requests.front();
  EpochMember& member = *attempt.member_of_epoch;
  member.prepare = std::move(*request.prepare);
  member.gathered_ms = member.considered_ms = clock_.now_ms();
  Refusal refusal;
  if (const Visit* refused = epochs_.refused(attempt, refusal)) return abort_refused(attempt, refusal, *refused);
  counters_.totals.operations += request.visits.size();
  if (witness_) witness_->operations(request);
  epochs_.gather(attempt);
}

bool Participant::vote_listed(Attempt& attempt) {
  Prepare prepare = attempt.member_of_epoch->prepare;
  const bool changes_something = std::any_of(attempt.visits.begin(), attempt.visits.end(), changes);
  Timestamp at = 0;
  if (const auto error = draw_vote(attempt, prepare, changes_something, at)) {
    attempt.epoch = 0;
    abort(attempt, *error);
    return false;
  }
  attempt.stage = Stage::kVoted;
  attempt.voted_at = at;
  attempt.voted_ms = clock_.now_ms();
  if (attempt.traced && witness_) witness_->voted(attempt);
  attempt.participants = std::move(prepare.participants);
  // What is only here is logged with its commit.
  attempt.logged = journal_.on() && !prepare.observes_only && !attempt.participants.empty();
  if (attempt.logged) attempt.vote_position = log_.vote(attempt);
  return true;
}

bool Participant::commit_member_of_epoch(Attempt& attempt, Timestamp at) {
  // Its outcome is of no use to anybody any more.
  const bool matters = !attempt.participants.empty() && !attempt.member_of_epoch->prepare.observes_only;
  if (attempt.coordinator == nullptr && !matters) {
    abort(attempt, {.code = errors::kSessionLost, .message = "the client is gone", .cause = causes::kSessionLost});
    return false;
  }
  // It is refused if its answer would not be durable, so that no other output of its session waits behind that.
  const auto is_late = [&](const Visit& visit) {
    return changes(visit) || (has_result(visit) && visit.record->last_position > journal_.durable());
  };
  if (!matters && clock_.refuses_changes() && std::any_of(attempt.visits.begin(), attempt.visits.end(), is_late)) {
    abort(attempt, changes_refused(clock_.trouble()));
    return false;
  }
  clock_.pass(at);
  if (!attempt.logged) clock_.cover(at);
  // The votes are durable everywhere, and cannot be undone. But a client that has all answers lets the shards forget the commit, so none of them
  // may have to ask for it any more.
  std::uint64_t position = attempt.logged ? log_.outcome(attempt, at) : 0;
  const bool alone = attempt.participants.empty() && std::any_of(attempt.visits.begin(), attempt.visits.end(), changes);
  if (journal_.on() && alone) position = log_.commit(attempt, at);
  if (attempt.coordinator != nullptr) reply(*attempt.requests.front(), 0, at, position);
  commit(attempt, at, position);
  return true;
}

void Participant::refuse_member_of_epoch(Attempt& attempt, const Refusal& refusal, const Visit& refused) {
  abort_refused(attempt, refusal, refused);
}

void Participant::end_member_of_epoch(Attempt& attempt, const Error& error) { abort(attempt, error); }

AttemptState Participant::state_in_epoch(const AttemptId& id, EpochNumber epoch, Timestamp& at) {
  epochs_.asked(epoch);
  const KnownAttempts::Known* known = outcomes_.known().find(id);
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
