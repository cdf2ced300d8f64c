// The work of a turn is bounded: requests beyond its budget run in the next turns, in order; outcomes and aborts do not wait.
#include <gtest/gtest.h>

#include "shard/test_client.h"

namespace claret::testing {
namespace {

ShardOptions small_turns() {
  ShardOptions options;
  options.operations_per_turn = 10;
  return options;
}

TestClient::Step one_shot(std::uint64_t attempt, int operations, const Op& op = add("a", 1)) {
  return {.attempt = attempt,
          .begin_with_priority = attempt,
          .operations = std::vector<Op>(static_cast<std::size_t>(operations), op),
          .prepare = kAlone};
}

TEST(Backlog, RequestsBeyondTheBudgetContinueInTheNextTurnInOrder) {
  World world(1, small_turns());
  TestClient one(world, 1), other(world, 2);
  for (std::uint64_t attempt = 1; attempt <= 6; ++attempt) one.add(one_shot(attempt, 4));
  one.send();
  EXPECT_EQ(one.replies.size(), 2u) << "a turn has ten operations; a request counts for one more than it has";
  EXPECT_EQ(world.shards[0]->next_deadline_ms(), world.now().monotonic_ms) << "the next turn is due at once";
  EXPECT_EQ(one.acknowledged, 1u) << "the frame is still in flight";
  EXPECT_TRUE(other.run(1, {{"a", "Counter.value", {}}}).results.empty()) << "queued behind the earlier requests";
  one.read();
  EXPECT_EQ(one.replies.size(), 4u) << "that turn has run two more";
  world.tick(0);
  one.read();
  other.read();
  ASSERT_EQ(one.replies.size(), 6u);
  for (std::uint64_t i = 0; i < 6; ++i) EXPECT_EQ(one.replies[i].attempt, i + 1);
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].results[0].integer(), 24);
  EXPECT_EQ(one.acknowledged, 2u);
  EXPECT_GT(world.shards[0]->next_deadline_ms(), world.now().monotonic_ms);
}

TEST(Backlog, PeeksCountLikeOperations) {
  World world(1, small_turns());
  TestClient client(world, 1);
  for (std::uint64_t ticket = 1; ticket <= 25; ++ticket) client.peek(ticket, value("a"));
  client.watch(1, value("a")).send();
  EXPECT_EQ(client.seen.peeks.size(), 10u);
  EXPECT_TRUE(client.changes.empty());
  EXPECT_EQ(client.acknowledged, 1u) << "the frame is still in flight";
  world.tick(0);
  client.read();
  EXPECT_EQ(client.seen.peeks.size(), 25u);
  EXPECT_EQ(client.changes.size(), 1u);
  EXPECT_EQ(client.acknowledged, 2u);
}

TEST(Backlog, WhatAWithdrawalExecutesAgainCounts) {
  World world(1, small_turns());
  TestClient client(world, 1), other(world, 2);
  for (std::uint64_t n = 1; n <= 12; ++n) client.member(n, {add("k")}).send();
  client.withdraw(1).add(one_shot(1, 1)).send();
  EXPECT_TRUE(client.replies.empty()) << "it has executed the eleven above again";
  world.tick(0);
  client.read();
  EXPECT_EQ(client.replies.size(), 1u);
}

TEST(Backlog, OutcomesDoNotWait) {
  World world(2, small_turns());
  TestClient voter(world, 1), crowd(world, 2);
  const Op op{"b", "Counter.add", {Value(std::int64_t{1})}};
  const Reply vote = voter.step({.attempt = 1, .begin_with_priority = 1, .operations = {op}, .prepare = std::vector<std::uint32_t>{0, 1}});
  ASSERT_NE(vote.voted_at, 0u) << vote.error;
  for (std::uint64_t attempt = 1; attempt <= 30; ++attempt) crowd.add(one_shot(attempt, 4, op));
  crowd.send();
  voter.commit_outcome(1, vote.voted_at).send();
  EXPECT_EQ(voter.replies.size(), 1u);
  EXPECT_LT(crowd.replies.size(), 30u);
  EXPECT_EQ(world.shards[0]->counters().totals.commits, 1u + 4u) << "the voter's, and those of two turns of the crowd";
}

