#include <gtest/gtest.h>

#include <limits>

#include "adt/test_record.h"
#include "ground/errors.h"

namespace claret {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// A stock, with pending calls of other transactions beside it; each call is a transaction of its own.
class Stock : public ::testing::Test {
 protected:
  explicit Stock(std::int64_t value = 0) : record("BoundedCounter") {
    if (value > 0) record.run("increment", {integer(value)});
  }

  // Returns "yes", "no" (tryDecrement answers false), "wait", or the code of the refusal. Granted calls stay pending until `end`.
  std::string ask(std::string_view operation, std::int64_t n, std::span<const Held> own = {}) {
    const Call call = record.call(operation, {integer(n)});
    const Outcome outcome = record.type().execute(record.state(), call, own, Context{1});
    if (outcome.refused()) return std::string(outcome.refusal().code);
    if (record.type().reserve(record.state(), call, outcome.result(), own) == DataType::Reservation::kWait) return "wait";
    pending.push_back({call, outcome.result()});
    return outcome.result() == Value(false) ? "no" : "yes";
  }
  void end(std::size_t index, bool commits) {
    const auto& [call, result] = pending[index];
    record.type().release(record.state(), call, result);
    if (commits) record.type().commit(record.state(), call, result);
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(index));
  }
  Value value() { return record.run("value"); }

  TestRecord record;
  std::vector<std::pair<Call, Value>> pending;
};

class StockOfTwo : public Stock {
 protected:
  StockOfTwo() : Stock(2) {}
};

TEST_F(StockOfTwo, TwoUnitsCanBeReservedAndNoMore) {
  EXPECT_EQ(ask("decrement", 1), "yes");
  EXPECT_EQ(ask("tryDecrement", 1), "yes");
  EXPECT_EQ(ask("decrement", 1), "wait");
  EXPECT_EQ(ask("tryDecrement", 1), "wait");
  end(0, true);
  EXPECT_EQ(ask("decrement", 1), "wait");
  end(0, true);
  EXPECT_EQ(ask("decrement", 1), errors::kBelowBound);
  EXPECT_EQ(ask("tryDecrement", 1), "no");
  EXPECT_EQ(value(), integer(0));
}

TEST_F(StockOfTwo, AnAbortReturnsTheReservedAmount) {
  EXPECT_EQ(ask("decrement", 2), "yes");
  EXPECT_EQ(ask("decrement", 1), "wait");
  end(0, false);
  EXPECT_EQ(ask("decrement", 1), "yes");
}

TEST_F(StockOfTwo, AnIncrementIsAvailableOnlyOnceItCommits) {
  EXPECT_EQ(ask("decrement", 3), errors::kBelowBound);
  EXPECT_EQ(ask("increment", 1), "yes");
  EXPECT_EQ(ask("decrement", 3), "wait");
  EXPECT_EQ(ask("tryDecrement", 3), "wait");
  EXPECT_EQ(ask("tryDecrement", 4), "no");
  end(0, true);
  EXPECT_EQ(ask("decrement", 3), "yes");
}

TEST_F(StockOfTwo, AFalseAnswerStaysTrueWhileItIsHeld) {
  EXPECT_EQ(ask("tryDecrement", 5), "no");
  EXPECT_EQ(ask("increment", 2), "yes");
  EXPECT_EQ(ask("increment", 1), "wait");
  EXPECT_EQ(ask("decrement", 2), "yes");
  end(0, true);
  EXPECT_EQ(ask("increment", 1), "yes");
}

TEST_F(StockOfTwo, ATransactionMayIncrementPastItsOwnFailedTry) {
  EXPECT_EQ(ask("tryDecrement", 5), "no");
  const Held own{&pending[0].first, &pending[0].second};
  EXPECT_EQ(ask("increment", 9, std::span(&own, 1)), "yes");
}

TEST_F(StockOfTwo, CountsATransactionsOwnChanges) {
  EXPECT_EQ(ask("increment", 1), "yes");
  const Held own{&pending[0].first, &pending[0].second};
  EXPECT_EQ(ask("decrement", 3, std::span(&own, 1)), "yes");
}

