// The law of migrations: each record that an earlier version may have left can be migrated, and becomes the same however it is read.
#pragma once

#include <string>

#include "adt/laws.h"
#include "composed/definition.h"

namespace claret::laws {

// Tries records of the version `before`. Returns the counterexample, or an empty text. REQUIRES: both texts are definitions, and `later` can
// follow `before`.
std::string find_migration_counterexample(const std::string& before, const std::string& later, const Effort& effort);

}  // namespace claret::laws
