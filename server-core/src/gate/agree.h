// Whether two operations on one record commute. Everything that has to know asks here; nothing else asks a data type.
//
// Their modes are asked first. Where these leave it open, the operations are, with their results and the record's state.
#pragma once

#include "adt/adt.h"
#include "gate/lock_rule.h"
#include "gate/visit.h"

namespace claret {

// By the type's own modes, whatever the locks are.
inline Relation agree(const DataType& type, Mode first, Mode second) { return type.relation(first, second); }

// By the modes of locks.
inline Relation agree(const LockRule& rule, const DataType& type, Mode first, Mode second) {
  if (first == kExclusiveMode || second == kExclusiveMode) return Relation::kNever;
  return rule.kind == LockKind::kAbstract ? agree(type, first, second) : Relation::kAlways;
}

// By the operations as such: that a transaction wants the record exclusively does not matter.
inline Relation agree(const LockRule& rule, const DataType& type, const OperationSpec& first, const OperationSpec& second) {
  return agree(rule, type, rule.mode_of(first), rule.mode_of(second));
}

// For two operations whose modes leave it open. A result that is null is still open: as it may become anything, the operation commutes with none
// unless it has no result at all.
bool agree(const DataType& type, const State& state, Held first, Held second);

// The same, beside a holder. A holder that is listed in an epoch has no result yet, and others of its epoch may change the state before its turn: only
// what has no result either commutes with it.
bool agree(const Held& operation, const Visit& holder);

}  // namespace claret
