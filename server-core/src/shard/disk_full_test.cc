// While the disk is full a shard changes nothing, and continues to answer reads of what is durable.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "ground/slots.h"
#include "shard/test_disk.h"

namespace claret::testing {
namespace {

struct Full {
  explicit Full(std::uint32_t shards = 1) : world(shards, logged_options()), disks(world, logged_options()) {
    world.tick(0);
    disks.sync_all();
  }
  void refuse(LogTrouble why) {
    world.shards[0]->refuse_changes(why, world.now());
    world.tick(1);
  }
  World world;
  Disks disks;
};

TEST(DiskFull, ChangesAreRefusedAndDurableStateIsRead) {
  Full one;
  TestClient client(one.world, 1);
  client.run(1, {add("a", 5)});
  one.disks.sync(0);
  client.read();
  client.replies.clear();
  one.refuse(LogTrouble::kDiskFull);
  EXPECT_EQ(client.run(2, {add("a", 1)}).error, "disk_full");
  EXPECT_EQ(client.run(3, {add("new", 1)}).error, "disk_full");
  for (std::uint64_t attempt = 4; attempt < 40; ++attempt) {
    one.world.tick(100);  // beyond any clock ceiling that the log holds
    const auto reply = client.run(attempt, {value("a"), value("never-made")});
    ASSERT_EQ(reply.results.size(), 2u) << attempt;
    EXPECT_EQ(reply.results[0].integer(), 5);
    EXPECT_NE(reply.committed_at, 0u);
  }
  one.refuse(LogTrouble::kNone);
  client.run(41, {add("a", 1)});
  one.disks.sync(0);
  client.read();
  EXPECT_NE(client.replies.back().committed_at, 0u);
}

TEST(DiskFull, ARefusalForAnUnavailableLogHasItsOwnCode) {
  Full one;
  TestClient client(one.world, 1);
  client.run(1, {add("a", 5)});
  one.disks.sync(0);
  client.read();
  client.replies.clear();
  one.refuse(LogTrouble::kUnavailable);
  const Reply refused = client.run(2, {add("a", 1)});
  EXPECT_EQ(refused.error, "log_unavailable");
  EXPECT_EQ(refused.retry_after_ms, 100u) << "a hundred attempts last as long as a transaction may";
  EXPECT_EQ(client.run(3, {value("a")}).results.at(0).integer(), 5);
}

TEST(DiskFull, StartsThatCanLogNoCeilingIssueNoTimestampTwice) {
  Full one;
  Timestamp before = 0;
  for (std::uint32_t start = 1; start <= 3; ++start) {
    one.world.tick(1'000);
    one.disks.crash(0, 0);
    one.refuse(LogTrouble::kDiskFull);
    TestClient client(one.world, start);
    const Timestamp at = client.run(1, {value("a")}).committed_at;
    EXPECT_GT(at, before) << "start " << start;
    before = at;
  }
}

TEST(DiskFull, AnAttemptThatBeganBeforeIsRefusedAtItsVote) {
  Full one;
  TestClient client(one.world, 1);
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("a", 5)}});
  one.refuse(LogTrouble::kDiskFull);
  const std::uint64_t before = one.world.shards[0]->log_position();
  EXPECT_EQ(client.step({.attempt = 1, .sent_before = 1, .prepare = std::vector<std::uint32_t>{}}).error, "disk_full");
  EXPECT_EQ(one.world.shards[0]->log_position(), before);
  EXPECT_EQ(client.ask(2, {value("a")}).results.size(), 1u) << "and no longer holds anything";
}

TEST(DiskFull, StateThatIsNotDurableIsNotRead) {
  Full one;
  TestClient writer(one.world, 1), reader(one.world, 2);
  reader.run(1, {value("b")});
  one.disks.sync(0);
  reader.read();
  writer.run(1, {add("a", 5)});
  one.refuse(LogTrouble::kDiskFull);
  EXPECT_EQ(reader.run(2, {value("a")}).error, "disk_full");
  EXPECT_EQ(reader.run(3, {value("b")}).results.size(), 1u);
  one.refuse(LogTrouble::kNone);
  one.disks.sync(0);
  EXPECT_EQ(reader.run(4, {value("a")}).results.size(), 1u);
}

TEST(DiskFull, AReaderThatWaitedForNonDurableStateIsRefusedAndBlocksNothing) {
  Full two(2);
  std::string key = "a";
  while (shard_of_slot(slot_of(key), 2) != 0) key += 'a';
  TestClient voter(two.world, 1), reader(two.world, 2);
  const Timestamp at = [&] {
    voter.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key, 5)}, .prepare = std::vector<std::uint32_t>{0, 1}});
    two.disks.sync(0);
    voter.read();
    return voter.replies.back().voted_at;
  }();
  ASSERT_NE(at, 0u);
  reader.run(1, {value(key)});
  ASSERT_TRUE(reader.replies.empty()) << "waits for the outcome";
  two.refuse(LogTrouble::kDiskFull);
  voter.commit_outcome(1, at).send();
  two.world.tick(1);
  reader.read();
  ASSERT_EQ(reader.replies.size(), 1u);
  EXPECT_EQ(reader.replies[0].error, "disk_full");
  EXPECT_TRUE(reader.closing.empty());
  two.refuse(LogTrouble::kNone);
  two.disks.sync(0);
  reader.run(2, {value(key)});
  two.disks.sync(0);
  reader.read();
  EXPECT_EQ(reader.replies.back().results.at(0).integer(), 5);
}

