// The operations of Dict, and what those of one transaction do to a field: an increment that comes after them has to be possible.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "adt/adt.h"
#include "structure/escrow.h"

namespace claret::dict {

enum OperationId : std::uint8_t { kSet = 1, kGet, kIncrementBy, kRemove, kAll, kPut, kPutIfAbsent, kErase, kIncrementAndGet, kSize };

// The effect of a transaction's earlier calls on a field that the transaction is about to increment.
struct OwnField {
  OwnSteps steps;
  bool integer = true;

  void take(const Held& held, const std::string& field) {
    const Call& call = *held.call;
    switch (call.operation->id) {
      case kSet:
      case kPut:
        for (const Value& entry : call.arguments[0].list()) {
          if (entry.list()[0].text() != field) continue;
          const Value& value = entry.list()[1];
          integer = value.is_integer();
          steps.replace(integer ? value.integer() : 0);
        }
        break;
      case kRemove:
      case kErase:
        for (const Value& removed : call.arguments[0].list()) {
          if (removed.text() != field) continue;
          integer = true;
          steps.replace(0);
        }
        break;
      case kPutIfAbsent:
        if (call.arguments[0].text() != field || !held.result->boolean()) break;
        integer = call.arguments[1].is_integer();
        steps.replace(integer ? call.arguments[1].integer() : 0);
        break;
      case kIncrementBy:
        if (call.arguments[0].text() == field) steps.add(call.arguments[1].integer());
        break;
      case kIncrementAndGet:
        if (call.arguments[0].text() == field) steps.add_alone(call.arguments[1].integer());
        break;
    }
  }
};

inline OwnField own_field(const Value& committed, const std::string& field, std::span<const Held> own) {
  OwnField result;
  result.integer = committed.absent() || committed.is_integer();
  for (const Held& held : own) result.take(held, field);
  return result;
}

}  // namespace claret::dict