TEST(Backlog, AnAttemptAbortedMeanwhileDoesNotBegin) {
  World world(1, small_turns());
  TestClient client(world, 1);
  client.add(one_shot(1, 20));
  client.add({.attempt = 2, .begin_with_priority = 2, .operations = {add("a", 100)}});
  client.add({.attempt = 3, .begin_with_priority = 3, .operations = {add("a", 7)}, .prepare = kAlone});
  client.send();
  client.abort_outcome(2).send();
  for (int i = 0; i < 5; ++i) world.tick(1);
  client.read();
  EXPECT_EQ(client.replies.size(), 2u);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
  EXPECT_EQ(client.run(9, {{"a", "Counter.value", {}}}).results[0].integer(), 27);
}

TEST(Backlog, ARequestThatExpiresMeanwhileIsNotExecuted) {
  World world(1, small_turns());
  TestClient client(world, 1);
  client.add(one_shot(1, 20));
  client.add({.attempt = 2, .begin_with_priority = 2, .operations = {add("a", 100)}, .prepare = kAlone, .expires_in_ms = 30});
  client.add({.attempt = 3, .begin_with_priority = 3, .operations = {add("a", 7)}, .prepare = kAlone, .expires_in_ms = 50});
  client.send();
  world.tick(40);
  for (int i = 0; i < 5; ++i) world.tick(0);
  client.read();
  ASSERT_EQ(client.replies.size(), 3u);
  EXPECT_EQ(client.replies[1].error, "expired") << "its time counts from its arrival, not from its turn";
  EXPECT_NE(client.replies[2].committed_at, 0u);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
  EXPECT_EQ(client.run(9, {{"a", "Counter.value", {}}}).results[0].integer(), 27);
}

TEST(Backlog, IsDroppedWithItsSession) {
  World world(1, small_turns());
  TestClient client(world, 1), other(world, 2);
  client.add(one_shot(1, 20)).add(one_shot(2, 20)).send();
  client.hang_up();
  for (int i = 0; i < 5; ++i) world.tick(1);
  EXPECT_EQ(other.run(1, {{"a", "Counter.value", {}}}).results[0].integer(), 20);
}

ShardOptions small_leaves() {
  ShardOptions options;
  options.engine.visits_leave_at_once = 4;
  return options;
}

std::vector<Op> on_twenty(const char* operation, std::vector<Value> arguments) {
  std::vector<Op> operations;
  for (int i = 0; i < 20; ++i) operations.push_back({"r" + std::to_string(i), operation, arguments});
  return operations;
}

TEST(Leaving, ACommitOfManyRecordsIsAnsweredAtOnceAndSeenAtomically) {
  World world(1, small_leaves());
  TestClient writer(world, 1), reader(world, 2);
  const Reply answer = writer.step(
      {.attempt = 1, .begin_with_priority = 1, .operations = on_twenty("Counter.add", {Value(std::int64_t{5})}), .prepare = kAlone});
  EXPECT_NE(answer.committed_at, 0u);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 1u) << "most of its records are still held";
  EXPECT_EQ(world.shards[0]->next_deadline_ms(), world.now().monotonic_ms) << "the next turn is due at once";
  reader.add({.attempt = 1, .begin_with_priority = 2, .operations = on_twenty("Counter.value", {}), .prepare = kAlone});
  reader.send();
  EXPECT_TRUE(reader.replies.empty()) << "waits for the records still held";
  for (int turn = 0; turn < 5; ++turn) world.tick(0);
  reader.read();
  ASSERT_EQ(reader.replies.size(), 1u);
  ASSERT_EQ(reader.replies[0].results.size(), 20u) << reader.replies[0].error;
  for (const Value& value : reader.replies[0].results) EXPECT_EQ(value.integer(), 5);
  EXPECT_GT(reader.replies[0].committed_at, answer.committed_at);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
  EXPECT_GT(world.shards[0]->next_deadline_ms(), world.now().monotonic_ms);
}

