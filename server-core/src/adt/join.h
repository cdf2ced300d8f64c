// What a join rule means: the result of a call that follows from a held call and its result (adt.h, JoinRule).
//
// The client's combiner is the same few lines in TypeScript; the laws hold the rules of every type against what its
// operations do.
#pragma once

#include <optional>
#include <string_view>

#include "adt/adt.h"

namespace claret {

// Null where the type has no rule for them.
const JoinRule* find_join(const DataType& type, const OperationSpec& holder, const OperationSpec& joiner);

// Absent where the call's result does not follow: it has to be asked for. A void operation's result is the absent value.
// REQUIRES: the rule is for these two operations of one type; the arguments are checked.
std::optional<Value> joined_result(const JoinRule& rule, const Held& held, const Call& call);

// A void operation that goes with every call of its mode and reserves nothing: one that holds the record covers it.
bool covered(const DataType& type, const OperationSpec& operation);

// It is covered, or some rule lets it join.
bool combinable(const DataType& type, const OperationSpec& operation);

// As the catalogue spells it: "equal", "sub_range", ...
std::string_view join_name(JoinHow how);

}  // namespace claret
