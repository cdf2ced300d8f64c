// Transactions over several shards and in conflict with each other: votes, outcomes, recovery, phases, intents.
#include <gtest/gtest.h>

#include <limits>

#include "ground/slots.h"
#include "shard/test_client.h"

namespace claret::testing {
namespace {

TEST(Slots, AreThoseOfRedisCluster) {
  EXPECT_EQ(slot_of("123456789"), 0x31C3u % kSlots);
  EXPECT_EQ(slot_of("foo"), 12182u);
  EXPECT_EQ(slot_of("{user1000}.following"), slot_of("{user1000}.followers"));
  EXPECT_EQ(slot_of("foo{}{bar}"), slot_of("foo{}{bar}"));
  EXPECT_EQ(slot_of("foo{bar}{zap}"), slot_of("bar"));
}

TEST(TwoShards, CommitAtTheGreatestVoteOnceAllHaveVoted) {
  World world(2);
  TestClient zero(world, 1, 0), one(world, 1, 1);
  const std::string a = key_on(0, "a"), b = key_on(1, "b");
  const Reply vote_a = zero.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(a, -5)}, .prepare = kBoth});
  const Reply vote_b = one.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(b, 5)}, .prepare = kBoth});
  ASSERT_NE(vote_a.voted_at, 0u);
  ASSERT_NE(vote_b.voted_at, 0u);
  EXPECT_NE(vote_a.voted_at, vote_b.voted_at);
  const Timestamp at = std::max(vote_a.voted_at, vote_b.voted_at);

  TestClient reader(world, 2, 0);
  EXPECT_TRUE(reader.run(1, {value(a)}).results.empty()) << "voted locks are held until the outcome";
  zero.commit_outcome(1, at).send();
  one.commit_outcome(1, at).send();
  reader.read();
  ASSERT_EQ(reader.replies.size(), 1u);
  EXPECT_EQ(reader.replies[0].results[0].integer(), -5);
  EXPECT_GT(reader.replies[0].committed_at, at);
}

// A gateway connects its shard `asker` to what it takes for the shard `to`: peer `out_peer` there is peer `in_peer` of `answerer`.
void link(World& world, Shard& asker, std::uint32_t to, Shard& answerer, std::uint32_t out_peer, std::uint32_t in_peer) {
  asker.connect(out_peer, world.now());
  asker.bind_shard(out_peer, to);
  answerer.connect(in_peer, world.now());
  for (int turn = 0; turn < 6; ++turn) {
    world.tick(kAskAgainMs);
    std::string frame;
    asker.begin(world.now());
    asker.finish();
    while (asker.drain(out_peer, frame)) {
      answerer.begin(world.now());
      answerer.take(in_peer, frame);
      answerer.finish();
    }
    while (answerer.drain(in_peer, frame)) {
      asker.begin(world.now());
      asker.take(out_peer, frame);
      asker.finish();
    }
  }
}

TEST(TwoShards, AVotedAttemptSurvivesItsSessionAndIsSettledByItsParticipants) {
  World world(2);
  TestClient zero(world, 1, 0), one(world, 1, 1);
  const std::string a = key_on(0, "a"), b = key_on(1, "b");
  zero.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(a, 1)}, .prepare = kBoth});
  one.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(b, 1)}, .prepare = kBoth});
  zero.hang_up();
  one.hang_up();
  world.tick(1);
  ASSERT_EQ(world.shards[0]->wanted_shards(), std::vector<std::uint32_t>{1});
  ASSERT_EQ(world.shards[1]->wanted_shards(), std::vector<std::uint32_t>{0});

  // The same answers settle the attempt at shard 1.
  link(world, *world.shards[0], 1, *world.shards[1], 50, 60);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
  link(world, *world.shards[1], 0, *world.shards[0], 51, 61);
  EXPECT_EQ(world.shards[1]->engine().attempts_in_flight(), 0u);
  TestClient zero_again(world, 2, 0), one_again(world, 2, 1);
  EXPECT_EQ(zero_again.run(1, {value(a)}).results[0].integer(), 1);
  EXPECT_EQ(one_again.run(1, {value(b)}).results[0].integer(), 1);
}

TEST(TwoShards, WhatAnotherShardAnswersAtAParticipantsAddressCountsForNothing) {
  World world(2);
  TestClient zero(world, 1, 0);
  zero.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key_on(0, "a"), 1)}, .prepare = kBoth});
  zero.hang_up();
  world.tick(1);
  link(world, *world.shards[0], 1, *world.shards[0], 50, 60);
  EXPECT_TRUE(world.shards[0]->closed(50));
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 1u) << "shard 1 has not voted";
  link(world, *world.shards[0], 1, *world.shards[1], 51, 61);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
  TestClient again(world, 2, 0);
  EXPECT_EQ(again.run(1, {value(key_on(0, "a"))}).results[0].integer(), 0) << "shard 1 aborts what it does not know";
}

