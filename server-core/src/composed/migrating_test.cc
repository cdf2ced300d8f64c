#include <gtest/gtest.h>

#include <string>

#include "adt/test_record.h"
#include "composed/test_definitions.h"
#include "composed/test_polls.h"

namespace claret::composed {
namespace {

std::int64_t n(std::int64_t value) { return value; }

struct Polls {
  std::unique_ptr<ComposedType> type = composed_type(poll_1());
  TestRecord record{*type};

  Polls() {
    record.run("vote", {"ann", n(10)});
    record.run("vote", {"bob", n(3)});
    record.run("vote", {"cid", n(0)});
  }
  void adopt(const std::string& text) {
    Parsed parsed = parse_definition(text);
    ASSERT_NE(parsed.definition, nullptr) << parsed.problem;
    ASSERT_EQ(type->can_adopt(*parsed.definition), std::nullopt);
    type->adopt(std::move(parsed.definition));
  }
};

TEST(Migration, FillsNewFieldsFromEarlierOnes) {
  Polls polls;
  polls.adopt(poll_2());
  EXPECT_EQ(polls.record.run("sum"), Value(n(13)));
  EXPECT_EQ(polls.record.run("names"), Value(Value::List{"ann"}));
  polls.record.run("vote", {"bob", n(4)});
  EXPECT_EQ(polls.record.run("sum"), Value(n(17)));
  EXPECT_EQ(polls.record.run("votes", {"bob"}), Value(n(7)));
}

TEST(Migration, IsDoneOnceHoweverARecordIsTouchedFirst) {
  for (const bool writes_first : {false, true}) {
    Polls polls;
    polls.adopt(poll_2());
    if (writes_first) polls.record.run("take", {n(1)});
    EXPECT_EQ(polls.record.run("sum"), Value(n(writes_first ? 12 : 13)));
    EXPECT_EQ(polls.record.run("sum"), Value(n(writes_first ? 12 : 13)));
  }
}

TEST(Migration, GivesReservationsWhatItHasFilled) {
  Polls polls;
  polls.adopt(poll_2());
  EXPECT_EQ(polls.record.refusal("take", {n(14)}), errors::kBelowBound);
  const Call take = polls.record.call("take", {n(13)});
  EXPECT_EQ(polls.record.refusal("take", {n(1)}, {take}), errors::kBelowBound);
}

TEST(Migration, OfSeveralVersionsIsDoneInTheirOrder) {
  Polls polls;
  polls.adopt(poll_2());
  polls.adopt(poll_4());
  EXPECT_EQ(polls.record.run("sum"), Value(n(26)));
}

TEST(Migration, IsNotDoneToARecordThatWasMadeLater) {
  const auto type = composed_type(poll_4());
  TestRecord record(*type);
  record.run("vote", {"ann", n(1)});
  EXPECT_EQ(record.run("sum"), Value(n(1)));
  const auto again = type->decode(record.bytes());
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(static_cast<const Fields&>(*again).schema, 4);
}

TEST(Migration, IsDoneToBytesOfAnEarlierVersion) {
  Polls polls;
  const std::string bytes = polls.record.bytes();
  const auto type = composed_type(poll_4());
  TestRecord record(*type);
  record.restore(bytes);
  EXPECT_EQ(record.bytes(), bytes) << "a record that nobody touches stays as it is";
  EXPECT_EQ(record.run("sum"), Value(n(26)));
}

TEST(Migration, UndoesWhatHasComeAfterIt) {
  Polls polls;
  polls.adopt(poll_2());
  polls.record.run("sum");
  const std::string migrated = polls.record.bytes();
  polls.record.run("vote", {"ann", n(2)});
  polls.record.run("take", {n(5)});
  polls.record.undo();
  polls.record.undo();
  EXPECT_EQ(polls.record.bytes(), migrated);
}

TEST(Migration, ThatFailsQuarantinesTheRecord) {
  Polls polls;
  polls.record.run("vote", {"dan", n(-1)});
  std::string text = poll_2();
  const std::string condition = R"("when":["<",0,["read",0,["local",0],"value"]]})";
  text.replace(text.find(condition), condition.size(), R"("when":null})");
  polls.adopt(text);
  const std::string before = polls.record.bytes();
  EXPECT_EQ(polls.record.refusal("sum", {}), errors::kRecordQuarantined);
  EXPECT_EQ(polls.record.refusal("vote", {"ann", n(1)}), errors::kRecordQuarantined);
  EXPECT_EQ(polls.record.bytes(), before);
}

TEST(Migration, TakesACallOfAnEarlierVersionForThatOfTheFirstOneWithTheSameRecords) {
  Polls polls;
  const Call vote = polls.record.call("vote", {"ann", n(1)});
  polls.adopt(poll_2());
  polls.record.commit(vote, Value());
  EXPECT_EQ(polls.record.run("sum"), Value(n(14)));
}

TEST(Migration, IsNotDoneToARecordThatHoldsNothing) {
  const auto type = composed_type(poll_1());
  TestRecord blank(*type);
  Parsed later = parse_definition(
      poll(2, kSumFields, kSumOperations,
           R"({"to":2,"writes":[{"over":null,"field":1,"key":null,"operation":"increment","arguments":[5],"when":null}]})"));
  ASSERT_NE(later.definition, nullptr) << later.problem;
  type->adopt(std::move(later.definition));
  EXPECT_EQ(blank.run("sum"), Value(n(0))) << "as one that is made now";
}

TEST(Migration, IsKeptByLaterVersions) {
  const auto type = composed_type(poll_2());
  const auto problem = [&](const std::string& text) {
    const Parsed parsed = parse_definition(text);
    EXPECT_NE(parsed.definition, nullptr) << parsed.problem;
    return type->can_adopt(*parsed.definition).value_or("");
  };
  EXPECT_EQ(problem(poll_4()), "");
  EXPECT_NE(problem(poll(3, kSumFields, kSumOperations, "")), "");
  EXPECT_NE(problem(poll(4, kSumFields, kSumOperations, kToDouble)), "");
  EXPECT_EQ(problem(poll(3, kSumFields, kSumOperations, kToSum)), "");
}

TEST(Migration, IsOfAVersionUpToThatOfTheDefinition) {
  EXPECT_NE(parse_definition(poll(1, kSumFields, kSumOperations, kToSum)).problem, "");
  EXPECT_NE(parse_definition(poll(4, kSumFields, kSumOperations, kToDouble + "," + kToSum)).problem, "");
  std::string deep = "1";
  for (int i = 0; i < 5000; ++i) deep = "[" + deep + "]";
  EXPECT_NE(parse_definition(poll(2, kSumFields, kSumOperations, R"({"to":2,"writes":[],"more":)" + deep + "}")).problem, "");
  const std::string argument =
      R"({"to":2,"writes":[{"over":null,"field":1,"key":null,"operation":"increment","arguments":[["argument",0]],"when":null}]})";
  EXPECT_NE(parse_definition(poll(2, kSumFields, kSumOperations, argument)).problem, "");
}

}  // namespace
}  // namespace claret::composed
