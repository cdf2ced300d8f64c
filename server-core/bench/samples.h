// Calls and states to measure, derived from each type's operations: a new type is measured without a line here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "adt/adt.h"

namespace claret::bench {

// "m00000042": the same length for every number.
std::string member(std::uint64_t number);

// The operation on the number-th member (field, item). Paged reads ask for ten items.
Call sample_call(const OperationSpec& operation, std::uint64_t number);

// False if the type refuses the call on this state.
bool run(const DataType& type, State& state, const Call& call);

// The type's first operation that enlarges a state with each new member; null for types of constant size.
const OperationSpec* growing_operation(const DataType& type);

// A state with that many members, or with that many changes for a type of constant size.
std::unique_ptr<State> filled(const DataType& type, std::uint64_t members);

}  // namespace claret::bench
