// Clients that die, shards that restart, messages that come late or twice: no transaction is half applied, no lock is held forever, nothing
// that was acknowledged is undone.
#include <gtest/gtest.h>

#include "shard/test_disk.h"
#include "transaction/test_actor.h"

namespace claret::testing {
namespace {

// Two shards with logs that are durable at once, and the streams between them.
struct Pair {
  Pair() : world(2, logged_options()), disks(world, logged_options()), links(world) {
    world.tick(0);
    disks.sync_all();
    world.after_input = [this] { disks.sync_all(); };
  }

  void crash(std::uint32_t shard) {
    links.break_all();
    disks.crash(shard, 0);
  }
  // Lets the shards talk to each other for that time.
  void settle(double ms = 3000) {
    for (double passed = 0; passed < ms; passed += 25) {
      world.tick(25);
      links.carry();
    }
  }
  TestClient client(std::uint32_t shard, std::uint32_t identity = 1) { return {world, ++peers, shard, identity}; }
  std::int64_t value(std::uint32_t shard) {
    TestClient reader = client(shard, 1000 + peers);
    const Reply reply = reader.run(1, {{key_on(shard), "Counter.value", {}}}, 1);
    return reply.results.empty() ? -1 : reply.results.front().integer();
  }
  std::size_t in_flight() { return world.shards[0]->engine().attempts_in_flight() + world.shards[1]->engine().attempts_in_flight(); }
  std::size_t remembered() { return world.shards[0]->engine().outcomes_known() + world.shards[1]->engine().outcomes_known(); }

  World world;
  Disks disks;
  Links links;
  std::uint32_t peers = 0;
};

TestClient::Step vote(std::uint32_t shard, std::uint64_t attempt = 1) {
  return {.attempt = attempt, .begin_with_priority = 10, .operations = {add(key_on(shard))}, .prepare = kBoth};
}

// ---- a client that dies, shards that restart --------------------------------------------------------------------------------

enum class Death { kBeforeAnyPrepare, kBetweenTheVotes, kAfterBothVotes, kAfterOneOutcome, kAfterBothOutcomes };

struct RecoveryCase {
  Death death;
  std::vector<std::uint32_t> crashes;
  bool expired;
};

std::string name_of(const RecoveryCase& test) {
  static constexpr const char* kDeaths[] = {"BeforeAnyPrepare", "BetweenTheVotes", "AfterBothVotes", "AfterOneOutcome",
                                            "AfterBothOutcomes"};
  std::string name = kDeaths[static_cast<int>(test.death)];
  for (const std::uint32_t shard : test.crashes) name += "Crash" + std::to_string(shard);
  return test.expired ? name + "Expired" : name;
}
void PrintTo(const RecoveryCase& test, std::ostream* out) { *out << name_of(test); }

class ClientDies : public ::testing::TestWithParam<RecoveryCase> {};

TEST_P(ClientDies, AndTheShardsAgreeOnTheOutcome) {
  const RecoveryCase& test = GetParam();
  Pair pair;
  {
    TestClient zero = pair.client(0), one = pair.client(1);
    if (test.death == Death::kBeforeAnyPrepare) {
      zero.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key_on(0))}});
      one.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key_on(1))}});
    } else {
      Timestamp at = zero.step(vote(0)).voted_at;
      ASSERT_NE(at, 0u);
      if (test.death != Death::kBetweenTheVotes) at = std::max(at, one.step(vote(1)).voted_at);
      if (test.death >= Death::kAfterOneOutcome) zero.commit_outcome(1, at).send();
      if (test.death == Death::kAfterBothOutcomes) one.commit_outcome(1, at).send();
    }
    zero.hang_up();
    one.hang_up();
  }
  for (const std::uint32_t shard : test.crashes) pair.crash(shard);
  if (test.expired) pair.world.tick(limits::kAttemptExpiryMsDefault + 1);
  pair.settle();
  EXPECT_EQ(pair.in_flight(), 0u) << "no lock is held forever";
  const std::int64_t applied = test.death >= Death::kAfterBothVotes ? 1 : 0;
  EXPECT_EQ(pair.value(0), applied);
  EXPECT_EQ(pair.value(1), applied);
  // The outcome survives restarts.
  pair.crash(0);
  pair.crash(1);
  pair.settle();
  EXPECT_EQ(pair.in_flight(), 0u);
  EXPECT_EQ(pair.value(0), applied);
  EXPECT_EQ(pair.value(1), applied);
  // In the end both shards forget the attempt.
  pair.settle(2 * (limits::kAttemptExpiryMsDefault + kAskGraceMs));
  pair.world.tick(limits::kAttemptExpiryMsMax + 120'000);
  for (int i = 0; i < 5; ++i) pair.world.tick(2000);
  EXPECT_EQ(pair.remembered(), 0u);
}

