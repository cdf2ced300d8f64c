#include "transaction/visit_intake.h"

#include <algorithm>

#include "gate/record_operations.h"

namespace claret {

bool VisitIntake::stands_durably(std::string_view key, const OperationSpec& operation) const {
  if (operation.operation_class != OperationClass::kObserve || !ground_.clock.tells()) return false;
  const Record* record = ground_.records.find(key);
  return record == nullptr || record->last_position <= ground_.journal.durable();
}

std::optional<Error> VisitIntake::take_asked(const OperationMessage& operation, const TakenOperation& taken, Request& request) const {
  const bool expects = !operation.expect.empty() || operation.guess;
  if (operation.warrant == 0 && !expects) return std::nullopt;
  const OperationSpec& spec = *taken.call.operation;
  const bool observes = spec.operation_class == OperationClass::kObserve && !spec.fresh;
  Asked asked{.index = static_cast<std::uint32_t>(request.visits.size()), .warrant = operation.warrant, .expects = expects};
  if (!observes || (!operation.expect.empty() && operation.expect.size() != asked.expected.size())) {
    Error error = refuse(errors::kInvalidAttempt,
                         "only the result of an observing operation can be warranted or expected, and a digest has 16 bytes");
    error.key = operation.key;
    return error;
  }
  if (operation.guess) {
    asked.expected = warranties_.digest_of(*operation.guess);
  } else {
    std::copy(operation.expect.begin(), operation.expect.end(), asked.expected.begin());
  }
  request.asked.push_back(asked);
  return std::nullopt;
}

void VisitIntake::expire_before_use(Attempt& attempt, std::string_view key) {
  const Record* record = ground_.records.find(key);
  // Deleting what the attempt itself has used would break it.
  if (record != nullptr && attempt.latest(*record) == nullptr) natives_.expire_before_use(key);
}

Error VisitIntake::wrong_type(Attempt& attempt, Record& record, const TakenOperation& taken) {
  const bool undecided = is_type_undecided(record);
  if (undecided) warranties_.recall_all(record);
  Error error = refuse(errors::kWrongType, "the record is a " + std::string(record.type->name()), undecided);
  error.key = record.key;
  error.operation = operation_name(*taken.type, taken.call);
  ground_.depends(*attempt.coordinator, record.last_position);
  return error;
}

std::optional<Error> VisitIntake::take(Attempt& attempt, RequestMessage& message, Request& request) {
  if (message.operations.size() > limits::kOperationsPerRequestMax ||
      attempt.operations_taken + message.operations.size() > limits::kOperationsPerAttemptMax) {
    return refuse(errors::kTooManyOperations, "a request has at most " + std::to_string(limits::kOperationsPerRequestMax) + " operations");
  }
  if (!message.operations.empty() && message.operations.front().warrant != 0) request.asked.reserve(message.operations.size());
  const bool any_due = ground_.records.expiries().due(ground_.clock.wall_ms()) != nullptr;
  for (OperationMessage& operation : message.operations) {
    TakenOperation taken;
    if (auto error = take_operation(operation, ground_.records.types(), &ground_.slots(), taken)) return error;
    if (operation.intent && taken.call.operation->result != Kind::kVoid) {
      Error error = refuse(errors::kInvalidAttempt, "only an operation without a result can be an intent");
      error.key = operation.key;
      return error;
    }
    if (auto error = take_asked(operation, taken, request)) return error;
    if (ground_.clock.refuses_changes() && !stands_durably(operation.key, *taken.call.operation)) {
      Error error = changes_refused(ground_.clock.trouble());
      error.key = operation.key;
      error.operation = operation_name(*taken.type, taken.call);
      return error;
    }
    if (any_due) expire_before_use(attempt, operation.key);
    Record& record = ground_.records.find_or_create(operation.key, *taken.type);
    const bool differs = record.type != taken.type && !is_of_record(*taken.type);
    if (differs && !ground_.effects.become(record, *taken.type)) return wrong_type(attempt, record, taken);
    ground_.records.pin(record, *taken.type);
    Visit& visit = attempt.visit(record);
    visit.type = taken.type;
    visit.request_number = request.number;
    visit.call = std::move(taken.call);
    visit.intent = operation.intent;
    visit.exclusive = attempt.exclusive_keys.contains(record.key);
    request.visits.push_back(&visit);
    const std::size_t most = visit.call.operation->reserves ? limits::kOperationsPerRecordMaxReserving : limits::kOperationsPerRecordMax;
    if (visit.number > most) {
      Error error = refuse(errors::kTooManyOperations, "an attempt has at most " + std::to_string(most) + " such operations on one record");
      error.key = operation.key;
      return error;
    }
  }
  attempt.operations_taken += static_cast<std::uint32_t>(message.operations.size());
  return std::nullopt;
}

}  // namespace claret