TEST(ThreeShards, DoNotCommitOnTheWordOfSomeParticipants) {
  World world(3);
  TestClient zero(world, 1, 0), one(world, 1, 1);
  const std::string a = key_on(0, "a", 3), b = key_on(1, "b", 3);
  const std::vector<std::uint32_t> all{0, 1, 2};
  zero.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(a, 1)}, .prepare = all});
  one.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(b, 1)}, .prepare = all});
  zero.hang_up();
  one.hang_up();
  world.tick(1);
  link(world, *world.shards[0], 1, *world.shards[1], 50, 60);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 1u) << "shard 2 has not answered";
  link(world, *world.shards[0], 2, *world.shards[2], 51, 61);
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
  TestClient again(world, 2, 0);
  EXPECT_EQ(again.run(1, {value(a)}).results[0].integer(), 0) << "shard 2 aborts what it does not know";
}

TEST(TwoShards, AParticipantThatDoesNotKnowAnAttemptAbortsItForGood) {
  World world(2);
  TestClient one(world, 1, 1);
  one.inquire(1, 5, 77).send();
  ASSERT_EQ(one.answers.size(), 1u);
  EXPECT_EQ(one.answers[0].ticket, 77u);
  EXPECT_EQ(one.answers[0].state, AttemptState::kAborted);
  const std::string b = key_on(1, "b");
  const Reply late = one.step({.attempt = 5, .begin_with_priority = 10, .operations = {add(b, 1)}, .prepare = kBoth});
  EXPECT_EQ(late.error, "invalid_attempt");
}

TEST(TwoShards, ParticipantsThatAreNotShardsAreRefused) {
  World world(2);
  TestClient client(world, 1);
  const std::string a = key_on(0, "a");
  const Reply reply =
      client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(a, 1)}, .prepare = std::vector<std::uint32_t>{0, 2}});
  EXPECT_EQ(reply.error, "invalid_attempt") << "its vote could never be settled";
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
}

TEST(TwoShards, ACommitTimestampBelowTheVoteIsNoOutcome) {
  World world(2);
  TestClient client(world, 1);
  const std::string a = key_on(0, "a");
  const Reply vote = client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(a, 1)}, .prepare = kBoth});
  client.commit_outcome(1, vote.voted_at - 1).send();
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 1u) << "reads since the vote would be out of order";
  client.commit_outcome(1, vote.voted_at).send();
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
}

TEST(TwoShards, ACommitIsRememberedUntilTheClientSaysThatAllKnowIt) {
  ShardOptions options;
  options.session_lease_ms = 1e9;
  World world(2, options);
  TestClient client(world, 1), asker(world, 2);
  const std::string a = key_on(0, "a");
  const Reply vote = client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(a, 1)}, .prepare = kBoth});
  client.commit_outcome(1, vote.voted_at).send();
  world.tick(700'000);
  client.run(2, {add(a, 1)});
  asker.inquire(1, 1, 1).send();
  ASSERT_EQ(asker.answers.size(), 1u);
  EXPECT_EQ(asker.answers[0].state, AttemptState::kCommitted) << "the other participant may have been unreachable";
}

TEST(Recovery, AnAbortedAttemptIsRefusedFromThenOn) {
  World world;
  TestClient client(world, 1);
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("a", 1)}});
  EXPECT_EQ(client.step({.attempt = 1, .sent_before = 7, .prepare = kAlone}).error, "unknown_attempt");
  EXPECT_EQ(client.run(1, {add("a", 1)}).error, "invalid_attempt") << "aborted by the shard";
  client.step({.attempt = 2, .begin_with_priority = 10, .operations = {add("a", 1)}});
  client.abort_outcome(2).send();
  EXPECT_EQ(client.run(2, {add("a", 1)}).error, "invalid_attempt") << "by its client";
  client.step({.attempt = 3, .begin_with_priority = 10, .operations = {add("a", 1)}});
  client.hang_up();
  TestClient again(world, 2, 0, 1);
  EXPECT_EQ(again.run(3, {add("a", 1)}).error, "invalid_attempt") << "with its session";
}

TEST(Recovery, AbortsAreForgottenOnceTheAttemptsHaveExpired) {
  World world;
  TestClient client(world, 1), asker(world, 2);
  asker.inquire(3, 1, 1).send();  // kept longer, and recorded first
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    client.step({.attempt = i, .begin_with_priority = 10, .operations = {add("a", 1)}});
    client.abort_outcome(i).send();
  }
  EXPECT_EQ(world.shards[0]->engine().outcomes_known(), 5001u);
  world.tick(limits::kAttemptExpiryMsDefault + 1);
  for (int i = 0; i < 10; ++i) world.tick(2);
  EXPECT_EQ(world.shards[0]->engine().outcomes_known(), 1u);
}

