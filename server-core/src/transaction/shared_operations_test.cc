// Shared operations, which a session holds for its attempts to join: when one stands, what a join checks, and how it ends.
#include <gtest/gtest.h>

#include "ground/slots.h"
#include "shard/test_client.h"

namespace claret::testing {
namespace {

Op shared_add(std::string member, std::uint32_t share = 0) { return {"s", "Set.add", {Value(std::move(member))}, share}; }
Op shared_size(std::uint32_t share = 0) { return {"s", "Set.size", {}, share}; }

// One session with a reader whose `Set.size` is shared as number 1, and a writer's session.
struct Shared : ::testing::Test {
  Shared() { start(); }
  void start(Conditions conditions = {}) {
    world.shards[0]->set_conditions(conditions, world.now());
    client.run(800 + next++, {shared_add("a")});
    granted = client.step({.attempt = next == 1 ? 2 : 800 + next++, .begin_with_priority = 50, .operations = {shared_size(1)}});
    ASSERT_EQ(granted.results.size(), 1u);
  }
  std::size_t standing() { return world.shards[0]->participant().shared().standing(); }
  std::int64_t size_now() { return client.run(900 + next++, {shared_size()}).results.at(0).integer(); }
  TestClient::Step joins(std::uint64_t attempt, std::vector<std::uint32_t> numbers, std::uint64_t priority = 60) {
    return {.attempt = attempt, .begin_with_priority = priority, .prepare = kAlone, .joined = std::move(numbers)};
  }

