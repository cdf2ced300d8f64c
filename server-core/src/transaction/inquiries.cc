#include "transaction/inquiries.h"

#include <algorithm>

#include "ground/mutation.h"
#include "wire/server_frame.h"

namespace claret {

void Inquiries::take(Coordinator& coordinator, const InquiryMessage& message) {
  if (message.id.size() != kIdBytes) return;
  AttemptId id;
  std::copy(message.id.begin(), message.id.end(), id.begin());
  if (ground_.clock.refuses_changes()) {
    // An answer would wait for the log, and delay all later replies of this session.
    server_frame::add_answer(coordinator.out, message.ticket, id, AttemptState::kPending, 0);
    ground_.has_output(coordinator);
    return;
  }
  if (message.committed_at != 0 && coordinator.of_shard) return confirm(coordinator, message, id);
  Timestamp at = 0;
  if (message.epoch != 0 && coordinator.of_shard) {
    const AttemptState state = epoch_members_.state_of(id, message.epoch, at);
    return answer(coordinator, message, id, state, at, message.epoch);
  }
  const AttemptState state = state_of(coordinator, id, at);
  answer(coordinator, message, id, state, at);
}

// A member of an epoch that waits for its turn is not in the log yet, and a start would have to ask for its outcome.
void Inquiries::confirm(Coordinator& coordinator, const InquiryMessage& message, const AttemptId& id) {
  KnownAttempts& known = ground_.outcomes.known();
  if (const Attempt* attempt = known.under_way(id)) endings_.resolve(id, attempt->epoch, true, message.committed_at);
  const bool waits = known.under_way(id) != nullptr && !mutated(Mutation::kEpochForgottenBeforeTurn);
  answer(coordinator, message, id, waits ? AttemptState::kPending : AttemptState::kCommitted, waits ? 0 : message.committed_at);
}

AttemptState Inquiries::state_of(const Coordinator& coordinator, const AttemptId& id, Timestamp& at) {
  Outcomes& outcomes = ground_.outcomes;
  if (outcomes.known().find(id) == nullptr) {
    for (Coordinator* one : ground_.coordinators) outcomes.publish(*one);
  }
  if (const KnownAttempts::Known* known = outcomes.known().find(id)) {
    // A client would add up the votes of several epochs.
    const bool in_epoch = known->attempt != nullptr && known->attempt->epoch != 0 && !mutated(Mutation::kEpochVotesToClients);
    if (known->attempt == nullptr || known->attempt->stage != Stage::kVoted || in_epoch) {
      at = known->committed_at;
      return known->state;
    }
    at = known->attempt->voted_at;
    // Somebody waits for the batch at the shard that asks, and would wait here next.
    if (known->attempt->batch && coordinator.of_shard) endings_.put_in_doubt(*known->attempt, reasons::kAskedAbout);
    return AttemptState::kVoted;
  }
  // No space to record that it must be refused: the inquiry is repeated later.
  if (outcomes.kept() >= kKnownAttemptsMax) return AttemptState::kPending;
  if (!mutated(Mutation::kForgetAbort)) {
    const double until_ms = ground_.clock.now_ms() + kUnknownAbortKeptMs;
    outcomes.known().aborted(id, until_ms);
    if (ground_.journal.on()) ground_.log.aborted(id, until_ms);
  }
  return AttemptState::kAborted;
}

void Inquiries::answer(Coordinator& coordinator, const InquiryMessage& message, const AttemptId& id, AttemptState state, Timestamp at,
                       EpochNumber epoch) {
  ground_.depends(coordinator, ground_.journal.position());
  server_frame::add_answer(coordinator.out, message.ticket, id, state, at, epoch);
  ground_.has_output(coordinator);
}

}  // namespace claret
