#include "ground/learnt_patience.h"

#include <gtest/gtest.h>

namespace claret {
namespace {

TEST(LearntPatience, GrowsAndShrinksWithWhatIsUsualBetweenItsBounds) {
  LearntPatience patience(15, 60, 3);
  EXPECT_EQ(patience.ms(), 15);
  for (int i = 0; i < 100; ++i) patience.learn(12);
  EXPECT_NEAR(patience.ms(), 36, 0.1);
  for (int i = 0; i < 100; ++i) patience.learn(10'000);
  EXPECT_NEAR(patience.ms(), 60, 0.1);
  for (int i = 0; i < 5; ++i) patience.learn(1);
  EXPECT_LT(patience.ms(), 36) << "one that was very long is soon forgotten";
  for (int i = 0; i < 100; ++i) patience.learn(1);
  EXPECT_EQ(patience.ms(), 15);
}

}  // namespace
}  // namespace claret
