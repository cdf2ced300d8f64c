#include <limits>

#include "adt/test_record.h"
#include "ground/errors.h"

namespace claret {
namespace {

Value scored(const char* item, std::int64_t score) { return list({Value(item), integer(score)}); }

class ScoredSetOfFour : public ::testing::Test {
 protected:
  ScoredSetOfFour() : record("ScoredSet") {
    record.run("add", {"d", integer(9)});
    record.run("add", {"c", integer(5)});
    record.run("add", {"b", integer(5)});
    record.run("increment", {"a", integer(1)});
  }
  TestRecord record;
};

TEST_F(ScoredSetOfFour, RanksByScoreThenItem) {
  const Value all = list({scored("a", 1), scored("b", 5), scored("c", 5), scored("d", 9)});
  EXPECT_EQ(record.run("range", {integer(0), integer(-1)}), all);
  EXPECT_EQ(record.run("rank", {"c"}), integer(2));
  EXPECT_EQ(record.run("rank", {"x"}), Value());
  EXPECT_EQ(record.run("score", {"c"}), integer(5));
  EXPECT_EQ(record.run("score", {"x"}), Value());
  record.run("remove", {"b"});
  EXPECT_EQ(record.run("rank", {"c"}), integer(1));
  EXPECT_EQ(record.run("size"), integer(3));
}

TEST_F(ScoredSetOfFour, CountsNegativeRanksFromTheEnd) {
  EXPECT_EQ(record.run("range", {integer(-2), integer(-1)}), list({scored("c", 5), scored("d", 9)}));
  EXPECT_EQ(record.run("range", {integer(-99), integer(0)}), list({scored("a", 1)}));
  EXPECT_EQ(record.run("range", {integer(2), integer(1)}), list({}));
  EXPECT_EQ(record.run("range", {integer(4), integer(9)}), list({}));
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(record.run("range", {integer(kLeast), integer(kLeast)}), list({}));
}

TEST_F(ScoredSetOfFour, ReadsByScorePageByPage) {
  EXPECT_EQ(record.run("rangeByScore", {integer(2), integer(9), integer(1)}), list({scored("b", 5)}));
  EXPECT_EQ(record.run("rangeByScore", {integer(5), integer(9), integer(1), "b"}), list({scored("c", 5)}));
  EXPECT_EQ(record.run("rangeByScore", {integer(5), integer(9), integer(9), "c"}), list({scored("d", 9)}));
  EXPECT_EQ(record.run("rangeByScore", {integer(6), integer(2), integer(9)}), list({}));
}

TEST_F(ScoredSetOfFour, ARangeCommutesWithChangesOutsideOfIt) {
  const Call lowest_two = record.call("range", {integer(0), integer(1)});
  EXPECT_TRUE(record.commute(lowest_two, record.call("add", {"d", integer(6)})));
  EXPECT_FALSE(record.commute(lowest_two, record.call("add", {"d", integer(0)})));
  EXPECT_TRUE(record.commute(lowest_two, record.call("remove", {"c"})));
  const Call highest_two = record.call("range", {integer(-2), integer(-1)});
  EXPECT_TRUE(record.commute(highest_two, record.call("add", {"new", integer(0)})));
  EXPECT_FALSE(record.commute(highest_two, record.call("add", {"new", integer(5)})));
  EXPECT_TRUE(record.commute(highest_two, record.call("increment", {"a", integer(1)})));
  EXPECT_FALSE(record.commute(highest_two, record.call("increment", {"a", integer(5)})));
  EXPECT_FALSE(record.commute(highest_two, record.call("increment", {"d", integer(1)})));
  EXPECT_TRUE(record.commute(record.call("size"), record.call("increment", {"a", integer(1)})));
}

TEST_F(ScoredSetOfFour, AnIncrementIsJudgedByAllThatArePendingOnItsItem) {
  const Call highest_two = record.call("range", {integer(-2), integer(-1)});
  const Call three = record.call("increment", {"a", integer(3)});
  EXPECT_TRUE(record.commute(highest_two, three));
  EXPECT_EQ(record.type().reserve(record.state(), three, Value()), DataType::Reservation::kYes);
  EXPECT_FALSE(record.commute(highest_two, three)) << "both together reach the range";
  EXPECT_TRUE(record.commute(highest_two, record.call("increment", {"b", integer(-3)}))) << "another item";
  record.type().release(record.state(), three, Value());
  EXPECT_TRUE(record.commute(highest_two, three));
}

TEST_F(ScoredSetOfFour, AnIncrementMustNotBeAbleToJumpOverWhatWasRead) {
  const Call from_four_to_six = record.call("rangeByScore", {integer(4), integer(6), integer(9)});
  EXPECT_TRUE(record.commute(from_four_to_six, record.call("increment", {"a", integer(2)})));
  EXPECT_FALSE(record.commute(from_four_to_six, record.call("increment", {"a", integer(9)})));
  EXPECT_TRUE(record.commute(from_four_to_six, record.call("increment", {"d", integer(9)})));
}

TEST_F(ScoredSetOfFour, AnIncrementBehindAPendingAddStartsFromANumberThatNobodyKnows) {
  const Call highest_two = record.call("range", {integer(-2), integer(-1)});
  const Call add = record.call("add", {"a", integer(4)});
  record.type().reserve(record.state(), add, Value());
  EXPECT_FALSE(record.commute(highest_two, record.call("increment", {"a", integer(3)})));
  record.type().release(record.state(), add, Value());
  EXPECT_TRUE(record.commute(highest_two, record.call("increment", {"a", integer(3)})));
}

TEST_F(ScoredSetOfFour, ChangesOfOneItemCommuteOnlyWhenTheyAgree) {
  EXPECT_TRUE(record.commute(record.call("add", {"a", integer(2)}), record.call("add", {"a", integer(2)})));
  EXPECT_FALSE(record.commute(record.call("add", {"a", integer(2)}), record.call("add", {"a", integer(3)})));
  EXPECT_TRUE(record.commute(record.call("increment", {"a", integer(2)}), record.call("increment", {"a", integer(3)})));
  EXPECT_FALSE(record.commute(record.call("increment", {"a", integer(2)}), record.call("add", {"a", integer(3)})));
}

TEST_F(ScoredSetOfFour, RefusesScoresBeyond64Bits) {
  const std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(record.refusal("increment", {"a", integer(greatest)}), errors::kOutOfRange);
  EXPECT_EQ(record.refusal("increment", {"a", integer(greatest)}, {record.call("remove", {"a"})}), "");
}

TEST(ScoredSet, ReturnsAtMostAThousandItems) {
  TestRecord record("ScoredSet");
  for (int i = 0; i < 1005; ++i) record.run("add", {Value("item" + std::to_string(i)), integer(i)});
  EXPECT_EQ(record.run("range", {integer(0), integer(-1)}).list().size(), 1000u);
}

TEST_F(ScoredSetOfFour, AnUndoneChangeLeavesTheOldScore) {
  const std::string bytes = record.bytes();
  record.run("add", {"a", integer(7)});
  record.run("increment", {"a", integer(1)});
  record.run("remove", {"a"});
  record.run("add", {"a", integer(-2)});
  EXPECT_EQ(record.undo(), Value());
  EXPECT_EQ(record.undo(), integer(8));
  EXPECT_EQ(record.run("rank", {"a"}), integer(2));
  EXPECT_EQ(record.undo(), integer(7));
  EXPECT_EQ(record.undo(), integer(1));
  EXPECT_EQ(record.bytes(), bytes);
}

// The call names only the score that the item has now; what is walked has to hear of the one to which it returns.
TEST_F(ScoredSetOfFour, AnItemThatReturnsToItsScoreDoesNotAppearInAWalkTwice) {
  const Call add = record.call("add", {"a", integer(7)});
  const Value kept = record.type().before(record.state(), add, {});
  record.type().commit(record.state(), add, {});
  const std::string expected = record.bytes();
  const std::unique_ptr<StateParts> parts = record.type().parts(record.state());
  parts->before_undo(add, kept);
  record.type().undo(record.state(), add, {}, kept);
  std::string bytes;
  while (parts->next(1, bytes)) continue;
  EXPECT_EQ(bytes, expected);
}

}  // namespace
}  // namespace claret