  World world;
  TestClient client{world, 1}, writer{world, 2};
  Reply granted;
  std::uint64_t next = 0;
};

TEST_F(Shared, StandsBesideItsCreatorAndOutlivesIt) {
  ASSERT_TRUE(granted.shared.contains(1));
  EXPECT_EQ(granted.shared.at(1), 5000u) << "without waiters: until a notice would come";
  client.step({.attempt = 2, .sent_before = 1, .prepare = kAlone});
  EXPECT_TRUE(writer.run(1, {shared_add("b")}).error.empty());
  EXPECT_EQ(world.shards[0]->participant().wounds().waiting().size(), 1u);
  client.release({1}).send();
  writer.read();
  ASSERT_EQ(writer.replies.size(), 1u);
  EXPECT_NE(writer.replies[0].committed_at, 0u);
  EXPECT_EQ(standing(), 0u);
  EXPECT_EQ(size_now(), 2);
}

TEST_F(Shared, OutlivesACreatorThatAborts) {
  client.abort_outcome(2).send();
  EXPECT_EQ(standing(), 1u);
  const Reply joined = client.step(joins(3, {1}));
  EXPECT_NE(joined.committed_at, 0u);
  EXPECT_TRUE(joined.results.empty()) << "the client has the result";
}

TEST_F(Shared, AJoinIsTheAttemptsOwnLockUntilItsOutcome) {
  World two(2);
  TestClient zero(two, 1, 0), other(two, 2, 0);
  std::string key = "s";
  for (int i = 0; shard_of_slot(slot_of(key), 2) != 0; ++i) key = "s" + std::to_string(i);
  zero.step({.attempt = 1, .begin_with_priority = 5, .operations = {{key, "Set.size", {}, 9}}});
  zero.abort_outcome(1);
  const Reply vote = zero.step({.attempt = 2, .begin_with_priority = 6, .prepare = std::vector<std::uint32_t>{0, 1}, .joined = {9}});
  ASSERT_NE(vote.voted_at, 0u);
  zero.release({9}).send();
  EXPECT_EQ(other.run(1, {{key, "Set.add", {Value("x")}}}).committed_at, 0u) << "read locks stay until the outcome";
  zero.commit_outcome(2, vote.voted_at).send();
  other.read();
  EXPECT_GT(other.replies.at(0).committed_at, vote.voted_at);
}

TEST_F(Shared, AJoinedVoidOperationIsAppliedOnceForEachThatCommits) {
  client.step({.attempt = 2, .sent_before = 1, .prepare = kAlone});
  client.release({1}).send();
  const Reply reply = client.step({.attempt = 3, .begin_with_priority = 50, .operations = {shared_add("b", 2)}});
  ASSERT_TRUE(reply.shared.contains(2));
  client.abort_outcome(3).send();
  EXPECT_EQ(client.step(joins(4, {2})).error, "");
  client.release({2}).send();
  EXPECT_EQ(size_now(), 2) << "the creator has aborted, the joiner has committed";
}

TEST_F(Shared, AJoinOfAReleasedOperationIsBroken) {
  client.release({1}).send();
  const Reply reply = client.step(joins(3, {1}));
  EXPECT_EQ(reply.error, "join_broken");
  EXPECT_TRUE(reply.retryable);
  EXPECT_EQ(client.step(joins(4, {77})).error, "join_broken") << "never existed";
  EXPECT_EQ(writer.step(joins(5, {1})).error, "join_broken") << "belongs to another session";
}

TEST_F(Shared, ANumberInUseIsNotGivenTwice) {
  const Reply again = client.step({.attempt = 3, .begin_with_priority = 50, .operations = {shared_size(1)}});
  EXPECT_EQ(again.results.size(), 1u);
  EXPECT_TRUE(again.shared.empty());
}

TEST_F(Shared, AReleaseTakesEffectAfterTheJoinsOfItsFrameAndBeforeTheirOperations) {
  client.abort_outcome(2).send();
  client.replies.clear();
  client.add(joins(3, {1}));
  client.add({.attempt = 4, .begin_with_priority = 70, .operations = {shared_add("b")}, .prepare = kAlone, .joined = {1}});
  client.release({1}).send();
  ASSERT_EQ(client.replies.size(), 2u);
  EXPECT_NE(client.replies[0].committed_at, 0u);
  EXPECT_NE(client.replies[1].committed_at, 0u) << "its add does not conflict with the holder that it has joined";
  EXPECT_EQ(standing(), 0u);
  EXPECT_EQ(size_now(), 2);
}

TEST_F(Shared, AReleaseWhoseJoinNeverArrivesTakesEffectWithItsFrame) {
  client.add({.attempt = 77, .sent_before = 3, .prepare = kAlone, .joined = {1}});
  client.release({1}).send();
  EXPECT_EQ(standing(), 0u);
}

TEST_F(Shared, EndsWithItsSession) {
  client.hang_up();
  EXPECT_EQ(standing(), 0u);
  EXPECT_NE(writer.run(1, {shared_add("b")}).committed_at, 0u);
}

TEST_F(Shared, IsWoundedByAnyWaiterAndBrokenAfterTheGrace) {
  client.abort_outcome(2).send();
  writer.run(1, {shared_add("b")}, 1'000'000);  // younger than all others
  EXPECT_TRUE(client.shared_wounds.empty());
  world.tick(5);
  client.read();
  EXPECT_EQ(client.shared_wounds, std::vector<std::uint32_t>{1});
  EXPECT_TRUE(client.wounds.empty());
  for (int i = 0; i < 10; ++i) world.tick(5);
  writer.read();
  EXPECT_EQ(standing(), 0u);
  EXPECT_NE(writer.replies.at(0).committed_at, 0u);
  EXPECT_EQ(client.step(joins(3, {1})).error, "join_broken");
}

TEST_F(Shared, OnceDissolvedLeavesOrdinaryHoldersThatOnlyTheirEldersWound) {
  client.abort_outcome(2).send();
  const auto holds = [&](std::uint64_t attempt, std::uint64_t priority) {
    auto step = joins(attempt, {1}, priority);
    step.prepare.reset();
    return step;
  };
  client.add(holds(3, 10)).add(holds(4, 99)).send();
  writer.run(1, {shared_add("b")}, 50);
  world.tick(5);
  client.read();
  ASSERT_EQ(client.shared_wounds, std::vector<std::uint32_t>{1});
  client.release({1}).send();
  for (int i = 0; i < 6; ++i) world.tick(5);
  client.read();
  EXPECT_EQ(client.wounds, std::vector<std::uint64_t>{4});
  writer.read();
  EXPECT_TRUE(writer.replies.empty()) << "the elder joiner continues";
  EXPECT_EQ(client.step({.attempt = 3, .prepare = kAlone}).error, "");
  writer.read();
  EXPECT_NE(writer.replies.at(0).committed_at, 0u);
}

TEST_F(Shared, JoiningEndsWithThePhaseOnceATransactionWaits) {
  writer.run(1, {shared_add("b")}, 1'000);  // waits
  world.tick(1);
  const Reply early = client.step({.attempt = 3, .begin_with_priority = 50, .operations = {shared_size(2)}});
  ASSERT_TRUE(early.shared.contains(2));
  EXPECT_EQ(early.shared.at(2), 1000u) << "the rest of two milliseconds";
  world.tick(1.5);
  const Reply late = client.step({.attempt = 4, .begin_with_priority = 50, .operations = {shared_size(3)}});
  ASSERT_TRUE(late.shared.contains(3)) << "older than the waiter, so it passes";
  EXPECT_EQ(late.shared.at(3), 0u);
}

TEST_F(Shared, CountsTheTimeForJoiningFromTheArrivalOfTheRequest) {
  writer.step({.attempt = 1, .begin_with_priority = 1, .operations = {{"t", "Set.add", {Value("x")}}}});
  client.step({.attempt = 3, .begin_with_priority = 50, .operations = {{"t", "Set.size", {}, 4}}});
  world.tick(3);
  writer.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  client.read();
  ASSERT_FALSE(client.replies.empty());
  ASSERT_TRUE(client.replies.back().shared.contains(4));
  EXPECT_EQ(client.replies.back().shared.at(4), 8000u);
}

TEST_F(Shared, AnOperationThatItsCreatorsOtherOperationsConflictWithIsNotShared) {
  const Reply own =
      client.step({.attempt = 3, .begin_with_priority = 50, .operations = {{"u", "Set.add", {Value("x")}}, {"u", "Set.size", {}, 5}}});
  EXPECT_EQ(own.results.size(), 1u);
  EXPECT_TRUE(own.shared.empty()) << "another party could not read beside its add";
  const Reply alone = client.step({.attempt = 4, .begin_with_priority = 50, .operations = {{"v", "Set.size", {}, 6}}, .exclusive = {"v"}});
  EXPECT_TRUE(alone.shared.empty()) << "held exclusively";
  const Reply number = client.step({.attempt = 5, .begin_with_priority = 50, .operations = {{"w", "UIdGenerator.next", {}, 7}}});
  EXPECT_TRUE(number.shared.empty()) << "not combinable";
}

TEST_F(Shared, ADeniedRequestKeepsItsJoins) {
  start({LockKind::kAbstract, false});
  writer.step({.attempt = 1, .begin_with_priority = 1, .operations = {{"t", "Set.add", {Value("x")}}}});
  const Reply denied = client.step({.attempt = 3, .begin_with_priority = 50, .operations = {{"t", "Set.size", {}}}, .joined = {1}});
  EXPECT_EQ(denied.denied, "denied");
  client.release({1}).abort_outcome(2).send();
  EXPECT_EQ(writer.run(2, {shared_add("b")}).denied, "denied") << "the join stays";
  writer.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  const Reply again = client.step({.attempt = 3, .operations = {{"t", "Set.size", {}}}, .prepare = kAlone});
  ASSERT_EQ(again.results.size(), 1u);
  EXPECT_EQ(again.results[0].integer(), 1);
}

TEST_F(Shared, ARequestThatJoinsIsNotQueuedBehindAnother) {
  writer.step({.attempt = 1, .begin_with_priority = 1, .operations = {{"t", "Set.add", {Value("x")}}}});
  client.step({.attempt = 3, .begin_with_priority = 50, .operations = {{"t", "Set.size", {}}}});
  EXPECT_EQ(client.step({.attempt = 3, .sent_before = 1, .prepare = kAlone, .joined = {1}}).error, "invalid_attempt");
}

TEST_F(Shared, UnderReaderWriterLocksReadsAreSharedAndChangesAreNot) {
  client.release({1}).abort_outcome(2).send();
  start({LockKind::kReaderWriter, true});
  EXPECT_TRUE(granted.shared.contains(1));
  EXPECT_NE(client.step(joins(3, {1})).committed_at, 0u);
  const Reply change = client.step({.attempt = 4, .begin_with_priority = 50, .operations = {{"t", "Set.add", {Value("x")}, 8}}});
  EXPECT_TRUE(change.shared.empty());
}

TEST_F(Shared, ASwitchOfLocksLeavesTheReadAndBreaksTheChange) {
  const Reply change = client.step({.attempt = 3, .begin_with_priority = 50, .operations = {{"t", "Set.add", {Value("x")}, 8}}});
  ASSERT_TRUE(change.shared.contains(8));
  client.abort_outcome(3).send();
  world.shards[0]->set_conditions({LockKind::kReaderWriter, true}, world.now());
  EXPECT_NE(client.step(joins(4, {1})).committed_at, 0u);
  EXPECT_EQ(client.step(joins(5, {8})).error, "join_broken") << "changes exclude each other now";
  world.shards[0]->set_conditions({LockKind::kAbstract, true}, world.now());
  EXPECT_NE(client.step(joins(6, {8})).committed_at, 0u);
}

TEST_F(Shared, WithoutLocksNothingIsSharedOrJoined) {
  world.shards[0]->set_conditions({LockKind::kNone, true}, world.now());
  EXPECT_EQ(standing(), 0u) << "attempts that span the switch are gone, and so are their shared operations";
  EXPECT_EQ(client.step(joins(3, {1})).error, "join_broken");
  const Reply reply = client.step({.attempt = 4, .begin_with_priority = 50, .operations = {shared_size(2)}});
  EXPECT_EQ(reply.results.size(), 1u);
  EXPECT_TRUE(reply.shared.empty());
  client.step({.attempt = 4, .sent_before = 1, .prepare = kAlone});
  world.shards[0]->set_conditions({LockKind::kAbstract, true}, world.now());
  EXPECT_NE(writer.run(1, {shared_add("b")}).committed_at, 0u) << "the gates are empty";
}

}  // namespace
}  // namespace claret::testing
