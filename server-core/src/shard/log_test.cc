// The log of a shard: which answers wait for it, and what is restored from it.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "shard/test_disk.h"
#include "wire/log_entry.h"

namespace claret::testing {
namespace {

struct Logged {
  explicit Logged(std::uint32_t shards = 1) : world(shards, logged_options()), disks(world, logged_options()) {
    world.tick(0);
    disks.sync_all();
  }
  Shard& shard(std::uint32_t number = 0) { return *world.shards[number]; }
  std::size_t in_flight(std::uint32_t number = 0) { return shard(number).engine().attempts_in_flight(); }
  World world;
  Disks disks;
};

TEST(Log, ACommitIsAnsweredOnceItsEntryIsDurable) {
  Logged one;
  TestClient client(one.world, 1);
  EXPECT_EQ(client.run(1, {add("a", 5)}).committed_at, 0u);
  const std::uint64_t position = one.shard().log_position();
  EXPECT_EQ(one.shard().durable(position - 1, one.world.now()), std::vector<std::uint32_t>{});
  EXPECT_EQ(one.shard().durable(position, one.world.now()), std::vector<std::uint32_t>{1});
  client.read();
  ASSERT_EQ(client.replies.size(), 1u);
  EXPECT_NE(client.replies[0].committed_at, 0u);
}

TEST(Log, LocksAreReleasedEarlyButReadersOfTheChangesWait) {
  Logged one;
  TestClient writer(one.world, 1), reader(one.world, 2), bystander(one.world, 3);
  bystander.run(1, {value("b")});
  one.disks.sync(0);
  bystander.read();
  writer.run(1, {add("a", 5)});
  EXPECT_TRUE(reader.step({.attempt = 1, .begin_with_priority = 10, .operations = {value("a")}}).results.empty());
  EXPECT_EQ(one.shard().engine().ground.wounds.waiting().size(), 0u) << "granted";
  EXPECT_EQ(bystander.run(2, {value("b")}).results.size(), 1u) << "has read only durable state";
  EXPECT_EQ(bystander.step({.attempt = 3, .begin_with_priority = 10, .operations = {add("a", 1)}}).attempt, 0u) << "the reader holds a";
  one.disks.sync(0);
  reader.read();
  ASSERT_EQ(reader.replies.size(), 1u);
  EXPECT_EQ(reader.replies[0].results[0].integer(), 5);
}

TEST(Log, AGrantWithoutAResultWaitsForNothing) {
  Logged one;
  TestClient first(one.world, 1), second(one.world, 2);
  first.run(1, {add("a", 5)});
  EXPECT_EQ(second.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("a", 1)}}).attempt, 1u);
}

TEST(Log, AWatchDoesNotReportAChangeBeforeItIsDurable) {
  Logged one;
  TestClient writer(one.world, 1), watcher(one.world, 2);
  watcher.watch(1, value("a")).send();
  ASSERT_EQ(watcher.changes.size(), 1u);
  writer.run(1, {add("a", 5)});
  one.world.tick(20);
  watcher.read();
  EXPECT_EQ(watcher.changes.size(), 1u);
  EXPECT_GT(one.shard().next_deadline_ms(), one.world.ms) << "nothing is due until the log advances";
  one.disks.sync(0);
  watcher.read();
  ASSERT_EQ(watcher.changes.size(), 2u);
  EXPECT_EQ(watcher.changes[1].value.integer(), 5);
}

TEST(Log, TelemetryDoesNotReportTheEndOfAnAttemptBeforeItIsDurable) {
  Logged one;
  one.shard().observe(true, one.world.now());
  const auto told = [&] {
    std::vector<std::string> told;
    for (const Sample& sample : one.shard().take_telemetry(one.world.now()).samples) {
      told.push_back(sample.committed ? "committed" : std::string(sample.code));
    }
    return told;
  };
  const auto bounded = [](std::string name, std::int64_t n) { return Op{"b", "BoundedCounter." + std::move(name), {Value(n)}}; };
  TestClient client(one.world, 1);
  client.run(1, {add("a", 5)});
  EXPECT_EQ(told(), std::vector<std::string>{});
  const std::uint64_t first = one.shard().log_position();
  client.run(2, {bounded("increment", 1)});
  client.run(3, {bounded("decrement", 2)});  // refused because of the increment just before
  one.disks.written(0);
  one.shard().durable(first, one.world.now());
  EXPECT_EQ(told(), std::vector<std::string>{"committed"});
  one.disks.sync(0);
  EXPECT_EQ(told(), (std::vector<std::string>{"committed", "below_bound"}));
  EXPECT_EQ(told(), std::vector<std::string>{});
}

