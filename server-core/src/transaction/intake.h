// Turns an operation off the wire into one that a gate can take, or says what is wrong with it. Changes nothing.
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

// The key is empty, too long, not UTF-8 or of another shard.
std::optional<Error> check_key(std::string_view key, const ShardPlace& place);

// Moves the arguments out of the message.
std::optional<Error> take_operation(OperationMessage& message, const ShardPlace& place, TakenOperation& taken);

}  // namespace claret