TEST_F(StockOfTwo, GuardsTheUpperEndOf64BitsToo) {
  EXPECT_EQ(ask("increment", kMax), errors::kOutOfRange);
  EXPECT_EQ(ask("increment", kMax - 2), "yes");
  EXPECT_EQ(ask("increment", 1), "wait");
  EXPECT_EQ(ask("decrement", 1), "yes");
  EXPECT_EQ(ask("increment", 1), "wait");
  end(1, true);
  EXPECT_EQ(ask("increment", 1), "yes");
}

TEST_F(StockOfTwo, RefusesNegativeAmounts) {
  EXPECT_EQ(ask("increment", -1), errors::kOutOfRange);
  EXPECT_EQ(ask("decrement", -1), errors::kOutOfRange);
  EXPECT_EQ(ask("tryDecrement", -1), errors::kOutOfRange);
}

TEST_F(StockOfTwo, ValueCommutesWithATryThatTookNothing) {
  EXPECT_TRUE(record.commute(record.call("value"), record.call("tryDecrement", {integer(3)})));
  EXPECT_FALSE(record.commute(record.call("value"), record.call("tryDecrement", {integer(2)})));
}

TEST_F(StockOfTwo, AnUndoneTryGivesBackOnlyWhatItTook) {
  record.run("tryDecrement", {integer(2)});
  record.run("tryDecrement", {integer(1)});
  EXPECT_EQ(record.undo(), Value());
  EXPECT_EQ(value(), integer(0));
  record.undo();
  EXPECT_EQ(value(), integer(2));
}

TEST_F(StockOfTwo, AnUndoLeavesReservationsAsTheyAre) {
  EXPECT_EQ(ask("decrement", 1), "yes");
  record.run("increment", {integer(1)});
  record.undo();
  EXPECT_EQ(ask("decrement", 2), "wait");
  EXPECT_EQ(ask("decrement", 1), "yes");
}

TEST(AtLeast, StaysTrueAsLongAsTheAmountIsThereInTheWorstCase) {
  TestRecord record("BoundedCounter");
  record.run("increment", {integer(20)});
  const Call at_least_ten = record.call("atLeast", {integer(10)});
  EXPECT_EQ(record.run("atLeast", {integer(20)}), Value(true));
  EXPECT_EQ(record.run("atLeast", {integer(21)}), Value(false));
  EXPECT_TRUE(record.commute(at_least_ten, record.call("increment", {integer(99)})));
  EXPECT_TRUE(record.commute(at_least_ten, record.call("decrement", {integer(10)})));
  EXPECT_FALSE(record.commute(at_least_ten, record.call("decrement", {integer(11)})));
  EXPECT_FALSE(record.commute(at_least_ten, record.call("tryDecrement", {integer(11)})));
  EXPECT_TRUE(record.commute(at_least_ten, record.call("tryDecrement", {integer(21)}))) << "it answers false";

  const Call six = record.call("decrement", {integer(6)});
  EXPECT_EQ(record.type().reserve(record.state(), six, Value()), DataType::Reservation::kYes);
  EXPECT_TRUE(record.commute(at_least_ten, record.call("decrement", {integer(4)})));
  EXPECT_FALSE(record.commute(at_least_ten, record.call("decrement", {integer(5)})));
}

TEST(AtLeast, StaysFalseAsLongAsTheAmountIsNotThereInTheBestCase) {
  TestRecord record("BoundedCounter");
  const Call at_least_ten = record.call("atLeast", {integer(10)});
  EXPECT_TRUE(record.commute(at_least_ten, record.call("increment", {integer(9)})));
  EXPECT_FALSE(record.commute(at_least_ten, record.call("increment", {integer(10)})));
  const Call five = record.call("increment", {integer(5)});
  EXPECT_EQ(record.type().reserve(record.state(), five, Value()), DataType::Reservation::kYes);
  EXPECT_TRUE(record.commute(at_least_ten, record.call("increment", {integer(4)})));
  EXPECT_FALSE(record.commute(at_least_ten, record.call("increment", {integer(5)})));
}

}  // namespace
}  // namespace claret
