// Which operations are worth a warranty.
#include "transaction/worth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "adt/registry.h"

namespace claret {
namespace {

constexpr std::uint64_t kWanted = 4;

Worth::Operation operation(std::uint64_t name = 7) {
  static const OperationSpec kind{};
  return {.name = name, .kind = &kind};
}

// Asks so often in a row, and returns whether the last one was worth while.
bool asked(Worth& worth, double now_ms, std::uint64_t times = kWanted, std::int64_t result = 5, std::uint64_t name = 7) {
  bool worth_while = false;
  for (std::uint64_t i = 0; i < times; ++i) worth_while = worth.asked(operation(name), Value(result), kWanted, now_ms);
  return worth_while;
}

TEST(Worth, NamesOperationsByKeyOperationAndArguments) {
  const DataType& set = *find_type("Set");
  const DataType& scored = *find_type("ScoredSet");
  const auto name = [](std::string_view key, const DataType& type, std::string_view operation, std::vector<Value> arguments = {}) {
    Call call;
    call.operation = type.find(operation);
    for (Value& argument : arguments) call.arguments.push_back(std::move(argument));
    return Worth::named(key, call).name;
  };
  const std::vector<std::uint64_t> names = {
      name("a", set, "size"),
      name("b", set, "size"),
      name("a", set, "contains", {"x"}),
      name("a", set, "contains", {"y"}),
      name("ax", set, "contains", {""}),
      name("a", scored, "range", {std::int64_t{0}, std::int64_t{1}}),
      name("a", scored, "range", {std::int64_t{1}, std::int64_t{0}}),
      name("a", scored, "rank", {"x"}),
  };
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(std::count(names.begin(), names.end(), names[i]), 1) << i;
  EXPECT_EQ(name("a", set, "contains", {"x"}), names[2]);
}

TEST(Worth, BeginsOnceAResultHasLastedForSoManyAskings) {
  Worth worth;
  EXPECT_FALSE(asked(worth, 0, kWanted - 1));
  EXPECT_FALSE(asked(worth, 0, kWanted - 1, 6));
  EXPECT_TRUE(asked(worth, 30'000, 1, 6));
}

TEST(Worth, CountsAskingsInARowThatAreNoMoreThanHalfAMinuteApart) {
  Worth worth;
  asked(worth, 0, kWanted - 1);
  EXPECT_FALSE(asked(worth, 30'001, 1));
  EXPECT_TRUE(asked(worth, 60'001, kWanted - 1));
}

TEST(Worth, TellsResultsOfAllKindsApart) {
  Worth worth;
  const std::vector<Value> results = {Value(), true, std::int64_t{9}, 2.5, "text", Value::List{"text"}, Value::List{"other"}};
  for (const Value& result : results) {
    for (std::uint64_t i = 1; i < kWanted; ++i) EXPECT_FALSE(worth.asked(operation(), result, kWanted, 0));
  }
}

TEST(Worth, PausesLongerEachTimeThatAWarrantyAnswersTooSeldom) {
  Worth worth;
  asked(worth, 0);
  worth.ended(operation(), kWanted - 1, kWanted, 0);
  EXPECT_FALSE(asked(worth, 49));
  EXPECT_TRUE(asked(worth, 50, 1));
  worth.ended(operation(), 0, kWanted, 50);
  EXPECT_FALSE(asked(worth, 149));
  EXPECT_TRUE(asked(worth, 150, 1));
}

TEST(Worth, HalvesThePauseForAWarrantyThatAnsweredOftenEnough) {
  Worth worth;
  for (int i = 0; i < 3; ++i) worth.ended(operation(), 0, kWanted, 0);
  worth.ended(operation(), kWanted, kWanted, 100);
  worth.ended(operation(), 0, kWanted, 100);
  EXPECT_FALSE(asked(worth, 299));
  EXPECT_TRUE(asked(worth, 300, 1));
}

TEST(Worth, BeginsAtOnceAfterAWarrantyThatAnsweredOftenEnough) {
  Worth worth;
  worth.ended(operation(), kWanted, kWanted, 5000);
  EXPECT_TRUE(asked(worth, 35'000, 1));
  EXPECT_FALSE(asked(worth, 65'001, 1));
}

TEST(Worth, ForgivesAWarrantyThatAnsweredTooSeldomAfterBetterOnes) {
  Worth worth;
  worth.ended(operation(), 10 * kWanted, kWanted, 0);
  worth.ended(operation(), 0, kWanted, 10);
  EXPECT_TRUE(asked(worth, 20, 1));
  for (double now_ms = 20; now_ms < 60; now_ms += 10) worth.ended(operation(), 0, kWanted, now_ms);
  EXPECT_FALSE(asked(worth, 60));
}

// How many of 8,000 askings count.
std::uint64_t counted(Worth& worth, const OperationSpec& kind) {
  std::uint64_t count = 0;
  for (int i = 0; i < 8000; ++i) count += worth.counts(kind) ? 1 : 0;
  return count;
}

TEST(Worth, CountsFewerAskingsOfAKindWhoseWarrantiesAnswerTooSeldom) {
  Worth worth;
  const OperationSpec& kind = *operation().kind;
  EXPECT_EQ(counted(worth, kind), 8000u);
  worth.ended(operation(1), 0, kWanted, 0);
  EXPECT_NEAR(static_cast<double>(counted(worth, kind)), 4000, 400);
  for (std::uint64_t name = 2; name < 10; ++name) worth.ended(operation(name), 0, kWanted, 0);
  EXPECT_NEAR(static_cast<double>(counted(worth, kind)), 1000, 200);
  EXPECT_EQ(counted(worth, OperationSpec{}), 8000u) << "another kind";
}

TEST(Worth, CountsMoreAskingsAgainOfAKindWhoseWarrantiesAnswerOften) {
  Worth worth;
  worth.ended(operation(1), 0, kWanted, 0);
  for (std::uint64_t name = 2; name < 10; ++name) worth.ended(operation(name), kWanted, kWanted, 0);
  EXPECT_EQ(counted(worth, *operation().kind), 8000u);
}

// Thousands of readings in the same order each time: none must be left out for ever.
TEST(Worth, CountsOtherAskingsEachTime) {
  Worth worth;
  for (std::uint64_t name = 1; name < 4; ++name) worth.ended(operation(name), 0, kWanted, 0);
  std::array<bool, 8> counted{};
  for (std::size_t i = 0; i < 4000; ++i) counted[i % 8] = worth.counts(*operation().kind) || counted[i % 8];
  EXPECT_EQ(std::count(counted.begin(), counted.end(), true), 8);
}

// A value of many readings is only kept if each of them is promised: two that share a bucket must not hinder each other.
TEST(Worth, KnowsOperationsApartThatShareABucket) {
  Worth worth;
  const auto ask_all = [&](std::uint64_t times, double now_ms) {
    std::uint64_t worth_while = 0;
    for (std::uint64_t i = 1; i <= 8; ++i) worth_while += asked(worth, now_ms, times, 5, i << 40U) ? 1 : 0;
    return worth_while;
  };
  EXPECT_EQ(ask_all(kWanted - 1, 0), 0u);
  EXPECT_EQ(ask_all(1, 1), 8u);
}

TEST(Worth, ForgetsTheOneOfABucketThatWasAskedForLongestAgo) {
  Worth worth;
  for (std::uint64_t i = 1; i <= 9; ++i) asked(worth, static_cast<double>(i), kWanted, 5, i << 40U);
  EXPECT_TRUE(asked(worth, 10, 1, 5, 2ULL << 40U));
  EXPECT_FALSE(asked(worth, 11, 1, 5, 1ULL << 40U));
}

TEST(Worth, BelievesThatAResultLastsThatWasNeverSeenToChange) {
  Worth worth;
  EXPECT_TRUE(worth.lasts(operation(), 30'000, 0));
  asked(worth, 0);
  EXPECT_TRUE(worth.lasts(operation(), 30'000, 0));
}

TEST(Worth, SeesChangesBetweenAskings) {
  Worth worth;
  for (std::int64_t result = 0; result < 10; ++result) asked(worth, static_cast<double>(result) * 500, 2, result);
  EXPECT_FALSE(worth.lasts(operation(), 500, 4500));
  EXPECT_TRUE(worth.lasts(operation(), 250, 4500));
  EXPECT_TRUE(worth.lasts(operation(), 500, 5500));
}

TEST(Worth, BelievesThatAResultLastsAsItDidBetweenChanges) {
  Worth worth;
  for (double now_ms = 0; now_ms < 10'000; now_ms += 100) worth.violated(operation(), now_ms, now_ms);
  EXPECT_FALSE(worth.lasts(operation(), 1000, 10'000));
  EXPECT_TRUE(worth.lasts(operation(), 40, 10'000));
}

TEST(Worth, AfterTheFirstChangeBelievesWhatItSees) {
  Worth worth;
  worth.violated(operation(), 100'000, 100'000);
  EXPECT_FALSE(worth.lasts(operation(), 2000, 103'999));
  EXPECT_TRUE(worth.lasts(operation(), 2000, 104'000));
}

// Otherwise a change that waits for one promise would make the next one look safe.
TEST(Worth, DoesNotTakeTheWaitOfAChangeForATimeThatTheResultLasts) {
  Worth worth;
  for (double came_ms = 0; came_ms < 40'000; came_ms += 4000) worth.violated(operation(), came_ms, came_ms + 3000);
  EXPECT_FALSE(worth.lasts(operation(), 1000, 39'000));
  EXPECT_TRUE(worth.lasts(operation(), 500, 39'000));
}

}  // namespace
}  // namespace claret