std::vector<RecoveryCase> cases() {
  std::vector<RecoveryCase> all;
  const std::vector<std::vector<std::uint32_t>> crashes{{}, {0}, {1}, {0, 1}, {1, 1}};
  for (const Death death :
       {Death::kBeforeAnyPrepare, Death::kBetweenTheVotes, Death::kAfterBothVotes, Death::kAfterOneOutcome, Death::kAfterBothOutcomes}) {
    for (const auto& crash : crashes) {
      for (const bool expired : {false, true}) all.push_back({death, crash, expired});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(AtAnyPoint, ClientDies, ::testing::ValuesIn(cases()), [](const auto& info) { return name_of(info.param); });

TEST(Restart, AClientThatLivesLearnsTheOutcomeOfItsAttempt) {
  Pair pair;
  TestClient zero = pair.client(0), one = pair.client(1);
  zero.step(vote(0));
  one.step(vote(1));
  pair.crash(1);
  TestClient again = pair.client(1);
  again.inquire(1, 1, 7).send();
  ASSERT_EQ(again.answers.size(), 1u);
  EXPECT_EQ(again.answers[0].state, AttemptState::kVoted) << "a vote survives the restart";
  zero.commit_outcome(1, std::max(zero.replies[0].voted_at, again.answers[0].timestamp)).send();
  pair.settle();
  EXPECT_EQ(pair.value(0), 1);
  EXPECT_EQ(pair.value(1), 1);
}

TEST(Restart, AttemptsOfTheOldIncarnationAreRefused) {
  Pair pair;
  TestClient zero = pair.client(0);
  zero.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key_on(0))}});
  pair.crash(0);
  TestClient again = pair.client(0);
  EXPECT_EQ(again.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).error, "unknown_attempt");
}

// ---- no lock is held forever ------------------------------------------------------------------------------------------------

TEST(Settling, AnExpiredVotedAttemptIsSettledWhileItsSessionLives) {
  Pair pair;
  TestClient zero = pair.client(0);
  zero.step(vote(0));  // the client never talks to the other shard
  for (int second = 0; second < 62; ++second) {
    zero.send();
    pair.settle(1000);
  }
  zero.read();
  EXPECT_EQ(pair.in_flight(), 0u);
  EXPECT_EQ(zero.replies.back().error, "session_lost");
  EXPECT_EQ(pair.value(0), 0);
}

TEST(Settling, AnAbandonedAttemptIsSettledAtOnce) {
  Pair pair;
  TestClient zero = pair.client(0), one = pair.client(1);
  zero.step(vote(0));
  one.step(vote(1));
  zero.abandon(1).send();
  one.abandon(1).send();
  EXPECT_EQ(pair.world.shards[0]->engine().ground.doubts.in_doubt(), 1u);
  pair.settle();
  EXPECT_EQ(pair.world.shards[0]->engine().ground.doubts.in_doubt(), 0u);
  EXPECT_EQ(pair.in_flight(), 0u);
  EXPECT_EQ(pair.value(0), 1) << "all had voted";
  EXPECT_EQ(pair.value(1), 1);
}

TEST(Settling, AnOutcomeThatArrivesWhileTheShardsAskIsTheSame) {
  Pair pair;
  TestClient zero = pair.client(0), one = pair.client(1);
  const Timestamp at = std::max(zero.step(vote(0)).voted_at, one.step(vote(1)).voted_at);
  zero.abandon(1).send();
  pair.world.tick(1);
  zero.commit_outcome(1, at).send();
  zero.commit_outcome(1, at).send();
  one.commit_outcome(1, at).send();
  pair.settle();
  EXPECT_EQ(pair.value(0), 1) << "applied once, though the outcome came twice and was asked for";
  EXPECT_EQ(pair.value(1), 1);
}

TEST(Settling, ADuplicateAnswerForgetsNoCommitThatItsClientMayStillAskFor) {
  Pair pair;
  TestClient zero = pair.client(0), one = pair.client(1);
  zero.step(vote(0));
  one.step(vote(1));
  zero.abandon(1).send();
  one.abandon(1).send();
  pair.settle();  // opens the streams between the shards
  const Timestamp at = std::max(zero.step(vote(0, 2)).voted_at, one.step(vote(1, 2)).voted_at);
  pair.world.after_input = [&pair] { pair.disks.sync(0); };  // shard 1's disk is slow: the shard is asked again and again
  one.commit_outcome(2, at).send();
  zero.hang_up();
  pair.settle(25);
  const std::uint64_t first_answer = pair.world.shards[1]->log_position();
  one.run(3, {add(key_on(1))});
  pair.settle(3 * kAskAgainMs);
  pair.world.shards[1]->durable(first_answer, pair.world.now());
  pair.settle(25);
  pair.world.after_input = [&pair] { pair.disks.sync_all(); };
  pair.settle();
  EXPECT_EQ(pair.in_flight(), 0u);
  TestClient again = pair.client(0);
  again.inquire(1, 2, 1).send();
  ASSERT_EQ(again.answers.size(), 1u);
  EXPECT_EQ(again.answers[0].state, AttemptState::kCommitted);
}