TEST(Leaving, AnAbortOfManyRecordsReleasesEverything) {
  World world(1, small_leaves());
  TestClient first(world, 1), second(world, 2);
  first.run(1, on_twenty("BoundedCounter.increment", {Value(std::int64_t{1})}));
  for (int turn = 0; turn < 5; ++turn) world.tick(0);
  const auto take = on_twenty("BoundedCounter.tryDecrement", {Value(std::int64_t{1})});
  first.step({.attempt = 2, .begin_with_priority = 2, .operations = take});
  first.abort_outcome(2).send();
  // The session of the first client may end meanwhile.
  first.hang_up();
  second.add({.attempt = 1, .begin_with_priority = 3, .operations = take, .prepare = kAlone});
  second.send();
  for (int turn = 0; turn < 10; ++turn) world.tick(0);
  second.read();
  ASSERT_EQ(second.replies.size(), 1u);
  ASSERT_EQ(second.replies[0].results.size(), 20u) << second.replies[0].error;
  for (const Value& taken : second.replies[0].results) EXPECT_TRUE(taken.boolean());
}

TEST(Leaving, AWatchSeesACommitThatALaterOneHasOvertaken) {
  World world(1, small_leaves());
  TestClient writer(world, 1), other(world, 2), watcher(world, 3), absent(world, 4);
  const Op value{"r19", "Counter.value", {}};
  watcher.watch(9, value).send();
  writer.step(
      {.attempt = 1, .begin_with_priority = 1, .operations = on_twenty("Counter.add", {Value(std::int64_t{5})}), .prepare = kAlone});
  const Reply overtaking = other.run(1, {{"r19", "Counter.add", {Value(std::int64_t{1})}}});
  ASSERT_NE(overtaking.committed_at, 0u);
  world.tick(kWatchIntervalMs);
  watcher.read();
  ASSERT_EQ(watcher.changes.back().value.integer(), 1) << "the first commit has not reached this record";
  ASSERT_EQ(watcher.changes.back().timestamp, overtaking.committed_at);
  for (int turn = 0; turn < 5; ++turn) world.tick(kWatchIntervalMs);
  watcher.read();
  EXPECT_EQ(watcher.changes.back().value.integer(), 6);
  EXPECT_GT(watcher.changes.back().timestamp, overtaking.committed_at) << "otherwise the client takes the change for a duplicate";
  absent.watch(9, value, overtaking.committed_at).send();
  ASSERT_EQ(absent.changes.size(), 1u) << "resumes from the change that it saw last";
  EXPECT_EQ(absent.changes[0].value.integer(), 6);
}

TEST(Leaving, NoRequestIsRefusedBecauseOfRecordsThatAnAnsweredCommitStillHolds) {
  World world(1, small_leaves());
  TestClient writer(world, 1), other(world, 2);
  const auto set = [](const Value& value) { return std::vector<Value>{Value(Value::List{Value(Value::List{Value("f"), value})})}; };
  writer.run(1, on_twenty("Dict.set", set(Value("text"))));
  for (int turn = 0; turn < 5; ++turn) world.tick(0);
  ASSERT_NE(writer.run(2, on_twenty("Dict.set", set(Value(std::int64_t{5})))).committed_at, 0u);
  ASSERT_EQ(world.shards[0]->engine().attempts_in_flight(), 1u);
  other.add({.attempt = 1,
             .begin_with_priority = 3,
             .operations = {{"r19", "Dict.increment", {Value("f"), Value(std::int64_t{1})}}},
             .prepare = kAlone});
  other.send();
  for (int turn = 0; turn < 5; ++turn) world.tick(0);
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].error, "");
  EXPECT_NE(other.replies[0].committed_at, 0u);
}

TEST(Leaving, KeepsUpWithTheLoad) {
  World world(1, small_leaves());
  TestClient writer(world, 1);
  std::size_t most = 0;
  for (std::uint64_t attempt = 1; attempt <= 1000; ++attempt) {
    writer.run(attempt, on_twenty("Counter.add", {Value(std::int64_t{1})}));
    most = std::max(most, world.shards[0]->engine().attempts_in_flight());
  }
  EXPECT_LE(most, 40u) << "attempts that have ended but still hold records";
}

}  // namespace
}  // namespace claret::testing
