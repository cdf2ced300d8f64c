// One-shot transactions of one shard: those that need not wait leave no trace beside their effects, and what they observe passes attempts
// that have yet to vote.
#include <gtest/gtest.h>

#include <deque>

#include "shard/test_disk.h"

namespace claret::testing {
namespace {

TEST(OneShots, ThatNeedNotWaitAreNeitherAttemptsInFlightNorKnownOutcomes) {
  World world;
  TestClient client(world, 1);
  EXPECT_NE(client.run(1, {add("c", 1), set_add("s", "x")}).committed_at, 0u);
  EXPECT_EQ(client.run(2, {{"stock", "BoundedCounter.decrement", {Value(std::int64_t{1})}}}).error, "below_bound");
  const Engine& engine = world.shards[0]->engine();
  EXPECT_EQ(engine.attempts_in_flight(), 0u);
  EXPECT_EQ(engine.outcomes_known(), 0u);
}

TEST(OneShots, CountTowardsTheLimitOfKeptOutcomesUntilTheyAreForgotten) {
  World world;
  TestClient client(world, 1), other(world, 2);
  client.run(1, {add("c", 1)});
  client.run(2, {add("c", 1)});
  const Outcomes& outcomes = world.shards[0]->engine().ground.outcomes;
  EXPECT_EQ(outcomes.kept(), 2u);
  client.forget_below(2).send();
  EXPECT_EQ(outcomes.kept(), 1u);
  other.inquire(9, 9, 1).send();  // publishes the other one, and adds the unknown attempt
  EXPECT_EQ(outcomes.kept(), 2u);
  client.forget_below(3).send();
  EXPECT_EQ(outcomes.kept(), 1u);
}

TEST(OneShots, AreKnownOnceTheirSessionIsLost) {
  World world;
  TestClient client(world, 1);
  const Timestamp at = client.run(1, {add("c", 1)}).committed_at;
  client.hang_up();
  TestClient again(world, 2, 0, 1);
  again.inquire(1, 1, 7).inquire(1, 2, 8).send();
  ASSERT_EQ(again.answers.size(), 2u);
  EXPECT_EQ(again.answers[0].state, AttemptState::kCommitted);
  EXPECT_EQ(again.answers[0].timestamp, at);
  EXPECT_EQ(again.answers[1].state, AttemptState::kAborted);
}

TEST(OneShots, AreKnownToAClientWhoseOldSessionStillStands) {
  World world;
  TestClient client(world, 1);
  const Timestamp at = client.run(1, {add("c", 1)}).committed_at;
  TestClient again(world, 2, 0, 1);
  again.inquire(1, 1, 7).send();
  ASSERT_EQ(again.answers.size(), 1u);
  EXPECT_EQ(again.answers[0].state, AttemptState::kCommitted);
  EXPECT_EQ(again.answers[0].timestamp, at);
}

TEST(OneShots, AreForgottenBelowTheLowWaterMark) {
  World world;
  TestClient client(world, 1), other(world, 2);
  client.run(1, {add("c", 1)});
  other.inquire(9, 9, 1).send();  // the shard looks through all sessions, and remembers that the unknown attempt is refused
  EXPECT_EQ(world.shards[0]->engine().outcomes_known(), 2u);
  client.forget_below(2).send();
  EXPECT_EQ(world.shards[0]->engine().outcomes_known(), 1u);
}

TEST(OneShots, AreKnownAfterARestartFromACheckpointThatWasTakenWhileTheirSessionStood) {
  World world(1, logged_options());
  Disks disks(world, logged_options());
  world.tick(0);
  disks.sync_all();
  {
    TestClient client(world, 1);
    client.run(1, {add("c", 1)});
    disks.sync(0);
    while (!disks.checkpoint(0, kEverything)) disks.sync(0);
    disks.sync(0);
    disks.crash(0, 0);
  }
  TestClient again(world, 2, 0, 1);
  again.inquire(1, 1, 7).send();
  disks.sync(0);
  again.read();
  ASSERT_EQ(again.answers.size(), 1u);
  EXPECT_EQ(again.answers[0].state, AttemptState::kCommitted);
}

TEST(OneShots, ThatHaveToWaitAreAttemptsUntilTheyEnd) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  holder.step({.attempt = 1, .begin_with_priority = 50, .operations = {set_size("s")}});
  EXPECT_EQ(client.run(1, {set_add("s", "x")}, 60).committed_at, 0u);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 2u);
  EXPECT_NE(holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  client.read();
  ASSERT_FALSE(client.replies.empty());
  EXPECT_NE(client.replies.back().committed_at, 0u);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
}

// ---- what they observe passes attempts that have yet to vote

// An attempt that holds its operations and has not voted.
void occupy(TestClient& client, std::vector<Op> operations, std::uint64_t priority = 50) {
  client.step({.attempt = 1, .begin_with_priority = priority, .operations = std::move(operations)});
}

// An attempt over both shards that has voted at this one.
Timestamp occupy_and_vote(TestClient& client, std::vector<Op> operations, std::uint64_t priority = 50) {
  return client.step({.attempt = 1, .begin_with_priority = priority, .operations = std::move(operations), .prepare = kBoth}).voted_at;
}

// The reply to a transaction that has waited; empty if it still waits.
Reply late_reply(TestClient& client) {
  client.read();
  return client.replies.empty() ? Reply{} : client.replies.back();
}

TEST(OneShots, ThatObservePassAnUnvotedHolderAndSeeNothingOfIt) {
  for (const LockKind locks : {LockKind::kAbstract, LockKind::kReaderWriter}) {
    World world;
    world.shards[0]->set_conditions({.locks = locks}, world.now());
    TestClient holder(world, 1), client(world, 2);
    occupy(holder, {set_add("s", "x")});
    const Reply seen = client.run(1, {set_size("s")});
    ASSERT_NE(seen.committed_at, 0u);
    EXPECT_EQ(seen.results[0].integer(), 0);
    EXPECT_EQ(seen.locks_waited_for, 0u);
    EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 1u);
    const Timestamp at = holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at;
    EXPECT_GT(at, seen.committed_at) << "the holder is not disturbed, and comes later";
    EXPECT_EQ(client.run(2, {set_size("s")}).results[0].integer(), 1);
  }
}

