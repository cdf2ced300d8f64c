#include <limits>

#include "adt/test_record.h"
#include "ground/errors.h"

namespace claret {
namespace {

constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
using Reservation = DataType::Reservation;

TEST(Counter, AddsUp) {
  TestRecord record("Counter");
  record.run("add", {integer(5)});
  record.run("add", {integer(-7)});
  EXPECT_EQ(record.run("value"), integer(-2));
}

TEST(Counter, RefusesAnAdditionThatIsCertainToLeaveTheRange) {
  TestRecord record("Counter");
  record.run("add", {integer(kGreatest)});
  EXPECT_EQ(record.refusal("add", {integer(1)}), errors::kOutOfRange);
  EXPECT_EQ(record.refusal("add", {integer(1)}, {record.call("add", {integer(-1)})}), "");
}

TEST(Counter, AnAdditionThatMightNotFitWaitsForTheOthers) {
  TestRecord record("Counter");
  record.run("add", {integer(kGreatest - 2)});
  const Call add = record.call("add", {integer(1)});
  const auto reserve = [&] { return record.type().reserve(record.state(), add, Value()); };
  EXPECT_EQ(reserve(), Reservation::kYes);
  EXPECT_EQ(reserve(), Reservation::kYes);
  EXPECT_EQ(reserve(), Reservation::kWait) << "three fit one by one, not together";
  record.type().release(record.state(), add, Value());  // one aborts
  EXPECT_EQ(reserve(), Reservation::kYes);
}

TEST(Counter, ATransactionDoesNotWaitForItself) {
  TestRecord record("Counter");
  record.run("add", {integer(kGreatest)});
  const Call down = record.call("add", {integer(-5)});
  const Call up = record.call("add", {integer(5)});
  const Value none;
  const std::vector<Held> own = {{&down, &none}};
  EXPECT_EQ(record.type().reserve(record.state(), down, none), Reservation::kYes);
  EXPECT_EQ(record.type().reserve(record.state(), up, none, own), Reservation::kYes);
}

TEST(Counter, AnUndoNeedsOnlyTheCall) {
  TestRecord record("Counter");
  record.run("add", {integer(-kGreatest)});
  record.run("add", {integer(kGreatest)});
  EXPECT_EQ(record.undo(), Value());
  EXPECT_EQ(record.run("value"), integer(-kGreatest));
}

}  // namespace
}  // namespace claret
