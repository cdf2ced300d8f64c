// The waits that a reply reports: however the attempt ends, its client learns once what it waited for.
#include <gtest/gtest.h>

#include "shard/test_client.h"

namespace claret::testing {
namespace {

// A transaction holds records, to which it adds, and others wait for it.
struct Held {
  explicit Held(std::vector<std::string> keys) : holder(world, 1), waiter(world, 2) {
    std::vector<Op> adds;
    for (std::string& key : keys) adds.push_back(set_add(std::move(key), "x"));
    count = static_cast<std::uint32_t>(adds.size());
    holder.step({.attempt = 1, .begin_with_priority = 10, .operations = std::move(adds)});
  }
  // Returns the only reply that the waiter gets when the holder commits.
  Reply let_go_after(double ms) {
    world.ms += ms;
    holder.step({.attempt = 1, .sent_before = count, .prepare = kAlone});
    waiter.replies.clear();
    waiter.read();
    EXPECT_EQ(waiter.replies.size(), 1u);
    return waiter.replies.empty() ? Reply{} : waiter.replies.front();
  }

  World world;
  TestClient holder, waiter;
  std::uint32_t count = 0;
};

void expect_waited(const Reply& reply, std::uint32_t locks, std::uint32_t us) {
  EXPECT_EQ(reply.locks_waited_for, locks);
  EXPECT_EQ(reply.runs_waited_for, 0u) << "there are no chains";
  EXPECT_EQ(reply.waited_us, us);
}

TEST(Waited, IsReportedWithTheCommitOfAOneShotTransaction) {
  Held held({"s"});
  EXPECT_TRUE(held.waiter.run(1, {set_remove("s", "x"), set_size("free")}).results.empty());
  const Reply reply = held.let_go_after(1.5);
  EXPECT_NE(reply.committed_at, 0u);
  expect_waited(reply, 1, 1500);
}

TEST(Waited, IsReportedWithAGrantAndNotAgainWithTheCommit) {
  Held held({"s"});
  held.waiter.step({.attempt = 1, .begin_with_priority = 20, .operations = {set_size("s")}});
  expect_waited(held.let_go_after(1.5), 1, 1500);
  const Reply end = held.waiter.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  EXPECT_NE(end.committed_at, 0u);
  expect_waited(end, 0, 0);
}

TEST(Waited, IsSummedOverTheLocksOfARequest) {
  Held held({"s", "t"});
  held.waiter.step({.attempt = 1, .begin_with_priority = 20, .operations = {set_size("s"), set_size("t"), set_size("free")}});
  expect_waited(held.let_go_after(1), 2, 2000);
}

TEST(Waited, IsReportedWithAVote) {
  World world(2);
  TestClient holder(world, 1), waiter(world, 2);
  const std::string key = key_on(0, "s");
  holder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add(key, "x")}});
  waiter.step({.attempt = 1, .begin_with_priority = 20, .operations = {set_size(key)}, .prepare = kBoth});
  world.ms += 1.5;
  holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  waiter.read();
  ASSERT_EQ(waiter.replies.size(), 1u);
  EXPECT_NE(waiter.replies[0].voted_at, 0u);
  expect_waited(waiter.replies[0], 1, 1500);
}

TEST(Waited, IsReportedByTheErrorThatEndsAnAttemptWhileItWaits) {
  World world;
  TestClient elder(world, 1), younger(world, 2);
  elder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_size("a")}});
  younger.step({.attempt = 2, .begin_with_priority = 20, .operations = {set_size("b")}});
  younger.step({.attempt = 2, .sent_before = 1, .operations = {set_add("a", "x")}});
  world.ms += 1.5;
  younger.replies.clear();
  elder.step({.attempt = 1, .sent_before = 1, .operations = {set_add("b", "x")}});
  younger.read();
  ASSERT_EQ(younger.replies.size(), 1u);
  EXPECT_EQ(younger.replies[0].error, "deadlock");
  expect_waited(younger.replies[0], 1, 1500);
}

TEST(Waited, IsReportedByTheErrorOfARequestThatExpiredWaiting) {
  Held held({"s"});
  held.waiter.run(1, {set_remove("s", "x")});
  held.waiter.replies.clear();
  held.world.tick(limits::kAttemptExpiryMsDefault + 1);
  held.waiter.read();
  ASSERT_EQ(held.waiter.replies.size(), 1u);
  EXPECT_EQ(held.waiter.replies[0].error, "expired");
  EXPECT_EQ(held.waiter.replies[0].locks_waited_for, 1u);
  EXPECT_GE(held.waiter.replies[0].waited_us, 1000 * limits::kAttemptExpiryMsDefault);
}

TEST(Waited, IsReportedToRequestsThatAChangeOfConditionsDenies) {
  Held held({"s"});
  held.waiter.run(1, {set_remove("s", "x")});
  held.waiter.replies.clear();
  held.world.ms += 1.5;
  held.world.shards[0]->set_conditions({.phasing = false}, held.world.now());
  held.waiter.read();
  ASSERT_EQ(held.waiter.replies.size(), 1u);
  EXPECT_EQ(held.waiter.replies[0].denied, "denied");
  expect_waited(held.waiter.replies[0], 1, 1500);
}

}  // namespace
}  // namespace claret::testing