TEST(Recovery, RemembersACommitWhoseAnswerWasLost) {
  World world;
  TestClient client(world, 1);
  const Reply commit = client.run(3, {add("a", 1)});
  client.hang_up();
  TestClient again(world, 2);
  again.inquire(1, 3, 1).send();
  ASSERT_EQ(again.answers.size(), 1u);
  EXPECT_EQ(again.answers[0].state, AttemptState::kCommitted);
  EXPECT_EQ(again.answers[0].timestamp, commit.committed_at);
}

TEST(Recovery, AnswersPendingWhileTheSessionLivesAndAbortedOnceItIsLost) {
  World world;
  TestClient client(world, 1), asker(world, 2);
  client.step({.attempt = 3, .begin_with_priority = 10, .operations = {add("a", 1)}});
  asker.inquire(1, 3, 1).send();
  EXPECT_EQ(asker.answers.back().state, AttemptState::kPending);
  client.hang_up();
  asker.inquire(1, 3, 2).send();
  EXPECT_EQ(asker.answers.back().state, AttemptState::kAborted);
  EXPECT_EQ(asker.ask(9, {value("a")}).results[0].integer(), 0);
}

TEST(Phases, WaitersOfOneModeEnterTogether) {
  World world;
  TestClient writer(world, 1);
  writer.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
  std::vector<std::unique_ptr<TestClient>> readers, adders;
  for (std::uint32_t i = 0; i < 5; ++i) {
    readers.push_back(std::make_unique<TestClient>(world, 10 + i));
    readers.back()->step({.attempt = 100 + i, .begin_with_priority = 100 + 2 * i, .operations = {set_size("s")}});
  }
  world.tick(kPatience.phase_cap_ms + 1);  // newcomers queue behind the readers from now on
  for (std::uint32_t i = 0; i < 5; ++i) {
    adders.push_back(std::make_unique<TestClient>(world, 20 + i));
    adders.back()->step({.attempt = 200 + i, .begin_with_priority = 101 + 2 * i, .operations = {set_add("s", "y" + std::to_string(i))}});
    EXPECT_TRUE(adders.back()->replies.empty());
  }
  writer.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  for (auto& reader : readers) {
    reader->read();
    ASSERT_EQ(reader->replies.size(), 1u) << "all readers, though adders are between them by age";
    EXPECT_EQ(reader->replies[0].results[0].integer(), 1);
  }
  for (std::uint32_t i = 0; i < 5; ++i) {
    readers[i]->step({.attempt = 100 + i, .sent_before = 1, .prepare = kAlone});
  }
  for (auto& adder : adders) {
    adder->read();
    EXPECT_EQ(adder->replies.size(), 1u) << "then all adders";
  }
}

TEST(Phases, BelowTheCapNewcomersOfTheModeAreAdmitted) {
  World world;
  TestClient one(world, 1), reader(world, 2), late(world, 3);
  one.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
  reader.ask(2, {set_size("s")}, 20);
  EXPECT_NE(late.run(3, {set_add("s", "y")}, 30).committed_at, 0u) << "the phase is below its cap";
  world.tick(kPatience.phase_cap_ms + 1);
  EXPECT_EQ(late.run(4, {set_add("s", "z")}, 31).committed_at, 0u) << "the reader is older and the phase has passed its cap";
}

TEST(Phases, AWholeRequestHoldsNothingWhileItWaits) {
  World world;
  TestClient holder(world, 1), whole(world, 2), other(world, 3);
  holder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("a", "x")}});
  whole.run(2, {set_remove("a", "x"), set_size("a"), add("free", 1)}, 20);
  EXPECT_TRUE(whole.replies.empty());
  EXPECT_EQ(other.ask(3, {value("free")}, 15).results[0].integer(), 0) << "nothing is held on the free record";
  other.abort_outcome(3).send();
  holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  whole.read();
  ASSERT_EQ(whole.replies.size(), 1u);
  EXPECT_EQ(whole.replies[0].results[0].integer(), 1);
}