TEST(Log, AnswersLeaveUnderContinuousLoad) {
  Logged one;
  TestClient client(one.world, 1);
  std::uint64_t durable = one.shard().log_position();
  std::size_t answered = 0;
  for (std::uint64_t turn = 1; turn <= 100; ++turn) {
    client.run(turn, {add("a", 1)});
    answered += client.replies.size();
    // The log lags by three turns all the time.
    if (one.shard().log_position() > durable + 3) one.shard().durable(++durable, one.world.now());
    client.replies.clear();
    client.read();
    answered += client.replies.size();
  }
  EXPECT_GT(answered, 90u);
}

TEST(Log, CommittedStateIsRestored) {
  Logged one;
  TestClient client(one.world, 1);
  client.run(1, {add("a", 5), add("a", 2), {"s", "Set.add", {Value("x")}}});
  client.step({.attempt = 2, .begin_with_priority = 10, .operations = {add("a", 100)}});  // never commits
  one.disks.sync(0);
  one.disks.crash(0, 0);
  TestClient again(one.world, 2);
  again.run(1, {value("a"), {"s", "Set.size", {}}});
  one.disks.sync(0);
  again.read();
  ASSERT_EQ(again.replies.size(), 1u);
  EXPECT_EQ(again.replies[0].results[0].integer(), 7);
  EXPECT_EQ(again.replies[0].results[1].integer(), 1);
}

TEST(Log, TimestampsNeverGoBackAcrossARestart) {
  Logged one;
  TestClient client(one.world, 1);
  client.run(1, {value("a")});
  one.disks.sync(0);
  client.read();
  const Timestamp before = client.replies.at(0).committed_at;
  ASSERT_NE(before, 0u);
  one.disks.crash(0, 0);
  one.world.wall_ahead_ms = -500;  // the wall clock was set back
  TestClient again(one.world, 2);
  again.run(1, {value("a")});
  one.disks.sync(0);
  again.read();
  EXPECT_GT(again.replies.at(0).committed_at, before);
}

// A timestamp that the shard issues now.
Timestamp timestamp_of(Logged& logged, std::uint32_t peer) {
  TestClient client(logged.world, peer);
  client.run(1, {add("a", 1)});
  logged.disks.sync(0);
  client.read();
  return client.replies.at(0).committed_at;
}

TEST(Clocks, RestartsDoNotMoveAClockAwayFromTheWallClock) {
  Logged one;
  for (std::uint32_t start = 1; start <= 400; ++start) {
    one.world.ms += 20;
    const Timestamp at = timestamp_of(one, start);
    EXPECT_LT(HybridClock::wall_ms(at), one.world.now().wall_ms + 2 * kCeilingAheadOfWallMs) << start;
    one.disks.crash(0, 0);
  }
}

TEST(Clocks, NorAClockThatIsAheadAlready) {
  Logged one;
  one.world.wall_ahead_ms = 3'600'000;
  const double ahead_ms = HybridClock::wall_ms(timestamp_of(one, 1));
  one.world.wall_ahead_ms = 0;
  for (std::uint32_t start = 2; start <= 100; ++start) {
    one.world.ms += 20;
    one.disks.crash(0, 0);
    EXPECT_LT(HybridClock::wall_ms(timestamp_of(one, start)), ahead_ms + kCeilingAheadOfWallMs + 20 * start);
  }
}

struct Readers : ::testing::Test {
  // A read at shard 0, which votes.
  Reply votes(std::uint32_t peer) {
    TestClient& client = clients.emplace_back(two.world, peer);
    client.step({.attempt = 1, .begin_with_priority = 10, .operations = {value(a)}, .prepare = kBoth, .observes_only = true});
    two.disks.sync(0);
    client.read();
    return client.replies.empty() ? Reply{} : client.replies.back();
  }
  Timestamp next(std::uint32_t peer) {
    TestClient client(two.world, peer);
    client.run(1, {add(a, 1)});
    two.disks.sync(0);
    client.read();
    return client.replies.empty() ? 0 : client.replies.back().committed_at;
  }
  Logged two{2};
  std::deque<TestClient> clients;
  const std::string a = key_on(0, "a");
};

