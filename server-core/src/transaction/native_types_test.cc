// Natives on records that attempts have made of another type and not committed.
#include <gtest/gtest.h>

#include "shard/test_disk.h"

namespace claret::testing {
namespace {

// An attempt that holds a Set of this key.
TestClient::Step made_set(const std::string& key) { return {.attempt = 1, .begin_with_priority = 50, .operations = {set_add(key, "a")}}; }

TEST(NativesOfAnotherType, SeeNothingOfARecordThatUnvotedAttemptsHaveMade) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  holder.step(made_set("k"));
  EXPECT_EQ(client.native(value("k")).integer(), 0);
  EXPECT_NE(holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u) << "the holder is not disturbed";
  const std::uint64_t late = client.send_natives({value("k")});
  EXPECT_EQ(client.natives[late].error, "wrong_type");
}

TEST(NativesOfAnotherType, TakeARecordFromUnvotedAttempts) {
  World world;
  TestClient holder(world, 1), waiter(world, 2), client(world, 3);
  holder.step(made_set("k"));
  waiter.step({.attempt = 1, .begin_with_priority = 50, .operations = {set_size("k")}});
  EXPECT_TRUE(waiter.replies.empty()) << "it waits";
  client.send_natives({add("k", 3)});
  for (TestClient* broken : {&holder, &waiter}) {
    broken->read();
    ASSERT_FALSE(broken->replies.empty());
    EXPECT_EQ(broken->replies.back().error, "native_conflict");
  }
  EXPECT_EQ(client.native(value("k")).integer(), 3);
  EXPECT_EQ(world.shards[0]->counters().totals.native_breaks, 2u);
  EXPECT_EQ(holder.step({.attempt = 2, .begin_with_priority = 50, .operations = {set_add("k", "a")}}).error, "wrong_type");
}

TEST(NativesOfAnotherType, AreRefusedBesideAGuardedAttempt) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  TestClient::Step guarded = made_set("k");
  guarded.breaks = 2;
  holder.step(guarded);
  const std::uint64_t refused = client.send_natives({add("k", 3)});
  EXPECT_EQ(client.natives[refused].error, "wrong_type");
  EXPECT_NE(holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u) << "the holder is not disturbed";
}

TEST(NativesOfAnotherType, AreRefusedWhileARequestThatHasNotComeToTheGateNamesTheRecord) {
  World world;
  TestClient holder(world, 1), queued(world, 2), client(world, 3);
  holder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "a")}});
  queued.step({.attempt = 1, .begin_with_priority = 50, .operations = {set_size("s")}});
  queued.step({.attempt = 1, .sent_before = 1, .operations = {set_add("k", "a")}});
  const std::uint64_t refused = client.send_natives({add("k", 3)});
  EXPECT_EQ(client.natives[refused].error, "wrong_type");
  EXPECT_NE(holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  queued.read();
  EXPECT_NE(queued.step({.attempt = 1, .sent_before = 2, .prepare = kAlone}).committed_at, 0u);
  EXPECT_EQ(client.native(set_size("k")).integer(), 1);
}

TEST(NativesOfAnotherType, LeaveARecordToAVotedAttempt) {
  World world(2);
  TestClient voter(world, 1), client(world, 2);
  const std::string key = key_on(0, "k");
  const Timestamp voted =
      voter.step({.attempt = 1, .begin_with_priority = 50, .operations = {set_add(key, "a")}, .prepare = kBoth}).voted_at;
  for (const Op& op : {add(key, 1), value(key)}) {
    const std::uint64_t refused = client.send_natives({op});
    EXPECT_EQ(client.natives[refused].error, "wrong_type");
  }
  voter.commit_outcome(1, voted).send();
  EXPECT_EQ(client.native(set_size(key)).integer(), 1);
}

}  // namespace
}  // namespace claret::testing
