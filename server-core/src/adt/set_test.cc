#include "adt/test_record.h"
#include "ground/errors.h"

namespace claret {
namespace {

TEST(Set, KeepsMembersOnceAndInOrder) {
  TestRecord record("Set");
  for (const char* member : {"b", "a", "b", "__proto__"}) record.run("add", {member});
  record.run("remove", {"nobody"});
  EXPECT_EQ(record.run("size"), integer(3));
  EXPECT_EQ(record.run("contains", {"a"}), Value(true));
  EXPECT_EQ(record.run("members", {integer(10)}), list({"__proto__", "a", "b"}));
}

TEST(Set, CountsWhatInsertAndEraseChange) {
  TestRecord record("Set");
  EXPECT_EQ(record.run("insert", {list({"a", "b", "a"})}), integer(2));
  EXPECT_EQ(record.run("insert", {list({"b", "c"})}), integer(1));
  EXPECT_EQ(record.run("erase", {list({"a", "x", "a"})}), integer(1));
  EXPECT_EQ(record.run("members", {integer(10)}), list({"b", "c"}));
  EXPECT_EQ(record.run("insert", {list({})}), integer(0));
}

TEST(Set, InsertsGoTogetherUnlessOneIsNewToBoth) {
  TestRecord record("Set");
  record.run("add", {"in"});
  const Call in = record.call("insert", {list({"in"})});
  const Call mine = record.call("insert", {list({"in", "mine"})});
  const Call yours = record.call("insert", {list({"yours", "in"})});
  const Call erased = record.call("erase", {list({"in"})});
  EXPECT_TRUE(record.commute(mine, yours));
  EXPECT_FALSE(record.commute(mine, mine));
  EXPECT_FALSE(record.commute(in, erased));
  EXPECT_FALSE(record.commute(erased, erased));
  EXPECT_TRUE(record.commute(record.call("size"), in));
  EXPECT_FALSE(record.commute(record.call("size"), mine));
  EXPECT_TRUE(record.commute(record.call("add", {"in"}), mine));
  EXPECT_FALSE(record.commute(record.call("add", {"mine"}), mine));
}

TEST(Set, IsReadPageByPage) {
  TestRecord record("Set");
  for (const char* member : {"", "a", "b", "c"}) record.run("add", {member});
  EXPECT_EQ(record.run("members", {integer(2)}), list({"", "a"}));
  EXPECT_EQ(record.run("members", {integer(2), "a"}), list({"b", "c"}));
  EXPECT_EQ(record.run("members", {integer(2), "c"}), list({}));
  EXPECT_EQ(record.refusal("members", {integer(0)}), errors::kOutOfRange);
  EXPECT_EQ(record.refusal("members", {integer(1001)}), errors::kOutOfRange);
  EXPECT_EQ(record.refusal("members", {integer(1), integer(1)}), errors::kWrongArgumentType);
}

TEST(Set, FollowsTable2OfThePaper) {
  TestRecord record("Set");
  record.run("add", {"in"});
  const Call add_in = record.call("add", {"in"});
  const Call add_out = record.call("add", {"out"});
  const Call remove_in = record.call("remove", {"in"});
  const Call remove_out = record.call("remove", {"out"});
  const Call size = record.call("size");
  EXPECT_TRUE(record.commute(add_in, add_in));
  EXPECT_TRUE(record.commute(remove_in, remove_out));
  EXPECT_TRUE(record.commute(add_in, remove_out));
  EXPECT_FALSE(record.commute(add_in, remove_in));
  EXPECT_TRUE(record.commute(size, add_in));
  EXPECT_FALSE(record.commute(size, add_out));
  EXPECT_TRUE(record.commute(size, remove_out));
  EXPECT_FALSE(record.commute(size, remove_in));
  EXPECT_FALSE(record.commute(record.call("contains", {"out"}), add_out));
  EXPECT_TRUE(record.commute(record.call("contains", {"in"}), add_out));
  EXPECT_TRUE(record.commute(record.call("contains", {"in"}), add_in));
}

TEST(Set, APageCommutesWithChangesBehindIt) {
  TestRecord record("Set");
  for (const char* member : {"a", "c", "e"}) record.run("add", {member});
  const Call page = record.call("members", {integer(2)});
  EXPECT_TRUE(record.commute(page, record.call("add", {"d"})));
  EXPECT_TRUE(record.commute(page, record.call("remove", {"e"})));
  EXPECT_FALSE(record.commute(page, record.call("add", {"b"})));
  EXPECT_FALSE(record.commute(page, record.call("remove", {"c"})));
}

TEST(Set, AnUndoneAddLeavesAMemberThatWasThere) {
  TestRecord record("Set");
  record.run("add", {"a"});
  record.run("add", {"a"});
  record.run("remove", {"b"});
  record.undo();
  record.undo();
  EXPECT_EQ(record.run("members", {integer(9)}), list({"a"}));
}

}  // namespace
}  // namespace claret