TEST_F(Readers, AStartIsAboveEveryTimestampThatAVoteHoldsUntil) {
  const Reply vote = votes(1);
  ASSERT_GT(vote.holds_until, vote.voted_at);
  two.disks.crash(0, 0);
  EXPECT_GT(next(2), vote.holds_until);
}

TEST_F(Readers, AnOutcomeIsDurablyBelowEveryStartBeforeItIsAcknowledged) {
  const Reply vote = votes(1);
  const Timestamp outcome = HybridClock::later(vote.voted_at, 3'600'000);
  TestClient& client = clients.back();
  const std::uint64_t before = client.acknowledged;
  client.commit_outcome(1, outcome).send();
  EXPECT_EQ(client.acknowledged, before) << "a crash would set the clock back";
  two.disks.sync(0);
  client.read();
  EXPECT_GT(client.acknowledged, before);
  two.disks.crash(0, 0);
  EXPECT_GT(next(2), outcome);
}

TEST_F(Readers, ABranchReleasedWithoutAnOutcomeHasHeldUntilThen) {
  const Reply vote = votes(1);
  two.world.shards[0]->disconnect(1, two.world.now());
  AttemptId id;
  std::ranges::copy(TestClient::id_of(1, 1), id.begin());
  two.world.shards[0]->engine().endings.resolve(id, 0, false, 0);
  EXPECT_GT(next(2), vote.holds_until);
}

TEST(Clocks, AnOutcomeIsAppliedHoweverFarItIsAheadOfTheClock) {
  Logged two(2);
  TestClient client(two.world, 1);
  const std::string a = key_on(0, "a");
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(a, 5)}, .prepare = kBoth});
  two.disks.sync(0);
  client.read();
  const Timestamp outcome = HybridClock::later(client.replies.at(0).voted_at, 1e9);
  client.commit_outcome(1, outcome).send();
  two.disks.sync(0);
  client.replies.clear();
  client.run(2, {value(a)});
  two.disks.sync(0);
  client.read();
  EXPECT_EQ(client.closing, "");
  EXPECT_EQ(client.replies.at(0).results.at(0).integer(), 5);
  EXPECT_GT(client.replies.at(0).committed_at, outcome);
}

TEST(Clocks, SkewIsJudgedOnlyBeforeTheVote) {
  Logged two(2);
  TestClient client(two.world, 1);
  const std::string a = key_on(0, "a"), b = key_on(0, "b");
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(a, 5)}, .prepare = kBoth});
  two.disks.sync(0);
  client.read();
  const Timestamp voted_at = client.replies.at(0).voted_at;
  two.shard().set_skewed({1});
  const Reply refused = client.step({.attempt = 2, .begin_with_priority = 10, .operations = {add(b, 1)}, .prepare = kBoth});
  EXPECT_EQ(refused.error, "clock_skew");
  EXPECT_TRUE(refused.retryable);
  client.commit_outcome(1, voted_at).send();
  client.run(3, {value(a), value(b)});
  two.disks.sync(0);
  client.read();
  ASSERT_EQ(client.replies.back().results.size(), 2u) << "transactions at this shard alone continue";
  EXPECT_EQ(client.replies.back().results[0].integer(), 5);
  EXPECT_EQ(client.replies.back().results[1].integer(), 0);
  two.shard().set_skewed({});
  EXPECT_EQ(client.step({.attempt = 4, .begin_with_priority = 10, .operations = {add(b, 1)}, .prepare = kBoth}).error, "");
}

