#include "gate/lock_rule.h"

#include <gtest/gtest.h>

#include "adt/registry.h"
#include "gate/agree.h"

namespace claret {
namespace {

Relation relation_under(LockKind kind, const DataType& type, const OperationSpec& first, const OperationSpec& second) {
  const LockRule rule{kind};
  const auto mode = [&](const OperationSpec& operation) {
    const Call call{&operation, {}};
    return rule.mode_of({.call = call});
  };
  return agree(rule, type, mode(first), mode(second));
}

// Pages derive the table under reader/writer locks from the catalogue's classes alone.
TEST(LockRule, ReaderWriterLocksAllowTwoOperationsTogetherOnlyIfBothObserve) {
  for (const DataType* type : all_types()) {
    for (const OperationSpec& first : type->operations()) {
      for (const OperationSpec& second : type->operations()) {
        const bool both_observe = first.operation_class == OperationClass::kObserve && second.operation_class == first.operation_class;
        EXPECT_EQ(relation_under(LockKind::kReaderWriter, *type, first, second), both_observe ? Relation::kAlways : Relation::kNever)
            << type->name() << ": " << first.name << ", " << second.name;
      }
    }
  }
}

TEST(LockRule, AbstractLocksFollowTheTypesRelation) {
  for (const DataType* type : all_types()) {
    for (const OperationSpec& first : type->operations()) {
      for (const OperationSpec& second : type->operations()) {
        EXPECT_EQ(relation_under(LockKind::kAbstract, *type, first, second), agree(*type, first.mode, second.mode));
      }
    }
  }
}

}  // namespace
}  // namespace claret