TEST(Phases, AOneShotOverShardsHoldsNothingWhileItWaitsAndEverythingOnceItHasVoted) {
  World world(2);
  TestClient holder(world, 1), whole(world, 2), other(world, 3);
  const std::string taken = key_on(0, "a"), free = key_on(0, "free");
  holder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add(taken, "x")}});
  whole.step({.attempt = 2, .begin_with_priority = 20, .operations = {add(free, 1), set_size(taken)}, .prepare = kBoth});
  EXPECT_EQ(other.ask(3, {value(free)}, 30).results[0].integer(), 0) << "nothing is held on the free record";
  other.abort_outcome(3).send();
  holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  whole.read();
  ASSERT_EQ(whole.replies.size(), 1u);
  EXPECT_NE(whole.replies[0].voted_at, 0u);
  EXPECT_EQ(whole.replies[0].results[0].integer(), 1);
  EXPECT_TRUE(other.run(4, {value(free)}, 30).results.empty()) << "held until the outcome";
  EXPECT_TRUE(holder.run(5, {set_add(taken, "y")}, 5).committed_at == 0) << "held until the outcome";
  whole.commit_outcome(2, whole.replies[0].voted_at).send();
  other.read();
  holder.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].results[0].integer(), 1);
  EXPECT_EQ(holder.replies.size(), 1u);
}

TEST(Intents, HoldTheLockAndHaveNoEffect) {
  World world;
  TestClient client(world, 1), reader(world, 2), adder(world, 3);
  Op intent = set_add("s", "x");
  intent.intent = true;
  EXPECT_EQ(client.step({.attempt = 1, .begin_with_priority = 10, .operations = {intent}}).error, "");
  EXPECT_EQ(adder.run(3, {set_add("s", "y")}, 30).error, "") << "commutes with other additions";
  reader.ask(2, {set_size("s")}, 20);
  EXPECT_TRUE(reader.replies.empty()) << "conflicts with readers";
  EXPECT_NE(client.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  reader.read();
  ASSERT_EQ(reader.replies.size(), 1u);
  EXPECT_EQ(reader.replies[0].results[0].integer(), 1) << "only y";
}

TEST(Intents, ReserveNothingAndAreNeverRefused) {
  World world;
  TestClient client(world, 1);
  Op intent = add("c", std::numeric_limits<std::int64_t>::max());
  intent.intent = true;
  client.run(7, {add("c", 1)});
  EXPECT_EQ(client.step({.attempt = 1, .begin_with_priority = 10, .operations = {intent}}).error, "");
  EXPECT_EQ(client.step({.attempt = 1, .sent_before = 1, .operations = {add("c", 5)}}).error, "");
  EXPECT_NE(client.step({.attempt = 1, .sent_before = 2, .prepare = kAlone}).committed_at, 0u);
  EXPECT_EQ(client.run(8, {value("c")}).results[0].integer(), 6);
}

TEST(Intents, AreRefusedForOperationsWithAResult) {
  World world;
  TestClient client(world, 1);
  Op intent = value("c");
  intent.intent = true;
  EXPECT_EQ(client.step({.attempt = 1, .begin_with_priority = 10, .operations = {intent}}).error, "invalid_attempt");
}

TEST(Phases, AWholeRequestOfAnInteractiveTransactionHoldsAllOrNothing) {
  World world;
  TestClient holder(world, 1), whole(world, 2), other(world, 3);
  holder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("a", "x")}});
  whole.step({.attempt = 2, .begin_with_priority = 20, .operations = {value("free"), set_size("a")}, .whole = true});
  EXPECT_TRUE(whole.replies.empty());
  EXPECT_NE(other.run(3, {add("free", 1)}, 30).committed_at, 0u) << "nothing is held on the free record";
  holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  whole.read();
  ASSERT_EQ(whole.replies.size(), 1u);
  EXPECT_EQ(whole.replies[0].results[0].integer(), 1);
  EXPECT_EQ(other.run(4, {add("free", 1)}, 30).committed_at, 0u) << "now held";
  EXPECT_NE(whole.step({.attempt = 2, .sent_before = 2, .prepare = kAlone}).committed_at, 0u);
}

TEST(Store, AnAbortGivesItsReservationsBack) {
  World world;
  TestClient greedy(world, 1), other(world, 2);
  other.run(1, {add("a", 1)});
  greedy.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("a", std::numeric_limits<std::int64_t>::max() - 1)}});
  EXPECT_EQ(other.run(2, {add("a", 1)}).committed_at, 0u) << "the sum might leave 64 bits";
  greedy.abort_outcome(1).send();
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_NE(other.replies[0].committed_at, 0u);
}

TEST(Store, RecordsWithoutACommitLeaveNoTrace) {
  World world;
  TestClient client(world, 1);
  client.run(1, {value("nothing"), set_size("here")});
  client.step({.attempt = 2, .begin_with_priority = 10, .operations = {add("a", 1)}});
  client.abort_outcome(2).send();
  EXPECT_EQ(world.shards[0]->engine().ground.records.size(), 0u);
}

}  // namespace
}  // namespace claret::testing
