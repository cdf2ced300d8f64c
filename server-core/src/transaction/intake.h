// Turns an operation from the wire into a call that a gate can admit, or returns the error. Changes nothing.
#pragma once

#include <optional>
#include <string_view>

#include "adt/adt.h"
#include "composed/type_table.h"
#include "ground/errors.h"
#include "transaction/slot_table.h"
#include "wire/client_frame.h"

namespace claret {

struct TakenOperation {
  const DataType* type = nullptr;
  Call call;
};

// An error if the key is empty, too long or not UTF-8, or if the shard does not own its slot. `slots`: null for a key from the shard's own log.
std::optional<Error> check_key(std::string_view key, const SlotTable* slots);

// The type of that name, or the operations of records; null if there is none.
const DataType* find_operations(const composed::TypeTable& types, std::string_view type_name);

// Moves the arguments out of the message. From the shard's own log (`slots` is null), a retired type is taken too.
std::optional<Error> take_operation(OperationMessage& message, const composed::TypeTable& types, const SlotTable* slots,
                                    TakenOperation& taken);

// The message names an operation of records (gate/record_operations.h).
bool is_of_record(const OperationMessage& message);

// Neither the shard's records nor its answers: its client asks for the topology.
inline Error wrong_shard(std::string message) {
  return {.code = errors::kWrongShard, .message = std::move(message), .retryable = true, .cause = causes::kWrongShard};
}

}  // namespace claret
