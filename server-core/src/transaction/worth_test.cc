// Which operations are worth a warranty.
#include "transaction/worth.h"

#include <gtest/gtest.h>

namespace claret {
namespace {

constexpr std::uint64_t kWanted = 8;

TEST(Worth, BeginsAtTheSecondAskingWithinASecond) {
  Worth worth;
  EXPECT_FALSE(worth.asked(7, 0));
  EXPECT_TRUE(worth.asked(7, 1000));
  EXPECT_FALSE(worth.asked(7, 2001));
}

TEST(Worth, PausesLongerEachTimeThatAWarrantyAnswersTooSeldom) {
  Worth worth;
  worth.asked(7, 0);
  worth.ended(7, kWanted - 1, kWanted, 0);
  EXPECT_FALSE(worth.asked(7, 49));
  EXPECT_TRUE(worth.asked(7, 50));
  worth.ended(7, 0, kWanted, 50);
  EXPECT_FALSE(worth.asked(7, 149));
  EXPECT_TRUE(worth.asked(7, 150));
}

TEST(Worth, HalvesThePauseForAWarrantyThatAnswersOftenEnough) {
  Worth worth;
  worth.asked(7, 0);
  worth.ended(7, 0, kWanted, 0);
  worth.ended(7, 0, kWanted, 0);
  worth.ended(7, kWanted, kWanted, 100);
  worth.ended(7, 0, kWanted, 100);
  EXPECT_FALSE(worth.asked(7, 199));
  EXPECT_TRUE(worth.asked(7, 200));
}

TEST(Worth, BeginsAtOnceAfterAWarrantyThatAnsweredOftenEnough) {
  Worth worth;
  worth.asked(7, 0);
  worth.ended(7, kWanted, kWanted, 5000);
  EXPECT_TRUE(worth.asked(7, 6000));
}

TEST(Worth, ForgivesAWarrantyThatAnsweredTooSeldomAfterBetterOnes) {
  Worth worth;
  worth.asked(7, 0);
  worth.ended(7, 10 * kWanted, kWanted, 0);
  worth.ended(7, 0, kWanted, 10);
  EXPECT_TRUE(worth.asked(7, 20));
  for (double now_ms = 20; now_ms < 40; now_ms += 10) worth.ended(7, 0, kWanted, now_ms);
  EXPECT_FALSE(worth.asked(7, 50));
}

// A result of many readings is only kept if each of them is promised: two that share a bucket must not hinder each other.
TEST(Worth, KnowsOperationsApartThatShareABucket) {
  Worth worth;
  constexpr std::uint64_t kApart = 1'000'000;
  for (std::uint64_t i = 1; i <= 8; ++i) EXPECT_FALSE(worth.asked(i * 8'192 * kApart, 0));
  for (std::uint64_t i = 1; i <= 8; ++i) EXPECT_TRUE(worth.asked(i * 8'192 * kApart, 1));
}

TEST(Worth, ForgetsTheOneOfABucketThatWasAskedForLongestAgo) {
  Worth worth;
  for (std::uint64_t i = 1; i <= 9; ++i) worth.asked(i * 8'192, static_cast<double>(i));
  EXPECT_TRUE(worth.asked(2 * 8'192, 10));
  EXPECT_FALSE(worth.asked(1 * 8'192, 11));
}

TEST(Worth, BelievesThatWhatIsUnknownLasts) {
  Worth worth;
  EXPECT_TRUE(worth.lasts(7, 30'000, 0));
  for (double now_ms = 0; now_ms < 10'000; now_ms += 100) worth.violated(7, now_ms);
  EXPECT_FALSE(worth.lasts(7, 1000, 10'000));
  EXPECT_TRUE(worth.lasts(7, 40, 10'000));
}

}  // namespace
}  // namespace claret