TEST(DiskFull, ASessionWhoseAnswerWaitsForTheLogIsClosedAndItsClientAsksAgain) {
  Full one;
  TestClient writer(one.world, 1), other(one.world, 2);
  other.run(1, {value("b")});
  one.disks.sync(0);
  other.read();
  writer.run(1, {add("a", 5)});
  one.refuse(LogTrouble::kDiskFull);
  writer.read();
  EXPECT_EQ(writer.closing, "session_lost");
  EXPECT_TRUE(other.closing.empty());
  TestClient again(one.world, 3, 0, 1);
  again.inquire(1, 1, 1).send();
  again.read();
  ASSERT_EQ(again.answers.size(), 1u);
  EXPECT_EQ(again.answers[0].state, AttemptState::kPending);
  EXPECT_EQ(again.run(2, {value("b")}).results.size(), 1u) << "nothing in the session waits behind the answer";
  one.refuse(LogTrouble::kNone);
  again.inquire(1, 1, 2).send();
  one.disks.sync(0);
  again.read();
  EXPECT_EQ(again.answers.back().state, AttemptState::kCommitted);
}

TEST(DiskFull, AWatchGetsWhatBecomesDurableLaterAndBlocksNothingMeanwhile) {
  Full one;
  TestClient writer(one.world, 1);
  writer.run(1, {add("a", 5)});
  one.refuse(LogTrouble::kDiskFull);
  TestClient watcher(one.world, 2);
  watcher.watch(1, value("a")).watch(2, value("b")).send();
  watcher.read();
  ASSERT_EQ(watcher.changes.size(), 1u) << "for b, which has not changed";
  EXPECT_EQ(watcher.run(1, {value("b")}).results.size(), 1u);
  one.refuse(LogTrouble::kNone);
  one.disks.sync(0);
  one.world.tick(20);
  watcher.read();
  ASSERT_EQ(watcher.changes.size(), 2u);
}

// ---- readers over several shards, of which shard 0 has the full disk

struct FullReaders : ::testing::Test {
  FullReaders() {
    while (shard_of_slot(slot_of(key), 2) != 0) key += 'a';
    while (shard_of_slot(slot_of(other), 2) != 0) other += 'b';
    TestClient first(two.world, 1);
    first.run(1, {add(key, 5)});
    two.disks.sync(0);
    two.world.tick(1000);  // beyond any clock ceiling that the log holds
    first.run(2, {add(other, 1)});
    two.refuse(LogTrouble::kDiskFull);  // with an entry that is not durable
  }
  TestClient& client(std::uint32_t peer) { return clients.emplace_back(two.world, peer); }
  // The vote for a read at this shard and another one.
  Reply votes(TestClient& client, std::uint64_t attempt = 1) {
    return client.step(
        {.attempt = attempt, .begin_with_priority = 10, .operations = {value(key)}, .prepare = kBoth, .observes_only = true});
  }
  void over() {
    two.refuse(LogTrouble::kNone);
    two.disks.sync(0);
  }
  const std::vector<std::uint32_t> kBoth{0, 1};
  Full two{2};
  std::deque<TestClient> clients;
  std::string key = "a", other = "b";
};

TEST_F(FullReaders, AVoteHoldsForWhatTheWallClockHasPassed) {
  const Reply vote = votes(client(2));
  ASSERT_NE(vote.voted_at, 0u) << vote.error;
  EXPECT_EQ(vote.results.at(0).integer(), 5);
  EXPECT_GE(HybridClock::wall_ms(vote.holds_until), two.world.now().wall_ms);
}

TEST_F(FullReaders, AnOutcomeThatTheWallClockHasPassedIsAcknowledgedAtOnce) {
  TestClient& reader = client(2);
  const Reply vote = votes(reader);
  const std::uint64_t before = reader.acknowledged;
  reader.commit_outcome(1, vote.voted_at).send();
  EXPECT_GT(reader.acknowledged, before);
}

TEST_F(FullReaders, AnOutcomeAheadOfTheWallClockIsAcknowledgedOnceAStartWouldBeAboveIt) {
  TestClient& reader = client(2);
  const Timestamp outcome = HybridClock::later(votes(reader).holds_until, 50);
  const std::uint64_t before = reader.acknowledged;
  reader.commit_outcome(1, outcome).send();
  EXPECT_EQ(reader.acknowledged, before) << "a crash would set the clock back";
  EXPECT_GT(two.world.shards[0]->next_deadline_ms(), two.world.ms) << "there is nothing to do before";
  EXPECT_LT(two.world.shards[0]->next_deadline_ms(), two.world.ms + 51);
  two.world.tick(49);
  reader.read();
  EXPECT_EQ(reader.acknowledged, before);
  two.world.tick(2);
  reader.read();
  EXPECT_GT(reader.acknowledged, before);
  two.disks.crash(0, 0);
  TestClient& writer = client(3);
  writer.run(1, {add(key, 1)});
  two.disks.sync(0);
  writer.read();
  EXPECT_GT(writer.replies.at(0).committed_at, outcome);
}

