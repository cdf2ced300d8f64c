#include <limits>

#include "adt/test_record.h"
#include "ground/errors.h"

namespace claret {
namespace {

TEST(Register, KeepsTheLastValueOfAnyKind) {
  TestRecord record("Register");
  EXPECT_EQ(record.run("get"), Value());
  record.run("set", {"text"});
  EXPECT_EQ(record.run("get"), Value("text"));
  record.run("set", {true});
  EXPECT_EQ(record.run("get"), Value(true));
}

TEST(Register, CompareAndSetWritesOnlyOverWhatItExpects) {
  TestRecord record("Register");
  EXPECT_EQ(record.run("compareAndSet", {Value(), integer(1)}), Value(true));
  EXPECT_EQ(record.run("compareAndSet", {Value(1.0), integer(2)}), Value(false)) << "a number is not an integer";
  EXPECT_EQ(record.run("compareAndSet", {integer(1), integer(2)}), Value(true));
  EXPECT_EQ(record.run("get"), integer(2));
}

TEST(Register, AFailedCompareAndSetCommutesWithSetsOfOtherValues) {
  TestRecord record("Register");
  record.run("set", {"now"});
  const Call failed = record.call("compareAndSet", {"then", "next"});
  EXPECT_TRUE(record.commute(failed, record.call("get")));
  EXPECT_TRUE(record.commute(failed, record.call("set", {"other"})));
  EXPECT_FALSE(record.commute(failed, record.call("set", {"then"})));
}

TEST(Register, ExchangeAnswersTheValueThatItReplaces) {
  TestRecord record("Register");
  EXPECT_EQ(record.run("exchange", {"a"}), Value());
  EXPECT_EQ(record.run("exchange", {true}), Value("a"));
  EXPECT_EQ(record.undo(), Value("a"));
  EXPECT_EQ(record.run("get"), Value("a"));
}

TEST(Register, IncrementAndGetCountsFromNothingAndRefusesWhatIsNoInteger) {
  TestRecord record("Register");
  EXPECT_EQ(record.run("incrementAndGet", {integer(5)}), integer(5));
  EXPECT_EQ(record.run("incrementAndGet", {integer(-7)}), integer(-2));
  record.run("set", {integer(std::numeric_limits<std::int64_t>::max())});
  EXPECT_EQ(record.refusal("incrementAndGet", {integer(1)}), errors::kOutOfRange);
  record.run("set", {"7"});
  EXPECT_EQ(record.refusal("incrementAndGet", {integer(1)}), errors::kNotAnInteger);
}

TEST(Register, AnUndoneWriteLeavesTheOldValue) {
  TestRecord record("Register");
  record.run("set", {"old"});
  record.run("compareAndSet", {"old", "new"});
  record.run("compareAndSet", {"old", "newer"});
  EXPECT_EQ(record.undo(), Value()) << "it changed nothing";
  EXPECT_EQ(record.run("get"), Value("new"));
  EXPECT_EQ(record.undo(), Value("old"));
  EXPECT_EQ(record.run("get"), Value("old"));
}

}  // namespace
}  // namespace claret