TEST(OneShots, ThatObservePassUnvotedHoldersWithoutTheirTurn) {
  World world;
  TestClient reader(world, 1), writer(world, 2), client(world, 3);
  occupy(reader, {set_size("s")}, 50);
  occupy(writer, {set_add("s", "x")}, 60);
  ASSERT_TRUE(writer.replies.empty()) << "it waits";
  world.tick(3);  // beyond the cap of the phase
  EXPECT_NE(client.run(1, {set_size("s")}, 70).committed_at, 0u);
  EXPECT_EQ(reader.wounds.size(), 0u);
}

TEST(OneShots, ThatObservePassAWaitingNative) {
  World world(2);
  TestClient voter(world, 1), native(world, 2), client(world, 3);
  const std::string key = key_on(0, "s");
  ASSERT_NE(occupy_and_vote(voter, {set_size(key)}), 0u);
  native.send_natives({set_add(key, "x")});
  world.tick(2);  // beyond the time for which newcomers pass it
  EXPECT_NE(client.run(1, {set_size(key)}).committed_at, 0u)
      << "it commutes with the voted holder, and holds nothing for which natives wait";
  EXPECT_EQ(world.shards[0]->engine().natives.waiting(), 1u);
}

TEST(OneShots, ThatObserveWaitForAVotedHolderAndSeeItsEffect) {
  World world(2);
  TestClient voter(world, 1), client(world, 2);
  const std::string key = key_on(0, "s");
  const Timestamp at = occupy_and_vote(voter, {set_add(key, "x")});
  ASSERT_NE(at, 0u);
  EXPECT_EQ(client.run(1, {set_size(key)}).committed_at, 0u) << "it must neither miss the commit nor assume it";
  voter.commit_outcome(1, at).send();
  const Reply seen = late_reply(client);
  EXPECT_GT(seen.committed_at, at);
  EXPECT_EQ(seen.results[0].integer(), 1);
}

