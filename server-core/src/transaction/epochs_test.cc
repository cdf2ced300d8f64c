// Members of epochs through whole shards: what they meet, and what becomes of them when their manager, or a message, is lost.
#include <gtest/gtest.h>

#include "transaction/test_epochs.h"
#include "transaction/test_mover.h"

namespace claret::testing {
namespace {

TEST(Epochs, AMemberOfOneShardCommitsThere) {
  Cluster cluster(1);
  const Sent sent(cluster, 1, {{put("a", "x"), got("a")}});
  cluster.run(5);
  ASSERT_NE(sent.committed_at(0), 0u);
  EXPECT_EQ(sent.reply(0)->results, (std::vector<Value>{Value()}));
  const Sent reader(cluster, 2, {{got("a")}});
  cluster.run(5);
  EXPECT_EQ(reader.reply(0)->results, (std::vector<Value>{Value("x")}));
  EXPECT_EQ(cluster.shard(0).counters().totals.epoch_members, 2u);
}

TEST(Epochs, AMemberOfOneShardCommitsInTheEpochsOfAnother) {
  Cluster cluster(2);
  const Sent sent(cluster, 1, {{}, {put(cluster.key(1), "x")}}, 0);
  cluster.run(20);
  EXPECT_NE(sent.committed_at(1), 0u);
  EXPECT_EQ(cluster.shard(1).counters().totals.epoch_members, 1u);
}

TEST(Epochs, AMemberOfSeveralShardsCommitsAtOneTime) {
  Cluster cluster(3);
  const Sent sent(cluster, 1, {{put(cluster.key(0), "x")}, {put(cluster.key(1), "x")}, {put(cluster.key(2), "x")}});
  cluster.run(20);
  ASSERT_NE(sent.committed_at(0), 0u);
  EXPECT_EQ(sent.committed_at(0), sent.committed_at(1));
  EXPECT_EQ(sent.committed_at(0), sent.committed_at(2));
}

TEST(Epochs, MembersThatWriteTheSameRecordsLeaveTheLastOnesValueEverywhere) {
  Cluster cluster(2);
  std::vector<std::unique_ptr<Sent>> sent;
  for (std::uint32_t i = 1; i <= 20; ++i) {
    const std::string text = std::to_string(i);
    sent.push_back(
        std::make_unique<Sent>(cluster, i, std::vector<std::vector<Op>>{{put(cluster.key(0), text)}, {put(cluster.key(1), text)}}));
  }
  cluster.run(20);
  const auto last = std::max_element(sent.begin(), sent.end(),
                                     [](const auto& one, const auto& other) { return one->committed_at(0) < other->committed_at(0); });
  const Value winner(std::to_string(last - sent.begin() + 1));
  const Sent reader(cluster, 99, {{got(cluster.key(0))}, {got(cluster.key(1))}});
  cluster.run(20);
  EXPECT_EQ(reader.reply(0)->results, std::vector{winner});
  EXPECT_EQ(reader.reply(1)->results, std::vector{winner});
}

TEST(Epochs, AMemberThatWaitsForItsEpochHoldsNothing) {
  Cluster cluster(2);
  // Without its other part it is in no epoch.
  TestClient& half = cluster.client(0, 1);
  half.add(member({put(cluster.key(0), "x")}, kBoth)).send();
  cluster.run(5);
  TestClient& other = cluster.client(0, 2);
  other.add({.attempt = 1, .begin_with_priority = 200, .operations = {put(cluster.key(0), "y")}, .prepare = kAlone}).send();
  EXPECT_NE(other.replies.back().committed_at, 0u);
  cluster.run(300);
  EXPECT_EQ(half.replies.back().error, errors::kEpochMissed);
  EXPECT_EQ(cluster.undecided(0), 0u);
}

TEST(Epochs, AMemberIsNotListedBesideALockThatItDoesNotGoWith) {
  Cluster cluster(1);
  TestClient& holder = cluster.client(0, 1);
  holder.add({.attempt = 1, .begin_with_priority = 100, .operations = {got("a")}}).send();
  const Sent sent(cluster, 2, {{put("a", "x")}});
  cluster.run(5);
  EXPECT_FALSE(sent.answered(0));
  holder.add({.attempt = 1, .sent_before = 1, .prepare = kAlone}).send();
  cluster.run(10);
  EXPECT_NE(sent.committed_at(0), 0u);
}

TEST(Epochs, AMemberIsNotListedAtARecordWithARun) {
  Cluster cluster(1);
  TestClient& chained = cluster.client(0, 1);
  chained.member(1, {add("c")}).send();
  ASSERT_EQ(chained.seen.reply(1).error, "");
  const Sent sent(cluster, 2, {{add("c")}});
  cluster.run(5);
  EXPECT_FALSE(sent.answered(0));
  chained.hang_up();
  cluster.run(10);
  EXPECT_NE(sent.committed_at(0), 0u);
}

TEST(Epochs, AMemberIsNotListedAtARecordThatIsAboutToMove) {
  Logged cluster;
  Mover mover(cluster.world, cluster.disks);
  const std::string key = cluster.key(0);
  ASSERT_EQ(mover.begin(0, 1, {slot_of(key), slot_of(key)}), "");
  mover.drain();
  const Sent sent(cluster, 2, {{put(key, "x")}});
  cluster.run(5);
  EXPECT_FALSE(sent.answered(0));
  mover.call_off_drain();
  cluster.run(10);
  EXPECT_NE(sent.committed_at(0), 0u);
}

TEST(Epochs, AMemberThatMeetsALockAtEachEpochEndsAndMayGoByLocks) {
  Cluster cluster(1);
  TestClient& holder = cluster.client(0, 1);
  holder.add({.attempt = 1, .begin_with_priority = 100, .operations = {got("a")}}).send();
  const Sent sent(cluster, 2, {{put("a", "x")}});
  cluster.run(250);
  EXPECT_EQ(sent.error(0), errors::kEpochMissed);
  EXPECT_TRUE(sent.reply(0)->retryable);
}

TEST(Epochs, AMemberThatMeetsALockAtOneOfItsShardsEndsToo) {
  Cluster cluster(2);
  TestClient& holder = cluster.client(1, 1);
  holder.add({.attempt = 1, .begin_with_priority = 1, .operations = {got(cluster.key(1))}}).send();
  const Sent sent(cluster, 2, {{put(cluster.key(0), "x")}, {put(cluster.key(1), "x")}});
  cluster.run(150);
  EXPECT_EQ(sent.error(1), errors::kEpochMissed);
}

TEST(Epochs, AShardThatHasDoneNothingForMinutesListsToo) {
  Cluster cluster(2);
  Sent(cluster, 1, {{put(cluster.key(0), "x")}, {put(cluster.key(1), "x")}});
  cluster.run(20);
  cluster.run(120'000, 1'000);
  const Sent first(cluster, 2, {{put(cluster.key(0), "y")}, {}});
  cluster.run(20);
  ASSERT_NE(first.committed_at(0), 0u);
  const Sent both(cluster, 3, {{put(cluster.key(0), "y")}, {put(cluster.key(1), "y")}});
  cluster.run(20);
  EXPECT_NE(both.committed_at(1), 0u);
}

TEST(Epochs, WhatReservesIsRefusedWhenItIsListed) {
  Cluster cluster(1);
  const Sent sent(cluster, 1, {{put("a", "x"), {"purse", "BoundedCounter.decrement", {Value(std::int64_t{1})}}}});
  cluster.run(5);
  EXPECT_EQ(sent.error(0), errors::kBelowBound);
  const Sent reader(cluster, 2, {{got("a")}});
  cluster.run(5);
  EXPECT_EQ(reader.reply(0)->results, (std::vector<Value>{Value()}));
}

// The manager seals, and is gone before anybody hears of it.
TEST(Epochs, TheOthersCommitWhatASilentManagerHasTakenIntoAnEpoch) {
  Cluster cluster(3);
  const Sent sent(cluster, 1, {{}, {put(cluster.key(1), "x")}, {put(cluster.key(2), "x")}});
  for (int i = 0; i < 50 && (cluster.undecided(1) == 0 || cluster.undecided(2) == 0); ++i) cluster.run(1);
  ASSERT_EQ(cluster.undecided(1), 1u);
  ASSERT_EQ(cluster.undecided(2), 1u);
  cluster.links.hold(0, 1);
  cluster.links.hold(0, 2);
  cluster.run(700);
  ASSERT_NE(sent.committed_at(1), 0u);
  EXPECT_EQ(sent.committed_at(1), sent.committed_at(2));
  EXPECT_EQ(cluster.undecided(1) + cluster.undecided(2), 0u);
}

// Shard 1 has a member of its own, and shard 2 has not heard yet that the epoch closes: it might list others later.
TEST(Epochs, NobodyTakesATurnBeforeAllShardsOfTheEpochHaveListedOrRefused) {
  Cluster cluster(3);
  const Sent opening(cluster, 1, {{}, {put(cluster.key(1), "x")}, {put(cluster.key(2), "x")}});
  cluster.run(30);
  ASSERT_NE(opening.committed_at(1), 0u);
  cluster.links.hold(0, 2);
  const Sent both(cluster, 3, {{}, {put(cluster.key(1, "other"), "y")}, {put(cluster.key(2), "y")}});
  const Sent alone(cluster, 2, {{}, {put(cluster.key(1), "y")}, {}});
  for (int i = 0; i < 50 && cluster.undecided(1) != 2; ++i) cluster.run(0.5, 0.5);
  ASSERT_EQ(cluster.undecided(1), 2u);
  ASSERT_EQ(cluster.undecided(2), 0u);
  cluster.links.hold(0, 1);
  cluster.links.hold(1, 2);
  cluster.run(700);
  EXPECT_FALSE(alone.answered(1));
  cluster.links.release(1, 2);
  cluster.run(100);
  EXPECT_NE(alone.committed_at(1), 0u);
  // Shard 2 has refused the epoch, and there is no other.
  cluster.run(200);
  EXPECT_EQ(both.error(1), errors::kEpochMissed);
}

TEST(Epochs, CommitsAfterAnEpochHaveGreaterTimestampsThanItsMembers) {
  Cluster cluster(2);
  cluster.shard(1).engine().ground.clock.raise(HybridClock::later(cluster.shard(1).engine().ground.clock.reached(), 1'000));
  const Sent sent(cluster, 1, {{put(cluster.key(0), "x")}, {put(cluster.key(1), "x")}});
  for (int i = 0; i < 100 && !sent.answered(0); ++i) cluster.run(0.5, 0.5);
  ASSERT_NE(sent.committed_at(0), 0u);
  EXPECT_GT(cluster.client(0, 2).run(1, {got(cluster.key(0))}).committed_at, sent.committed_at(0));
}

// ---- a shard alone; the test says what its manager and its peers would

TEST(EpochsByHand, AShardThatWasAskedAboutAnEpochListsNothingInItAnyMore) {
  Alone alone;
  alone.member_of_both(1, {put(alone.key(0), "x")});
  EXPECT_FALSE(alone.epochs().asked(kEpoch));
  alone.close();
  EXPECT_EQ(alone.epochs().undecided(), 0u);
  alone.close(kEpoch + 1);
  EXPECT_EQ(alone.epochs().undecided(), 1u);
}

TEST(EpochsByHand, AManagersNumbersMayStartOver) {
  Alone alone;
  alone.close(kEpoch | EpochNumber{0xffffff} << 32U);
  alone.member_of_both(1, {put(alone.key(0), "x")});
  alone.close(kEpoch);
  EXPECT_EQ(alone.epochs().undecided(), 1u);
}

TEST(EpochsByHand, AShardThatWasAskedAboutItsListTakesNoCallOff) {
  Alone alone;
  TestClient& client = alone.member_of_both(1, {put(alone.key(0), "x")});
  alone.close();
  EXPECT_TRUE(alone.epochs().asked(kEpoch));
  alone.epochs().call_off(kEpoch);
  EXPECT_EQ(alone.epochs().undecided(), 1u);
  alone.epochs().decide(alone.attempt(1), alone.attempt(1).voted_at + 5);
  alone.settle();
  EXPECT_NE(client.replies.back().committed_at, 0u);
}

TEST(EpochsByHand, WhatIsCalledOffIsGatheredAgain) {
  Alone alone;
  alone.member_of_both(1, {put(alone.key(0), "x")});
  alone.close();
  alone.epochs().call_off(kEpoch);
  EXPECT_EQ(alone.epochs().gathered(), 1u);
  EXPECT_NE(alone.client(0, 2).run(1, {put(alone.key(0), "y")}).committed_at, 0u);
}

TEST(EpochsByHand, AMemberStaysGatheredWhileEpochsGoOn) {
  Alone alone;
  TestClient& client = alone.member_of_both(1, {put(alone.key(0), "x")});
  for (EpochNumber i = 0; i < 6; ++i) {
    alone.world.ms += 150;
    alone.close(kEpoch + i);
    alone.world.ms += 150;
    alone.epochs().call_off(kEpoch + i);
    alone.settle();
  }
  EXPECT_EQ(alone.epochs().gathered(), 1u);
  EXPECT_TRUE(client.replies.empty());
}

TEST(EpochsByHand, AMemberEndsOnceTooManyOfItsEpochsAreCalledOff) {
  Alone alone;
  TestClient& client = alone.member_of_both(1, {put(alone.key(0), "x")});
  for (EpochNumber i = 0; i < 64; ++i) {
    EXPECT_TRUE(client.replies.empty());
    alone.close(kEpoch + i);
    alone.epochs().call_off(kEpoch + i);
    alone.settle();
  }
  ASSERT_FALSE(client.replies.empty());
  EXPECT_EQ(client.replies.back().error, errors::kEpochMissed);
}

TEST(EpochsByHand, AMemberEndsOnceNoEpochIsClosedAnyMore) {
  Alone alone;
  TestClient& client = alone.member_of_both(1, {put(alone.key(0), "x")});
  alone.world.ms += 201;
  alone.settle();
  ASSERT_FALSE(client.replies.empty());
  EXPECT_EQ(client.replies.back().error, errors::kEpochMissed);
}

TEST(EpochsByHand, AMemberEndsIfEpochsGoOnWithoutOneOfItsShards) {
  Alone alone;
  TestClient& client = alone.member_of_both(1, {put(alone.key(0), "x")});
  for (EpochNumber i = 0; i < 3; ++i) {
    alone.world.ms += 90;
    alone.epochs().close({.epoch = kEpoch + i, .floor = 0, .shards = {0}});
    alone.settle();
  }
  ASSERT_FALSE(client.replies.empty());
  EXPECT_EQ(client.replies.back().error, errors::kEpochMissed);
}

TEST(EpochsByHand, AMemberWaitsForAnUndecidedOneThatMayCommitBefore) {
  Alone alone;
  TestClient& first = alone.member_of_both(1, {put(alone.key(0), "first"), got(alone.key(0, "other"))});
  TestClient& second = alone.member_of_both(2, {put(alone.key(0), "second")});
  alone.close();
  const Timestamp voted_first = alone.attempt(1).voted_at;
  alone.epochs().decide(alone.attempt(2), alone.attempt(2).voted_at);
  alone.settle();
  EXPECT_TRUE(second.replies.empty());
  alone.epochs().decide(alone.attempt(1), voted_first);
  alone.settle();
  ASSERT_FALSE(first.replies.empty());
  ASSERT_FALSE(second.replies.empty());
  TestClient& reader = alone.client(0, 3);
  EXPECT_EQ(reader.run(1, {got(alone.key(0))}).results, (std::vector<Value>{Value("second")}));
}

TEST(EpochsByHand, MembersTakeTheirTurnsInOrderOfTheirCommitsNotOfTheirVotes) {
  Alone alone;
  alone.member_of_both(1, {put(alone.key(0), "first vote")});
  alone.member_of_both(2, {put(alone.key(0), "second vote")});
  alone.close();
  const Timestamp at = alone.attempt(2).voted_at;
  alone.epochs().seal({.epoch = kEpoch, .committed = {at + 100 - alone.attempt(1).voted_at + 1, 1}});
  alone.settle();
  EXPECT_EQ(alone.client(0, 3).run(1, {got(alone.key(0))}).results, (std::vector<Value>{Value("first vote")}));
}

TEST(EpochsByHand, AMemberPassesThoseOfItsOwnEpochAndNoUndecidedOneOfAnEarlierEpoch) {
  Alone alone;
  alone.member_of_both(1, {put(alone.key(0), "x")});
  alone.member_of_both(2, {put(alone.key(0), "y")});
  alone.close();
  EXPECT_EQ(alone.epochs().undecided(), 2u);
  alone.member_of_both(3, {put(alone.key(0), "z")});
  alone.close(kEpoch + 1);
  EXPECT_EQ(alone.epochs().undecided(), 2u);
  EXPECT_EQ(alone.epochs().gathered(), 1u);
}

TEST(EpochsByHand, ATransactionWaitsForListedMembersOnly) {
  Alone alone;
  alone.member_of_both(1, {got(alone.key(0))});
  TestClient& before = alone.client(0, 2);
  EXPECT_NE(before.run(1, {put(alone.key(0), "x")}).committed_at, 0u);
  alone.close();
  TestClient& during = alone.client(0, 3);
  during.run(1, {put(alone.key(0), "y")});
  EXPECT_TRUE(during.replies.empty());
  alone.epochs().decide(alone.attempt(1), alone.attempt(1).voted_at);
  alone.settle();
  EXPECT_NE(during.replies.back().committed_at, 0u);
}

TEST(EpochsByHand, AClientIsNotToldOfAMembersVote) {
  Alone alone;
  alone.member_of_both(1, {put(alone.key(0), "x")});
  alone.close();
  TestClient& asker = alone.client(0, 1);
  asker.inquire(1, 1, 7).send();
  EXPECT_EQ(asker.answers.back().state, AttemptState::kPending);
}

// The shard that asks forgets the commit then, and this one, if it died before the turn, would be told that there was none.
TEST(EpochsByHand, AMemberThatWaitsForItsTurnIsNotYetConfirmedToOtherShards) {
  Alone alone;
  alone.member_of_both(1, {put(alone.key(0), "first"), got(alone.key(0, "other"))});
  alone.member_of_both(2, {put(alone.key(0), "second")});
  alone.close();
  const Timestamp at = alone.attempt(2).voted_at;
  TestClient other(alone.world, 9, {.of_shard_plus_one = 2});
  other.inquire(2, 1, 7, at).send();
  EXPECT_EQ(other.answers.back().state, AttemptState::kPending);
  alone.epochs().decide(alone.attempt(1), alone.attempt(1).voted_at);
  alone.settle();
  other.inquire(2, 1, 8, at).send();
  EXPECT_EQ(other.answers.back().state, AttemptState::kCommitted);
}

// The other shard was asked about the first epoch, which was settled otherwise meanwhile.
TEST(EpochsByHand, AnAnswerAboutAnEpochDecidesNothingInTheNext) {
  Alone alone;
  alone.member_of_both(1, {put(alone.key(0), "x")});
  alone.close();
  const Timestamp voted_before = alone.attempt(1).voted_at;
  alone.epochs().call_off(kEpoch);
  alone.close(kEpoch + 1);
  Engine& engine = alone.shard(0).engine();
  engine.endings.resolve(alone.attempt(1).id, kEpoch, false, 0);
  engine.endings.resolve(alone.attempt(1).id, kEpoch, true, voted_before + 1'000'000);
  alone.settle();
  EXPECT_EQ(alone.epochs().undecided(), 1u);
}

TEST(EpochsByHand, AListedMemberOutlivesItsSession) {
  Alone alone;
  TestClient& client = alone.member_of_both(1, {put(alone.key(0), "x")});
  alone.close();
  client.hang_up();
  alone.epochs().decide(alone.attempt(1), alone.attempt(1).voted_at);
  alone.settle();
  EXPECT_EQ(alone.client(0, 3).run(1, {got(alone.key(0))}).results, (std::vector<Value>{Value("x")}));
}

TEST(EpochsByHand, AGatheredMemberEndsWithItsSession) {
  Alone alone;
  alone.member_of_both(1, {put(alone.key(0), "x")}).hang_up();
  EXPECT_EQ(alone.epochs().gathered(), 0u);
}

// ---- logs

TEST(EpochsInLogs, AListLeavesOnceItIsDurable) {
  Logged cluster;
  cluster.syncs[1] = false;
  const Sent sent(cluster, 1, {{put(cluster.key(0), "x")}, {put(cluster.key(1), "x")}});
  for (int i = 0; i < 50 && cluster.undecided(1) == 0; ++i) cluster.run(0.2, 0.2);
  ASSERT_EQ(cluster.undecided(1), 1u);
  cluster.run(2, 0.2);
  EXPECT_EQ(cluster.undecided(0), 1u);
  EXPECT_FALSE(sent.answered(0));
  cluster.syncs[1] = true;
  cluster.run(50);
  EXPECT_NE(sent.committed_at(0), 0u);
  EXPECT_EQ(sent.committed_at(0), sent.committed_at(1));
}

TEST(EpochsInLogs, AStartSettlesTheMembersThatWereListed) {
  Logged cluster;
  cluster.syncs[1] = false;  // so that it stays listed
  const Sent sent(cluster, 1, {{put(cluster.key(0), "x")}, {put(cluster.key(1), "x")}});
  for (int i = 0; i < 50 && cluster.undecided(1) == 0; ++i) cluster.run(0.2, 0.2);
  ASSERT_EQ(cluster.undecided(1), 1u);
  cluster.links.hold(0, 1);
  cluster.syncs[1] = true;
  cluster.run(2, 0.2);
  ASSERT_NE(sent.committed_at(0), 0u) << "the manager has sealed it";
  cluster.disks.crash(1, 0);
  EXPECT_EQ(cluster.undecided(1), 1u);
  cluster.links.release(0, 1);
  cluster.links.break_all();
  cluster.run(300);
  EXPECT_EQ(cluster.undecided(1), 0u);
  EXPECT_EQ(cluster.client(1, 2).run(1, {got(cluster.key(1))}).results, (std::vector<Value>{Value("x")}));
}

// Shard 1 lists a member that the manager does not have yet, and asks about it while the manager stands still. The answer waits for the manager's
// log, and comes when the next epoch has the member at both.
TEST(EpochsInLogs, ALateAnswerAboutOneEpochDecidesNothingInTheNext) {
  Logged cluster;
  const auto step = [&](const auto& done) {
    for (int i = 0; i < 100 && !done(); ++i) {
      cluster.links.carry();
      if (!done()) cluster.world.tick(0.2);
    }
    ASSERT_TRUE(done());
  };
  TestClient& there = cluster.client(1, 1);
  there.add(member({put(cluster.key(1), "x")}, kBoth)).send();
  step([&] { return cluster.undecided(1) == 1; });
  cluster.links.hold(1, 0);
  cluster.syncs[0] = false;
  cluster.client(0, 2).run(1, {put(cluster.key(0, "other"), "y")});
  const std::uint64_t before = cluster.shard(0).log_position();
  for (int i = 0; i < 4; ++i) {  // only shard 1 runs
    cluster.world.ms += 100;
    cluster.shard(1).begin(cluster.world.now());
    cluster.shard(1).finish();
    cluster.world.after_input();
  }
  ASSERT_EQ(cluster.undecided(1), 1u);
  cluster.links.release(1, 0);
  cluster.links.deliver(1, 0);
  TestClient& here = cluster.client(0, 1);
  here.add(member({put(cluster.key(0), "x")}, kBoth)).send();
  step([&] { return cluster.shard(1).counters().totals.epoch_incomplete == 1 && cluster.undecided(0) == 1 && cluster.undecided(1) == 1; });
  cluster.run(2, 0.2);
  cluster.shard(0).durable(before, cluster.world.now());
  cluster.run(2, 0.2);
  EXPECT_EQ(cluster.undecided(1), 1u);
  cluster.syncs[0] = true;
  cluster.run(300);
  ASSERT_FALSE(here.replies.empty());
  ASSERT_FALSE(there.replies.empty());
  EXPECT_NE(here.replies.back().committed_at, 0u);
  EXPECT_EQ(here.replies.back().committed_at, there.replies.back().committed_at);
}

}  // namespace
}  // namespace claret::testing
