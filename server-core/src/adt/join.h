// The meaning of a join rule: the result of a call that follows from a held call and its result (adt.h, JoinRule).
//
// The client's combiner has the same lines in TypeScript. The laws compare the rules of every type with what its operations do.
#pragma once

#include <optional>
#include <string_view>

#include "adt/adt.h"

namespace claret {

// Null if the type has no rule for the two.
const JoinRule* find_join(const DataType& type, const OperationSpec& holder, const OperationSpec& joiner);

// Absent if the call's result does not follow, so that the shard has to be asked. A void operation's result is the absent value. REQUIRES:
// the rule is for these two operations of one type; the arguments are checked.
std::optional<Value> joined_result(const JoinRule& rule, const Held& held, const Call& call);

// True for a void operation that commutes with every call of its mode and reserves nothing: a transaction that holds one covers the others.
bool covered(const DataType& type, const OperationSpec& operation);

// True if the operation is covered, or a rule lets it join.
bool combinable(const DataType& type, const OperationSpec& operation);

// As the catalogue spells it: "equal", "sub_range", ...
std::string_view join_name(JoinHow how);

}  // namespace claret
