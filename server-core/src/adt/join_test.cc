#include "adt/join.h"

#include <gtest/gtest.h>

#include "adt/test_record.h"

namespace claret {
namespace {

// The result of `call` that follows from `held`, executed on the current record; absent if none follows.
std::optional<Value> joined(TestRecord& record, const Call& held, const Call& call) {
  const JoinRule* rule = find_join(record.type(), *held.operation, *call.operation);
  if (rule == nullptr) return std::nullopt;
  const Value result = record.type().execute(record.state(), held, {}, Context{1}).result();
  return joined_result(*rule, {&held, &result}, call);
}

class ALongScoredSet : public ::testing::Test {
 protected:
  ALongScoredSet() : record("ScoredSet") {
    for (std::int64_t i = 0; i < 1200; ++i) record.run("add", {Value("m" + std::to_string(i)), integer(i / 2)});
  }

  Call range(std::int64_t start, std::int64_t stop) { return record.call("range", {integer(start), integer(stop)}); }
  Call by_score(std::int64_t min, std::int64_t max, std::int64_t limit, Value after = {}) {
    return record.call("rangeByScore", {integer(min), integer(max), integer(limit), std::move(after)});
  }
  void expect_joined(const Call& held, const Call& call) {
    EXPECT_EQ(joined(record, held, call), record.run(call.operation->name, call.arguments));
  }
  void expect_asked(const Call& held, const Call& call) { EXPECT_EQ(joined(record, held, call), std::nullopt); }

  TestRecord record;
};

TEST_F(ALongScoredSet, ARangeGivesItsSubRanges) {
  expect_joined(range(0, 99), range(0, 99));
  expect_joined(range(0, 99), range(0, 9));
  expect_joined(range(10, 99), range(90, 99));
  expect_asked(range(10, 99), range(9, 20));
  expect_asked(range(10, 99), range(90, 100));
}

TEST_F(ALongScoredSet, AShortResultShowsWhereTheSetEnds) {
  expect_joined(range(1150, 5000), range(1190, 1300));
  expect_joined(range(1150, 5000), range(1300, 1301));
  expect_joined(range(2000, 5000), range(2500, 2600));
}

TEST_F(ALongScoredSet, AFullPageSaysNothingAboutItemsBehindIt) {
  expect_joined(range(0, 5000), range(900, 999));
  expect_asked(range(0, 5000), range(900, 1000));
  expect_joined(range(0, 5000), range(0, 4000));
}

TEST_F(ALongScoredSet, RanksFromTheEndJoinOnlyEqualCalls) {
  expect_joined(range(-9, -1), range(-9, -1));
  expect_asked(range(-9, -1), range(-3, -1));
  expect_asked(range(0, -1), range(0, 3));
}

TEST_F(ALongScoredSet, AScoreRangeGivesItsSubRanges) {
  expect_joined(by_score(0, 20, 100), by_score(5, 10, 100));
  expect_joined(by_score(0, 20, 100), by_score(5, 20, 3));
  expect_joined(by_score(0, 1000, 10), by_score(1, 3, 10));
  expect_asked(by_score(0, 1000, 10), by_score(1, 4, 10));
  expect_joined(by_score(0, 1000, 10), by_score(1, 4, 8));
  expect_asked(by_score(0, 20, 10), by_score(0, 20, 11));
  expect_asked(by_score(5, 20, 100), by_score(4, 20, 100));
}

TEST_F(ALongScoredSet, APageJoinsOnlyFromTheSameStart) {
  expect_joined(by_score(3, 20, 100, "m6"), by_score(3, 9, 5, "m6"));
  expect_asked(by_score(3, 20, 100, "m6"), by_score(3, 20, 100));
  expect_asked(by_score(3, 20, 100, "m6"), by_score(4, 20, 100, "m6"));
}

TEST(Join, FewerTopItemsFollowFromMore) {
  TestRecord record("TopK");
  const Call top3 = record.call("top", {integer(3)});
  EXPECT_EQ(joined(record, top3, record.call("max")), Value());
  record.run("add", {"a", Value(1.0)});
  record.run("add", {"b", Value(2.0)});
  EXPECT_EQ(joined(record, top3, record.call("max")), record.run("max"));
  EXPECT_EQ(joined(record, top3, record.call("top", {integer(1)})), record.run("top", {integer(1)}));
  EXPECT_EQ(joined(record, top3, record.call("top", {integer(4)})), std::nullopt);
  EXPECT_EQ(joined(record, top3, record.call("top", {integer(0)})), std::nullopt);
}

TEST(Join, SomeFieldsFollowFromMore) {
  TestRecord record("Dict");
  record.run("set", {list({list({"a", integer(1)}), list({"b", "x"})})});
  const Call held = record.call("get", {list({"b", "a", "none"})});
  const auto get = [&](std::vector<Value> fields) { return joined(record, held, record.call("get", {list(fields)})); };
  EXPECT_EQ(get({"a"}), list({integer(1)}));
  EXPECT_EQ(get({"none", "b", "b"}), list({Value(), "x", "x"}));
  EXPECT_EQ(get({}), list({}));
  EXPECT_EQ(get({"a", "other"}), std::nullopt);
}

TEST(Join, AVoidOperationFollowsOnlyFromAnEqualCall) {
  TestRecord record("Set");
  EXPECT_EQ(joined(record, record.call("add", {"a"}), record.call("add", {"a"})), Value());
  EXPECT_EQ(joined(record, record.call("add", {"a"}), record.call("add", {"b"})), std::nullopt);
  EXPECT_EQ(joined(record, record.call("add", {"a"}), record.call("remove", {"a"})), std::nullopt);
}

TEST(Join, CoveredOperationsCommuteWithTheirMode) {
  std::string names;
  for (const DataType* type : all_types()) {
    for (const OperationSpec& operation : type->operations()) {
      if (covered(*type, operation)) names += std::string(type->name()) + "." + std::string(operation.name) + " ";
    }
  }
  EXPECT_EQ(names, "Set.add Set.remove ScoredSet.remove TopK.add SummaryBag.add HyperLogLog.add ");
}

}  // namespace
}  // namespace claret
