#include "ground/check.h"

#include <gtest/gtest.h>

namespace claret {
namespace {

// Before any test of this binary.
const bool on = (checks_are_on = true);

TEST(Check, EndsTheProcessIfTheConditionDoesNotHold) {
  EXPECT_TRUE(on);
  EXPECT_DEATH(CLARET_CHECK(1 > 2), "check_test.cc:[0-9]+: required: 1 > 2");
}

TEST(Check, CostsOnlyAFlagWhileChecksAreOff) {
  checks_are_on = false;
  int asked = 0;
  CLARET_CHECK(++asked > 1);
  checks_are_on = true;
  EXPECT_EQ(asked, 0);
}

}  // namespace
}  // namespace claret
