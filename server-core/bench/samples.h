// Calls and states to measure, made from what a type says of its operations: a new type is measured without a line here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "adt/adt.h"

namespace claret::bench {

// "m00000042": as long for every number.
std::string member(std::uint64_t number);

// The operation on the number-th member (field, item). Reads that are paged ask for ten.
Call sample_call(const OperationSpec& operation, std::uint64_t number);

// Null when the type refuses the call on this state.
bool run(const DataType& type, State& state, const Call& call, Timestamp at);

// The type's first operation that makes a state longer with each new member; null for types of one size.
const OperationSpec* growing_operation(const DataType& type);

// A state with that many members, or with as many changes for a type of one size.
std::unique_ptr<State> filled(const DataType& type, std::uint64_t members);

}  // namespace claret::bench
