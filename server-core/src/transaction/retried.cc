#include "transaction/retried.h"

#include <algorithm>

#include "ground/slots.h"
#include "wire/server_frame.h"

namespace claret {

bool Retried::claim(Coordinator& coordinator, const RequestMessage& message) {
  const auto refuse = [&](std::string_view code, std::string text, std::string_view cause = {}) {
    replies_.error(coordinator, message.attempt, {.code = code, .message = std::move(text), .retryable = !cause.empty(), .cause = cause});
    return false;
  };
  const std::string_view bytes = message.begin->transaction;
  TransactionId id;
  if (bytes.size() != id.size()) return refuse(errors::kInvalidAttempt, "a transaction's id has 16 bytes");
  std::copy(bytes.begin(), bytes.end(), id.begin());
  if (!ground_.slots().owns(slot_of(id))) {
    return refuse(errors::kWrongShard, "the shard does not own the slot of the transaction's home", causes::kWrongShard);
  }
  if (const Deduplication::Entry* entry = ground_.deduplication.find(id, ground_.clock.wall_ms())) {
    if (entry->committed_at == 0) {
      return refuse(errors::kTransactionInProgress, "another attempt of the transaction is in flight", causes::kTransactionInProgress);
    }
    // Refused, so that no other output of the session waits behind an answer that cannot become durable now.
    if (ground_.clock.refuses_changes() && entry->position > ground_.journal.durable()) {
      replies_.error(coordinator, message.attempt, changes_refused(ground_.clock.trouble()));
      return false;
    }
    ground_.depends(coordinator, entry->position);
    server_frame::add_committed_before(coordinator.out, message.attempt, entry->committed_at, entry->answer);
    ground_.has_output(coordinator);
    return false;
  }
  if (ground_.deduplication.full()) {
    return refuse(errors::kOverloaded, "the shard remembers too many transactions", causes::kOverloaded);
  }
  ground_.deduplication.claim(id);
  return true;
}

std::optional<Error> Retried::take_answer(const Attempt& attempt, const PrepareMessage& prepare) {
  if (attempt.transaction == nullptr) {
    if (prepare.answer.empty()) return std::nullopt;
    return Error{.code = errors::kInvalidAttempt,
                 .message = "only a transaction with an id can have an answer, and only at its home shard"};
  }
  if (prepare.answer.size() > limits::kAnswerBytesMax) {
    return Error{.code = errors::kInvalidAnswer, .message = "an answer has at most " + std::to_string(limits::kAnswerBytesMax) + " bytes"};
  }
  const std::uint32_t keep_ms = prepare.keep_ms == 0 ? limits::kKeepMsDefault : prepare.keep_ms;
  if (!ground_.deduplication.answer(*attempt.transaction, prepare.answer, std::min(keep_ms, limits::kKeepMsMax))) {
    return Error{
        .code = errors::kOverloaded, .message = "the shard keeps too many answers", .retryable = true, .cause = causes::kOverloaded};
  }
  return std::nullopt;
}

}  // namespace claret
