#include "transaction/batch_votes.h"

#include <algorithm>

namespace claret {

void BatchVotes::take(Coordinator& coordinator, const BatchMessage& message) {
  const std::optional<Error> error = vote(coordinator, message);
  if (!error) return;
  parts_.chains.refuse_batch(coordinator, message, *error);
  if (message.request.begin) parts_.attempts.refuse_id(*message.request.begin);
  parts_.replies.error(coordinator, message.request.attempt, *error);
}

std::optional<Error> BatchVotes::vote(Coordinator& coordinator, const BatchMessage& message) {
  const RequestMessage& request = message.request;
  if (!request.begin || !request.prepare || !request.operations.empty() || !request.begin->transaction.empty() ||
      !request.prepare->answer.empty() || Attempts::find(coordinator, request.attempt) != nullptr) {
    return refuse(errors::kInvalidAttempt, "a batch is an attempt of its own, with a prepare and without operations and an answer");
  }
  if (auto error = parts_.attempts.check(coordinator, request)) return error;
  Prepare prepare;
  if (auto error = parts_.votes.take(*request.prepare, prepare)) return error;
  if (prepare.participants.empty()) return refuse(errors::kInvalidAttempt, "a batch has several participants");
  bool changes_something = false;
  if (auto error = parts_.chains.check_batch(coordinator, message, changes_something)) return error;
  Attempt& attempt = parts_.attempts.begin(keeper_, coordinator, request, ground_.clock.now_ms());
  Timestamp at = 0;
  if (auto error = parts_.votes.draw(attempt, prepare, changes_something, at)) {
    parts_.attempts.drop_begun();
    return error;
  }
  parts_.attempts.enlist(attempt);
  parts_.chains.form_batch(attempt, message);
  // Its members' timestamps are nobody else's.
  ground_.clock.raise(last_timestamp(attempt, at));
  ground_.clock.cover(last_timestamp(attempt, at));
  std::uint64_t position = parts_.votes.cast(attempt, prepare, at);
  // Its members' results were told before they were durable.
  for_each_visit(attempt, [&](const Visit& visit) { position = std::max(position, visit.record->last_position); });
  Request voted;
  voted.attempt = &attempt;
  parts_.replies.reply(voted, at, 0, position);
  return std::nullopt;
}

}  // namespace claret
