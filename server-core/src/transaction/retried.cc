// Participant, continued: transactions with an id (Begin.transaction), at their home shard.
//
// An attempt of such a transaction is begun only if no other attempt of it is in flight here, and none has committed. It keeps the id
// claimed until it ends, voted or not, so two attempts never hold locks at once, whichever clients run them. Its commit and the keeping of
// its answer are atomic: both are in the same entry of the log.
#include <algorithm>

#include "ground/slots.h"
#include "transaction/participant.h"

namespace claret {

bool Participant::claim(Coordinator& coordinator, const RequestMessage& message) {
  const auto refuse = [&](std::string_view code, std::string text, std::string_view cause = {}) {
    reply_error(coordinator, message.attempt, {.code = code, .message = std::move(text), .retryable = !cause.empty(), .cause = cause});
    return false;
  };
  const std::string_view bytes = message.begin->transaction;
  TransactionId id;
  if (bytes.size() != id.size()) return refuse(errors::kInvalidAttempt, "a transaction's id has 16 bytes");
  std::copy(bytes.begin(), bytes.end(), id.begin());
  if (!slots().owns(slot_of(id))) {
    return refuse(errors::kWrongShard, "the shard does not own the slot of the transaction's home", causes::kWrongShard);
  }
  if (const Deduplication::Entry* entry = deduplication_.find(id, clock_.wall_ms())) {
    if (entry->committed_at == 0) {
      return refuse(errors::kTransactionInProgress, "another attempt of the transaction is in flight", causes::kTransactionInProgress);
    }
    // Refused, so that no other output of the session waits behind an answer that cannot become durable now.
    if (clock_.refuses_changes() && entry->position > journal_.durable()) {
      reply_error(coordinator, message.attempt, changes_refused(clock_.trouble()));
      return false;
    }
    depends(coordinator, entry->position);
    server_frame::add_committed_before(coordinator.out, message.attempt, entry->committed_at, entry->answer);
    has_output_(coordinator);
    return false;
  }
  if (deduplication_.full()) {
    return refuse(errors::kOverloaded, "the shard remembers too many transactions", causes::kOverloaded);
  }
  deduplication_.claim(id);
  return true;
}

std::optional<Error> Participant::take_answer(const Attempt& attempt, const PrepareMessage& prepare) {
  if (attempt.transaction == nullptr) {
    if (prepare.answer.empty()) return std::nullopt;
    return Error{.code = errors::kInvalidAttempt,
                 .message = "only a transaction with an id can have an answer, and only at its home shard"};
  }
  if (prepare.answer.size() > limits::kAnswerBytesMax) {
    return Error{.code = errors::kInvalidAnswer, .message = "an answer has at most " + std::to_string(limits::kAnswerBytesMax) + " bytes"};
  }
  const std::uint32_t keep_ms = prepare.keep_ms == 0 ? limits::kKeepMsDefault : prepare.keep_ms;
  if (!deduplication_.answer(*attempt.transaction, prepare.answer, std::min(keep_ms, limits::kKeepMsMax))) {
    return Error{
        .code = errors::kOverloaded, .message = "the shard keeps too many answers", .retryable = true, .cause = causes::kOverloaded};
  }
  return std::nullopt;
}

}  // namespace claret