TEST(Settling, ACommitThatDependsOnAVoteThatIsNotDurableIsNotReported) {
  Pair pair;
  pair.settle(25);
  pair.world.after_input = [&pair] { pair.disks.sync(1); };  // shard 0's disk has stopped
  {
    TestClient zero = pair.client(0), one = pair.client(1);
    zero.step(vote(0));
    one.step(vote(1));
    zero.hang_up();
    one.hang_up();
  }
  pair.settle();  // shard 0 has heard that 1 has voted, as it has itself
  EXPECT_EQ(pair.world.shards[0]->engine().ground.doubts.in_doubt(), 0u);
  pair.settle(limits::kAttemptExpiryMsDefault + kAskGraceMs + 1000);
  pair.crash(0);
  pair.world.after_input = [&pair] { pair.disks.sync_all(); };
  pair.settle();
  EXPECT_EQ(pair.in_flight(), 0u);
  EXPECT_EQ(pair.value(0), 0);
  EXPECT_EQ(pair.value(1), 0) << "half a transaction";
}

TEST(Settling, CommitsBelowTheLowWaterMarkAreForgottenAndThatIsLogged) {
  Pair pair;
  TestClient zero = pair.client(0), one = pair.client(1);
  const Timestamp at = std::max(zero.step(vote(0)).voted_at, one.step(vote(1)).voted_at);
  zero.commit_outcome(1, at).send();
  one.commit_outcome(1, at).send();
  EXPECT_EQ(pair.remembered(), 2u);
  zero.forget_below(2).send();
  one.forget_below(2).send();
  EXPECT_EQ(pair.remembered(), 0u);
  pair.crash(0);
  pair.crash(1);
  EXPECT_EQ(pair.remembered(), 0u);
  pair.settle();
  EXPECT_EQ(pair.value(0), 1);
}

// ---- messages that come late or twice -----------------------------------------------------------------------------------------

TEST(Messages, ADuplicateFrameIsDroppedSilently) {
  Pair pair;
  TestClient zero = pair.client(0);
  zero.run(1, {add(key_on(0))});
  ASSERT_EQ(zero.replies.size(), 1u);
  const std::string frame = zero.last_frame;
  zero.send_bytes(frame);
  zero.send();
  zero.send_bytes(frame);
  EXPECT_EQ(zero.replies.size(), 1u);
  EXPECT_EQ(zero.closing, "");
  EXPECT_EQ(pair.value(0), 1);
}

TEST(Messages, AGapEndsTheSession) {
  Pair pair;
  TestClient zero = pair.client(0);
  zero.send();
  std::string frame;
  protozero::pbf_writer writer(frame);
  writer.add_uint64(1, 5);
  writer.add_uint64(4, 1);
  zero.send_bytes(frame);
  EXPECT_EQ(zero.closing, "malformed_frame");
}

TEST(Messages, AnOldStreamThatStillDeliversDoesNoHarm) {
  Pair pair;
  TestClient old = pair.client(0), one = pair.client(1);
  old.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key_on(0))}});
  one.step(vote(1));
  // The client takes its first session for dead, and inquires in a new one.
  TestClient fresh = pair.client(0);
  fresh.inquire(1, 1, 1).send();
  ASSERT_EQ(fresh.answers.size(), 1u);
  EXPECT_EQ(fresh.answers[0].state, AttemptState::kPending);
  old.step({.attempt = 1, .sent_before = 1, .prepare = kBoth});  // sent before
  fresh.inquire(1, 1, 2).send();
  EXPECT_EQ(fresh.answers[1].state, AttemptState::kVoted);
  old.hang_up();
  one.commit_outcome(1, std::max(one.replies[0].voted_at, fresh.answers[1].timestamp)).send();
  pair.settle();
  EXPECT_EQ(pair.in_flight(), 0u);
  EXPECT_EQ(pair.value(0), 1);
  EXPECT_EQ(pair.value(1), 1);
}

TEST(Messages, APrepareThatArrivesAfterAnInquiryIsRefused) {
  Pair pair;
  TestClient late = pair.client(0), one = pair.client(1), asker = pair.client(0);
  one.step(vote(1));
  asker.inquire(1, 1, 1).send();
  EXPECT_EQ(asker.answers.at(0).state, AttemptState::kAborted);
  EXPECT_EQ(late.step(vote(0)).error, "invalid_attempt");
  EXPECT_EQ(late.step({.attempt = 1, .sent_before = 1, .prepare = kBoth}).error, "unknown_attempt");
  one.hang_up();
  pair.settle();
  EXPECT_EQ(pair.in_flight(), 0u);
  EXPECT_EQ(pair.value(1), 0);
}

TEST(Messages, AnExpiredRequestIsRefused) {
  Pair pair;
  TestClient zero = pair.client(0);
  zero.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key_on(0))}});
  pair.world.ms += limits::kAttemptExpiryMsDefault + 1;  // before any sweep
  EXPECT_EQ(zero.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).error, "expired");
  EXPECT_EQ(pair.value(0), 0);
}

}  // namespace
}  // namespace claret::testing