TEST(OneShots, ThatObserveWaitForAHolderThatVotesWhileTheyWait) {
  for (const bool elsewhere : {false, true}) {
    World world(2);
    TestClient first(world, 1), second(world, 2), client(world, 3);
    const std::string key = key_on(0, "s");
    const std::string other = elsewhere ? key_on(0, "t") : key;
    const Timestamp first_at = occupy_and_vote(first, {set_add(key, "x")});
    occupy(second, {set_add(other, "y")});
    client.run(1, {set_size(other), set_size(key)}, 40);
    world.tick(10);
    second.read();
    EXPECT_TRUE(second.wounds.empty()) << "the observer, although older, does not wait for it";
    const Timestamp second_at = second.step({.attempt = 1, .sent_before = 1, .prepare = kBoth}).voted_at;
    ASSERT_NE(second_at, 0u);
    first.commit_outcome(1, first_at).send();
    ASSERT_EQ(late_reply(client).committed_at, 0u) << "elsewhere " << elsewhere;
    world.tick(10);
    second.commit_outcome(1, second_at).send();
    const Reply seen = late_reply(client);
    EXPECT_GT(seen.committed_at, second_at);
    EXPECT_EQ(seen.results.at(0).integer(), elsewhere ? 1 : 2);
  }
}

TEST(OneShots, ThatObserveAndChangeObserveAgainWhenTheirChangeIsGranted) {
  World world;
  TestClient writer(world, 1), reader(world, 2), client(world, 3);
  occupy(writer, {set_add("s", "x")});
  occupy(reader, {value("c")});
  EXPECT_EQ(client.run(1, {set_size("s"), add("c")}).committed_at, 0u) << "its change waits for the reader";
  EXPECT_NE(writer.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  EXPECT_EQ(late_reply(client).committed_at, 0u);
  EXPECT_NE(reader.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  const Reply seen = late_reply(client);
  ASSERT_NE(seen.committed_at, 0u);
  EXPECT_EQ(seen.results[0].integer(), 1);
  EXPECT_EQ(client.run(2, {value("c")}).results[0].integer(), 1);
}

TEST(OneShots, ThatObserveAndChangeOneRecordPassWhatOnlyTheirObservationConflictsWith) {
  World world;
  TestClient writer(world, 1), client(world, 2);
  occupy(writer, {set_add("s", "x")});
  const Reply seen = client.run(1, {set_size("s"), set_add("s", "y")});
  ASSERT_NE(seen.committed_at, 0u);
  EXPECT_EQ(seen.results[0].integer(), 0);
  EXPECT_NE(writer.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  EXPECT_EQ(client.run(2, {set_size("s")}).results[0].integer(), 2);
}

TEST(OneShots, ThatObserveAreRefusedBesideUnvotedHolders) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  occupy(holder, {{"t", "TopK.add", {Value("x"), Value(1.0)}}});
  EXPECT_EQ(client.run(1, {{"t", "TopK.top", {Value(std::int64_t{0})}}}).error, "out_of_range");
}

TEST(OneShots, ThatObserveAndWaitAreTriedAlthoughOlderReadersStayBlocked) {
  World world(2);
  TestClient voter(world, 1), writer(world, 2), reader(world, 3), client(world, 4);
  const std::string key = key_on(0, "s");
  const Timestamp at = occupy_and_vote(voter, {set_add(key, "x")});
  occupy(writer, {set_add(key, "y")}, 60);
  occupy(reader, {set_size(key)}, 65);
  EXPECT_EQ(client.run(1, {set_size(key)}, 70).committed_at, 0u);
  voter.commit_outcome(1, at).send();
  EXPECT_EQ(late_reply(client).results.at(0).integer(), 1);
  EXPECT_TRUE(reader.replies.empty());
}

TEST(OneShots, ThatObserveBeginNoPhase) {
  World world(2);
  TestClient voter(world, 1), writer(world, 2), reader(world, 3), newcomer(world, 4), client(world, 5);
  const std::string key = key_on(0, "s");
  const Timestamp at = occupy_and_vote(voter, {set_add(key, "x")});
  occupy(writer, {set_add(key, "y")});
  EXPECT_EQ(client.run(1, {set_size(key)}, 60).committed_at, 0u);
  occupy(reader, {set_size(key)}, 70);
  world.tick(kPatience.phase_cap_ms + 1);  // beyond the cap of the writers' phase
  voter.commit_outcome(1, at).send();
  EXPECT_NE(late_reply(client).committed_at, 0u);
  occupy(newcomer, {set_add(key, "z")}, 80);
  EXPECT_TRUE(newcomer.replies.empty()) << "it is the reader's turn";
}

TEST(OneShots, ThatObserveTooMuchToLeaveAtOnceWaitLikeOthers) {
  ShardOptions options;
  options.engine.visits_leave_at_once = 2;
  World world(1, options);
  TestClient holder(world, 1), client(world, 2);
  occupy(holder, {set_add("s", "x")});
  EXPECT_NE(client.run(1, {set_size("s"), set_size("t")}).committed_at, 0u);
  EXPECT_EQ(client.run(2, {set_size("s"), set_size("t"), set_size("u")}).committed_at, 0u);
}

TEST(OneShots, ThatObserveAndHaveAnIdPassToo) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  occupy(holder, {set_add("s", "x")});
  const Reply seen = client.step({.attempt = 1,
                                  .begin_with_priority = 60,
                                  .operations = {set_size("s")},
                                  .prepare = kAlone,
                                  .transaction = std::string(16, 't'),
                                  .answer = "0"});
  EXPECT_NE(seen.committed_at, 0u);
}

TEST(OneShots, ThatObserveWaitForAnAttemptThatLeavesInParts) {
  ShardOptions options;
  options.engine.visits_leave_at_once = 1;
  World world(1, options);
  TestClient writer(world, 1), client(world, 2);
  ASSERT_NE(writer.run(1, {add("a"), add("b"), add("c"), add("d")}).committed_at, 0u);
  EXPECT_EQ(client.run(1, {value("d")}).committed_at, 0u) << "its effect is still to come";
  for (int turn = 0; turn < 5; ++turn) world.tick(0);
  EXPECT_EQ(late_reply(client).results.at(0).integer(), 1);
}

TEST(OneShots, ThatObserveAreServedUnderAStreamOfVotes) {
  World world(2);
  TestClient client(world, 1);
  const std::string key = key_on(0, "s");
  std::deque<TestClient> voters;
  const auto vote = [&](std::uint64_t number) {
    TestClient& voter = voters.emplace_back(world, 10 + static_cast<std::uint32_t>(number));
    return occupy_and_vote(voter, {set_add(key, std::to_string(number))}, 100 + number);
  };
  std::deque<Timestamp> voted{vote(1), vote(2), vote(3)};
  client.run(1, {set_size(key)}, 60);
  // A transaction votes every millisecond, and learns its outcome three milliseconds later.
  int ms = 0;
  for (std::uint64_t number = 4; client.replies.empty() && ms < 100; ++number, ++ms) {
    world.tick(1);
    if (voted.front() != 0) voters[number - 4].commit_outcome(1, voted.front()).send();
    voted.pop_front();
    voted.push_back(vote(number));
    client.read();
  }
  EXPECT_LE(ms, kPatience.phase_cap_ms + 4) << "the cap of the phase, and the last of those that it has let in";
}

}  // namespace
}  // namespace claret::testing
