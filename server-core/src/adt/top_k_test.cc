#include "adt/test_record.h"

namespace claret {
namespace {

Value ranked(const char* item, double score) { return list({Value(item), Value(score)}); }

TEST(TopK, KeepsTheGreatestScoreOfEachItem) {
  TestRecord record("TopK");
  EXPECT_EQ(record.run("max"), Value());
  record.run("add", {"a", integer(5)});
  record.run("add", {"b", 7.5});
  record.run("add", {"a", integer(3)});
  EXPECT_EQ(record.run("max"), ranked("b", 7.5));
  EXPECT_EQ(record.run("top", {integer(10)}), list({ranked("b", 7.5), ranked("a", 5)}));
}

TEST(TopK, EqualScoresAreOrderedByItem) {
  TestRecord record("TopK");
  record.run("add", {"b", integer(1)});
  record.run("add", {"a", integer(1)});
  EXPECT_EQ(record.run("max"), ranked("a", 1));
}

TEST(TopK, KeepsThe128Highest) {
  TestRecord record("TopK");
  for (int i = 0; i < 200; ++i) record.run("add", {Value("item" + std::to_string(i)), integer(i)});
  EXPECT_EQ(record.run("size"), integer(128));
  const Value top = record.run("top", {integer(1000)});
  EXPECT_EQ(top.list().front(), ranked("item199", 199));
  EXPECT_EQ(top.list().back(), ranked("item72", 72));
  record.run("add", {"item0", integer(500)});
  EXPECT_EQ(record.run("max"), ranked("item0", 500));
  EXPECT_EQ(record.run("size"), integer(128));
}

TEST(TopK, AnAddBehindTheTopCommutesWithReadingTheTop) {
  TestRecord record("TopK");
  for (int i = 0; i < 5; ++i) record.run("add", {Value("item" + std::to_string(i)), integer(i)});
  const Call top = record.call("top", {integer(3)});
  EXPECT_TRUE(record.commute(top, record.call("add", {"new", integer(1)})));
  EXPECT_TRUE(record.commute(top, record.call("add", {"item4", integer(3)})));
  EXPECT_FALSE(record.commute(top, record.call("add", {"item0", integer(3)})));
  EXPECT_FALSE(record.commute(top, record.call("add", {"new", integer(9)})));
  EXPECT_FALSE(record.commute(record.call("top", {integer(6)}), record.call("add", {"new", integer(-1)})));
  EXPECT_TRUE(record.commute(record.call("size"), record.call("add", {"item0", integer(9)})));
  EXPECT_FALSE(record.commute(record.call("size"), record.call("add", {"new", integer(0)})));
}

TEST(TopK, AnUndoneAddBringsBackWhatFellOut) {
  TestRecord record("TopK");
  for (int i = 0; i < 128; ++i) record.run("add", {Value("item" + std::to_string(i)), integer(i)});
  const std::string bytes = record.bytes();
  record.run("add", {"new", integer(500)});
  EXPECT_EQ(record.undo(), ranked("item0", 0));
  EXPECT_EQ(record.bytes(), bytes);
  record.run("add", {"item3", integer(500)});
  EXPECT_EQ(record.undo(), ranked("item3", 3));
  EXPECT_EQ(record.bytes(), bytes);
  record.run("add", {"item3", integer(2)});
  EXPECT_EQ(record.undo(), Value()) << "it changed nothing";
  record.run("add", {"new", integer(-1)});
  EXPECT_EQ(record.undo(), Value());
  EXPECT_EQ(record.bytes(), bytes);
  record.undo();
  EXPECT_EQ(record.run("size"), integer(127));
}

}  // namespace
}  // namespace claret