TEST_F(FullReaders, SoItIsWhereNoEntryWaitsForRoom) {
  over();
  two.world.tick(1000);
  two.refuse(LogTrouble::kDiskFull);
  TestClient& reader = client(2);
  const Timestamp outcome = HybridClock::later(votes(reader).holds_until, 50);
  const std::uint64_t before = reader.acknowledged;
  reader.commit_outcome(1, outcome).send();
  EXPECT_EQ(reader.acknowledged, before);
  two.world.tick(51);
  reader.read();
  EXPECT_GT(reader.acknowledged, before);
}

TEST_F(FullReaders, ATimestampAheadOfTheWallClockIsToldOnceThatHasPassedIt) {
  TestClient &reader = client(2), &late = client(3);
  reader.commit_outcome(1, HybridClock::later(votes(reader).holds_until, 50)).send();
  EXPECT_TRUE(late.run(1, {value(key)}).results.empty());
  late.native(value(key));
  EXPECT_TRUE(late.native_results.empty());
  two.world.tick(51);
  late.read();
  ASSERT_EQ(late.replies.size(), 1u);
  EXPECT_EQ(late.replies[0].results.at(0).integer(), 5);
  EXPECT_EQ(late.native_results.at(0).integer(), 5);
}

TEST_F(FullReaders, WhatWaitsToBeToldWaitsForACeilingOnceThereIsRoom) {
  TestClient &reader = client(2), &late = client(3);
  reader.commit_outcome(1, HybridClock::later(votes(reader).holds_until, 500)).send();
  late.run(1, {value(key)});
  two.refuse(LogTrouble::kNone);
  late.read();
  EXPECT_TRUE(late.replies.empty());
  two.disks.sync(0);
  late.read();
  ASSERT_EQ(late.replies.size(), 1u);
  const Timestamp told = late.replies[0].committed_at;
  two.disks.crash(0, 0);
  TestClient& writer = client(4);
  writer.run(1, {add(key, 1)});
  two.disks.sync(0);
  writer.read();
  EXPECT_GT(writer.replies.at(0).committed_at, told);
}

TEST_F(FullReaders, WhatWouldWaitForLongIsRefusedAtOnce) {
  TestClient &reader = client(2), &late = client(3);
  reader.commit_outcome(1, HybridClock::later(votes(reader).holds_until, 2500)).send();
  EXPECT_EQ(late.run(1, {value(key)}).error, "disk_full");
  late.native(value(key));
  EXPECT_EQ(late.natives.at(1).error, "disk_full");
  EXPECT_EQ(votes(late, 2).error, "disk_full");
  two.world.tick(1501);
  late.run(3, {value(key)});
  two.world.tick(1000);
  late.read();
  EXPECT_EQ(late.replies.at(0).results.at(0).integer(), 5);
}

TEST_F(FullReaders, ASnapshotOfATimeThatIsSoonIsReadThen) {
  TestClient& reader = client(2);
  const auto as_of = [&](double ahead_ms) {
    Op read = value(key);
    read.at = HybridClock::later(two.world.shards[0]->engine().ground.clock.wall(), ahead_ms);
    read.snapshot = 1;
    return read;
  };
  reader.native(as_of(2000));
  ASSERT_EQ(reader.natives.at(1).error, "disk_full");
  reader.native(as_of(20));
  EXPECT_TRUE(reader.native_results.empty());
  two.world.tick(21);
  reader.read();
  EXPECT_EQ(reader.native_results.at(0).integer(), 5);
}

TEST_F(FullReaders, ASessionIsClosedThatBringsAnOutcomeOfWhatIsLogged) {
  over();
  TestClient &writer = client(2), &reader = client(3);
  writer.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key, 5)}, .prepare = kBoth});
  two.disks.sync(0);
  writer.read();
  const Timestamp vote = writer.replies.at(0).voted_at;
  two.refuse(LogTrouble::kDiskFull);
  writer.commit_outcome(1, vote).send();
  EXPECT_EQ(writer.closing, "session_lost") << "it would soon send nothing more";
  EXPECT_EQ(reader.run(1, {value("never-made")}).error, "");
  EXPECT_EQ(reader.closing, "");
}

TEST_F(FullReaders, ASessionIsClosedWhoseOutcomeWaitsForTheLogWhenTheDiskFillsUp) {
  over();
  TestClient& writer = client(2);
  writer.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key, 5)}, .prepare = kBoth});
  two.disks.sync(0);
  writer.read();
  writer.commit_outcome(1, writer.replies.at(0).voted_at).send();
  two.refuse(LogTrouble::kDiskFull);
  writer.read();
  EXPECT_EQ(writer.closing, "session_lost");
}

}  // namespace
}  // namespace claret::testing
