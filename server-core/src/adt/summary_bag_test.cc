#include "adt/test_record.h"
#include "ground/errors.h"

namespace claret {
namespace {

TEST(SummaryBag, SummarizesTheIntegersAdded) {
  TestRecord record("SummaryBag");
  EXPECT_EQ(record.run("mean"), Value());
  for (const std::int64_t x : {2, 4, 4, 4, 5, 5, 7, 9}) record.run("add", {integer(x)});
  EXPECT_EQ(record.run("count"), integer(8));
  EXPECT_EQ(record.run("mean"), Value(5.0));
  EXPECT_EQ(record.run("variance"), Value(4.0));
  EXPECT_EQ(record.run("min"), integer(2));
  EXPECT_EQ(record.run("max"), integer(9));
}

TEST(SummaryBag, LosesNoPrecisionAmongLargeNumbers) {
  TestRecord record("SummaryBag");
  for (const std::int64_t x : {0, 1, 2, 3}) record.run("add", {integer(kExactNumberMax - x)});
  EXPECT_EQ(record.run("variance"), Value(1.25));
  record.run("add", {integer(-kExactNumberMax)});
  EXPECT_EQ(record.run("min"), integer(-kExactNumberMax));
}

TEST(SummaryBag, RefusesIntegersThatADoubleCannotHoldExactly) {
  TestRecord record("SummaryBag");
  EXPECT_EQ(record.refusal("add", {integer(kExactNumberMax + 1)}), errors::kOutOfRange);
  EXPECT_EQ(record.refusal("add", {integer(-kExactNumberMax - 1)}), errors::kOutOfRange);
}

TEST(SummaryBag, MinCommutesWithAddsThatAreNotBelowIt) {
  TestRecord record("SummaryBag");
  EXPECT_FALSE(record.commute(record.call("min"), record.call("add", {integer(1)})));
  record.run("add", {integer(3)});
  EXPECT_TRUE(record.commute(record.call("min"), record.call("add", {integer(3)})));
  EXPECT_FALSE(record.commute(record.call("min"), record.call("add", {integer(2)})));
  EXPECT_TRUE(record.commute(record.call("max"), record.call("add", {integer(2)})));
  EXPECT_FALSE(record.commute(record.call("mean"), record.call("add", {integer(3)})));
}

TEST(SummaryBag, AnUndoneAddLeavesNothingOfIt) {
  TestRecord record("SummaryBag");
  std::vector<std::string> bytes;
  const std::vector<std::int64_t> added = {-3, kExactNumberMax, 5, -kExactNumberMax, kExactNumberMax, -3};
  for (const std::int64_t x : added) {
    bytes.push_back(record.bytes());
    record.run("add", {integer(x)});
  }
  for (; !bytes.empty(); bytes.pop_back()) {
    record.undo();
    EXPECT_EQ(record.bytes(), bytes.back()) << bytes.size();
  }
  EXPECT_EQ(record.run("min"), Value());
}

TEST(SummaryBag, KeepsOnlyTheExtremeThatIsReplaced) {
  TestRecord record("SummaryBag");
  record.run("add", {integer(3)});
  record.run("add", {integer(5)});
  EXPECT_EQ(record.undo(), integer(3)) << "3 was the greatest, too";
  record.run("add", {integer(3)});
  EXPECT_EQ(record.undo(), Value());
  EXPECT_EQ(record.undo(), Value());
}

}  // namespace
}  // namespace claret