TEST(Log, VotedHoldersAreRestoredWithTheirReadLocks) {
  Logged two(2);
  TestClient client(two.world, 1);
  const std::string a = key_on(0, "a"), b = key_on(0, "b");
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {value(a), add(b, 1)}, .prepare = kBoth});
  two.disks.sync(0);
  client.read();
  ASSERT_NE(client.replies.at(0).voted_at, 0u);
  two.disks.crash(0, 0);
  EXPECT_EQ(two.in_flight(), 1u);
  TestClient other(two.world, 2);
  two.disks.sync(0);
  other.run(1, {add(a, 1)});
  two.disks.sync(0);
  other.read();
  EXPECT_TRUE(other.replies.empty()) << "the read lock is restored";
}

TEST(Log, EntriesThatWereNotDurableLeaveNoTrace) {
  Logged one;
  TestClient client(one.world, 1);
  client.run(1, {add("a", 5)});
  one.disks.sync(0);
  client.run(2, {add("a", 7)});
  one.disks.crash(0, 0);
  TestClient again(one.world, 2, 0, 1);
  again.inquire(1, 1, 1).inquire(1, 2, 2).send();
  one.disks.sync(0);
  again.read();
  ASSERT_EQ(again.answers.size(), 2u);
  EXPECT_EQ(again.answers[0].state, AttemptState::kCommitted) << "remembered across the restart";
  EXPECT_EQ(again.answers[1].state, AttemptState::kAborted);
}

TEST(Log, ACommitIsRememberedHoweverFarRestartsHaveAdvancedTheTimestamps) {
  Logged one;
  TestClient client(one.world, 1);
  client.run(1, {add("a", 5)});
  one.disks.sync(0);
  for (int start = 0; start < 40; ++start) {
    one.disks.crash(0, 0);
    TestClient other(one.world, 2 + start);
    other.run(1, {add("a", 7)});
    one.disks.sync(0);
  }
  one.disks.crash(0, 0);
  TestClient again(one.world, 100, 0, 1);
  again.inquire(1, 1, 1).send();
  one.disks.sync(0);
  again.read();
  ASSERT_EQ(again.answers.size(), 1u);
  EXPECT_EQ(again.answers[0].state, AttemptState::kCommitted);
}

TEST(Log, AnAbortThatWasAnsweredHoldsAcrossARestart) {
  Logged two(2);
  TestClient asker(two.world, 9, 0, 1);
  asker.inquire(1, 1, 1).send();
  EXPECT_TRUE(asker.answers.empty());
  two.disks.sync(0);
  asker.read();
  ASSERT_EQ(asker.answers.size(), 1u);
  EXPECT_EQ(asker.answers[0].state, AttemptState::kAborted);
  two.disks.crash(0, 0);
  TestClient late(two.world, 1);
  late.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key_on(0, "a"), 1)}, .prepare = kBoth});
  two.disks.sync(0);
  late.read();
  ASSERT_EQ(late.replies.size(), 1u);
  EXPECT_EQ(late.replies[0].error, "invalid_attempt");
}

TEST(Log, AnOutcomeIsAcknowledgedOnceItIsDurable) {
  Logged two(2);
  TestClient client(two.world, 1);
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key_on(0, "a"), 1)}, .prepare = kBoth});
  two.disks.sync(0);
  client.read();
  const std::uint64_t acknowledged = client.acknowledged;
  client.commit_outcome(1, client.replies.at(0).voted_at).send();
  client.send();
  EXPECT_EQ(client.acknowledged, acknowledged);
  two.disks.sync(0);
  client.read();
  EXPECT_EQ(client.acknowledged, acknowledged + 2);
}

TEST(Log, AnOutcomeReportedFirstByAnotherParticipantIsAcknowledgedOnceItIsDurable) {
  Logged two(2);
  TestClient client(two.world, 1);
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key_on(0, "a"), 1)}, .prepare = kBoth});
  two.disks.sync(0);
  client.read();
  const std::uint64_t acknowledged = client.acknowledged;
  const Timestamp at = client.replies.at(0).voted_at;
  AttemptId id;
  const std::string id_bytes = TestClient::id_of(1, 1);
  std::copy(id_bytes.begin(), id_bytes.end(), id.begin());
  two.world.shards[0]->engine().endings.resolve(id, 0, true, at);
  client.commit_outcome(1, at).send();
  client.send();
  EXPECT_EQ(client.acknowledged, acknowledged);
  two.disks.sync(0);
  client.read();
  EXPECT_EQ(client.acknowledged, acknowledged + 2);
}

