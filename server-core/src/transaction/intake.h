// Turns an operation from the wire into a call that a gate can admit, or returns the error. Changes nothing.
#pragma once

#include <optional>
#include <string_view>

#include "adt/adt.h"
#include "ground/errors.h"
#include "ground/identifiers.h"
#include "wire/client_frame.h"

namespace claret {

struct TakenOperation {
  const DataType* type = nullptr;
  Call call;
};

// An error if the key is empty, too long, not UTF-8, or belongs to another shard.
std::optional<Error> check_key(std::string_view key, const ShardPlace& place);

// Moves the arguments out of the message.
std::optional<Error> take_operation(OperationMessage& message, const ShardPlace& place, TakenOperation& taken);

}  // namespace claret