TEST(Log, AShardWithoutALogHandsOutNoEntriesAndWaitsForNothing) {
  World world;
  TestClient client(world, 1);
  EXPECT_NE(client.run(1, {add("a", 5)}).committed_at, 0u);
  std::string log;
  EXPECT_FALSE(world.shards[0]->take_log(log));
  EXPECT_EQ(world.shards[0]->log_position(), 0u);
}

// ---- foreign and damaged logs -------------------------------------------------------------------------------------------------

std::string log_of_a_shard() {
  Logged one;
  TestClient client(one.world, 1);
  client.run(1, {add("a", 5)});
  std::string log;
  for (const std::string& entry : one.disks.entries(0)) log += entry;
  return log;
}

std::optional<std::string> problem_with_log(const std::string& log, std::uint32_t shards = 1, std::uint64_t incarnation = 2) {
  ShardOptions options = logged_options();
  options.engine.place = {0, shards};
  options.engine.incarnation = incarnation;
  return Shard(options).restore(log);
}

// ---- a start whose incarnation is known only after the log was read -------------------------------------------------------------

TEST(Log, AStandbyLearnsItsIncarnationWhenItTakesOver) {
  ShardOptions options = logged_options();
  options.engine.place = {0, 1};
  options.engine.incarnation = 0;
  World world;
  const auto followed = [&] {
    auto shard = std::make_unique<Shard>(options);
    EXPECT_FALSE(shard->restore(log_of_a_shard()));
    return shard;
  };
  auto shard = followed();
  shard->begin(world.now());
  std::string log;
  EXPECT_FALSE(shard->take_log(log)) << "it starts before it is told to";
  EXPECT_EQ(shard->restored(world.now(), 7), std::nullopt);
  ASSERT_TRUE(shard->take_log(log));
  std::vector<std::string_view> entries;
  ASSERT_TRUE(split_log(log, entries));
  LogEntry started;
  ASSERT_TRUE(decode(entries.at(0), started));
  EXPECT_EQ(started.kind, LogEntryKind::kStarted);
  EXPECT_EQ(started.incarnation, 7u);
  EXPECT_EQ(followed()->restored(world.now(), 1).value_or(""), "the log was written by incarnation 1; a start needs a greater one than 1");
  EXPECT_EQ(followed()->restored(world.now()).value_or(""), "the log was written by incarnation 1; a start needs a greater one than 0");
}

TEST(Log, AStandbyStartsNoEmptyLogByItself) {
  ShardOptions options = logged_options();
  options.engine.place = {0, 1};
  options.engine.incarnation = 0;
  World world;
  Shard shard(options);
  shard.begin(world.now());
  EXPECT_EQ(shard.log_position(), 0u);
}

TEST(Log, ForeignAndDamagedLogsAreRefusedWithAReason) {
  const std::string log = log_of_a_shard();
  EXPECT_FALSE(problem_with_log(log));
  EXPECT_EQ(problem_with_log(log, 4).value_or(""), "entry 1 of the log: written by shard 0 of 1, not by shard 0 of 4");
  EXPECT_EQ(problem_with_log(log, 1, 1).value_or(""), "entry 1 of the log: written by incarnation 1; a start needs a greater one");
  std::vector<std::string> entries = entries_of(log);
  ASSERT_GE(entries.size(), 3u);
  EXPECT_EQ(problem_with_log(entries[0] + entries[2]).value_or(""), "entry 3 of the log follows entry 1");
  EXPECT_EQ(problem_with_log(entries[0] + entries[0]).value_or(""), "entry 1 of the log follows entry 1");
  for (std::size_t length = 1; length < log.size(); ++length) {
    const auto problem = problem_with_log(log.substr(0, length));
    const bool whole = length == entries[0].size() || length == entries[0].size() + entries[1].size();
    EXPECT_EQ(!problem, whole) << length << " bytes";
  }
}

TEST(Log, ALogWithAnyByteChangedNeverCrashes) {
  const std::string log = log_of_a_shard();
  for (std::size_t at = 0; at < log.size(); ++at) {
    for (const int flip : {1, 4, 128, 255}) {
      std::string damaged = log;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      problem_with_log(damaged);
    }
  }
}

}  // namespace
}  // namespace claret::testing
