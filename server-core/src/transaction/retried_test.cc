// Transactions with an id: sent twice, by any client, with crashes in between, they commit once and get the same answer.
#include <gtest/gtest.h>

#include "shard/dice.h"
#include "shard/test_disk.h"
#include "transaction/test_actor.h"

namespace claret::testing {
namespace {

// The id's home is shard 0 of at most two.
std::string id_of(char name) { return std::string(2, '\0') + std::string(14, name); }

using Step = TestClient::Step;

Step claims(std::uint64_t attempt, std::string id, std::vector<Op> operations = {}) {
  return {.attempt = attempt, .begin_with_priority = 10, .operations = std::move(operations), .transaction = std::move(id)};
}
Step ends(std::uint64_t attempt, std::string answer, std::uint32_t sent_before = 0, std::vector<std::uint32_t> participants = kAlone) {
  return {.attempt = attempt, .sent_before = sent_before, .prepare = std::move(participants), .answer = std::move(answer)};
}

// Shards with logs, which are durable at once unless held back, and the streams between the shards.
struct LoggedCluster {
  explicit LoggedCluster(std::uint32_t shards = 2) : world(shards, logged_options()), disks(world, logged_options()), links(world) {
    world.tick(0);
    disks.sync_all();
    world.after_input = [this] {
      if (durable) disks.sync_all();
    };
  }
  TestClient client(std::uint32_t shard = 0, std::uint32_t identity = 0) {
    ++peers;
    return {world, peers, shard, identity == 0 ? peers : identity};
  }
  void crash(std::uint32_t shard) {
    if (world.shards.size() > 1) links.break_all();
    disks.crash(shard, 0);
  }
  void settle(double ms = 3000) {
    for (double passed = 0; passed < ms; passed += 25) {
      world.tick(25);
      links.carry();
    }
  }
  std::int64_t value(const std::string& key, std::uint32_t shard = 0) {
    TestClient reader = client(shard);
    const Reply reply = reader.run(1, {{key, "Counter.value", {}}}, 1);
    return reply.results.empty() ? -1 : reply.results.front().integer();
  }
  Deduplication& table(std::uint32_t shard = 0) { return world.shards[shard]->engine().ground.deduplication; }

  bool durable = true;
  World world;
  Disks disks;
  Links links;
  std::uint32_t peers = 0;
};

struct Retried : ::testing::Test {
  LoggedCluster cluster{1};
  TestClient client = cluster.client(), other = cluster.client();
  const std::string id = id_of('T');
};

TEST_F(Retried, CommitsOnceAndGetsTheSameAnswer) {
  EXPECT_EQ(client.step(claims(1, id)).error, "");
  client.step({.attempt = 1, .operations = {add("a")}});
  const Reply first = client.step(ends(1, "42", 1));
  ASSERT_NE(first.committed_at, 0u);
  for (TestClient* sender : {&client, &other}) {
    const Reply again = sender->step(claims(2, id, {add("a")}));
    EXPECT_EQ(again.committed_before, first.committed_at);
    EXPECT_EQ(again.answer, "42");
  }
  EXPECT_EQ(cluster.value("a"), 1);
  EXPECT_EQ(cluster.world.shards[0]->engine().attempts_in_flight(), 0u);
}

// The time for which answers are kept is the running time of the shard; it does not depend on the wall clock.
TEST_F(Retried, DoesNotDependOnTheWallClock) {
  client.step(claims(1, id, {add("a")}));
  ASSERT_NE(client.step(ends(1, "42", 1)).committed_at, 0u);
  for (const double ahead_ms : {3'600'000.0, -3'600'000.0, 1e9}) {
    cluster.world.wall_ahead_ms = ahead_ms;
    cluster.world.tick(100);
    TestClient before = cluster.client();
    EXPECT_EQ(before.step(claims(1, id)).answer, "42") << ahead_ms;
    cluster.crash(0);
    cluster.world.tick(100);
    TestClient after = cluster.client();
    EXPECT_EQ(after.step(claims(1, id)).answer, "42") << ahead_ms << ", after a start";
  }
  cluster.world.wall_ahead_ms = 0;
  for (int tens = 0; tens < 61; ++tens) cluster.world.tick(10'000);
  EXPECT_EQ(cluster.client().step(claims(1, id)).answer, "") << "after ten minutes";
}

TEST_F(Retried, ByAnotherClientIsRefusedUntilTheFirstAttemptHasEnded) {
  client.step(claims(1, id, {add("a")}));
  const Reply refused = other.step(claims(1, id, {add("a")}));
  EXPECT_EQ(refused.error, "transaction_in_progress");
  EXPECT_TRUE(refused.retryable);
  client.abort_outcome(1).send();
  EXPECT_EQ(other.step(claims(2, id, {add("a")})).error, "");
  EXPECT_NE(other.step(ends(2, "second", 1)).committed_at, 0u);
  EXPECT_EQ(client.step(claims(2, id)).answer, "second");
  EXPECT_EQ(cluster.value("a"), 1);
}

TEST_F(Retried, ItsNextAttemptMayComeInTheFrameThatEndsTheLastOne) {
  client.step(claims(1, id, {add("a")}));
  client.replies.clear();
  client.abort_outcome(1).add(claims(2, id, {add("a")})).send();
  ASSERT_EQ(client.replies.size(), 1u);
  EXPECT_EQ(client.replies[0].error, "");
}

TEST_F(Retried, AfterItsSessionIsLostOrItHasExpired) {
  client.step(claims(1, id, {add("a")}));
  client.hang_up();
  Step step = claims(1, id, {add("a")});
  step.expires_in_ms = 100;
  EXPECT_EQ(other.step(step).error, "");
  cluster.world.tick(101);
  cluster.world.tick(1000);
  TestClient third = cluster.client();
  EXPECT_EQ(third.step(claims(1, id)).error, "");
}

TEST_F(Retried, AReadOnlyTransactionKeepsItsAnswerToo) {
  client.step(claims(1, id, {{"a", "Counter.value", {}}}));
  Step liar = ends(1, "0", 1);
  liar.observes_only = true;
  EXPECT_EQ(client.step(liar).error, "invalid_attempt");
  client.step(claims(2, id, {{"a", "Counter.value", {}}}));
  ASSERT_NE(client.step(ends(2, "0", 1)).committed_at, 0u);
  other.run(1, {add("a")});
  cluster.crash(0);
  TestClient third = cluster.client();
  EXPECT_EQ(third.step(claims(1, id)).answer, "0");
}

TEST_F(Retried, IsRefusedWithAnInvalidIdOrAnswer) {
  EXPECT_EQ(client.step(claims(1, "short")).error, "invalid_attempt");
  client.step({.attempt = 2, .begin_with_priority = 10, .operations = {add("a")}});
  EXPECT_EQ(client.step(ends(2, "no id", 1)).error, "invalid_attempt");
  client.step(claims(3, id, {add("a")}));
  EXPECT_EQ(client.step(ends(3, std::string(limits::kAnswerBytesMax + 1, 'x'), 1)).error, "invalid_answer");
  EXPECT_EQ(client.step(claims(4, id, {add("a")})).error, "") << "the refused attempt has released the id";
  EXPECT_NE(client.step(ends(4, std::string(limits::kAnswerBytesMax, 'x'), 1)).committed_at, 0u);
  EXPECT_EQ(cluster.value("a"), 1);
}

TEST_F(Retried, IsForgottenByWallTimeOverARestart) {
  client.step(claims(1, id, {add("a")}));
  Step end = ends(1, "kept", 1);
  end.keep_ms = 60'000;
  client.step(end);
  cluster.crash(0);
  cluster.world.tick(59'000);
  TestClient late = cluster.client();
  EXPECT_EQ(late.step(claims(1, id)).answer, "kept");
  cluster.world.tick(1'001);
  EXPECT_EQ(cluster.table().size(), 0u);
  TestClient later = cluster.client();
  EXPECT_EQ(later.step(claims(1, id)).committed_before, 0u);
}

TEST_F(Retried, IsAnsweredOnlyOnceItsCommitIsDurable) {
  cluster.durable = false;
  client.step(claims(1, id, {add("a")}));
  EXPECT_EQ(client.step(ends(1, "42", 1)).committed_at, 0u);
  EXPECT_EQ(other.step(claims(1, id)).answer, "");
  EXPECT_TRUE(other.replies.empty());
  cluster.disks.sync(0);
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].answer, "42");
}

TEST_F(Retried, KeepsItsIdWhenItsFirstOperationsAreDenied) {
  cluster.world.shards[0]->set_conditions({.phasing = false}, cluster.world.now());
  other.step({.attempt = 9, .begin_with_priority = 5, .operations = {{"a", "Counter.value", {}}}});
  client.step(claims(1, id));
  EXPECT_EQ(client.step({.attempt = 1, .operations = {add("a")}, .whole = true}).denied, "denied");
  EXPECT_EQ(other.step(claims(1, id)).error, "transaction_in_progress");
  other.abort_outcome(9).send();
  client.step({.attempt = 1, .operations = {add("a")}});
  EXPECT_NE(client.step(ends(1, "", 1)).committed_at, 0u);
}

// ---- over two shards ----

TEST(RetriedOverShards, OnlyTheHomeShardKnowsIt) {
  LoggedCluster cluster;
  TestClient elsewhere = cluster.client(1);
  const Reply reply = elsewhere.step(claims(1, id_of('T')));
  EXPECT_EQ(reply.error, "wrong_shard");
  EXPECT_TRUE(reply.retryable);
}

// The client dies after both votes or between them, and home may crash then. A retry is refused until the shards have settled the attempt,
// and is then answered by its outcome.
class ClientDiesRetried : public ::testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(ClientDiesRetried, ARetryGetsTheAnswerOrRuns) {
  const auto [both_voted, home_crashes] = GetParam();
  LoggedCluster cluster;
  const std::string id = id_of('T'), key = key_on(1);
  {
    // The transaction touches home only with its id.
    TestClient home = cluster.client(0, 107), one = cluster.client(1, 107);
    home.step(claims(1, id));
    one.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key)}});
    ASSERT_NE(home.step(ends(1, "first", 0, kBoth)).voted_at, 0u);
    if (both_voted) {
      ASSERT_NE(one.step({.attempt = 1, .sent_before = 1, .prepare = kBoth}).voted_at, 0u);
    }
    TestClient early = cluster.client();
    EXPECT_EQ(early.step(claims(1, id)).error, "transaction_in_progress") << "it has voted";
    home.hang_up();
    one.hang_up();
  }
  if (home_crashes) {
    cluster.crash(0);
    TestClient early = cluster.client();
    EXPECT_EQ(early.step(claims(1, id)).error, "transaction_in_progress") << "the vote is restored";
  }
  cluster.settle();
  TestClient home = cluster.client(0, 108), one = cluster.client(1, 108);
  const Reply again = home.step(claims(1, id));
  EXPECT_EQ(again.error, "");
  EXPECT_EQ(again.answer, both_voted ? "first" : "");
  EXPECT_EQ(again.committed_before != 0, both_voted);
  if (!both_voted) {
    one.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(key)}});
    Timestamp at = home.step(ends(1, "second", 0, kBoth)).voted_at;
    at = std::max(at, one.step({.attempt = 1, .sent_before = 1, .prepare = kBoth}).voted_at);
    home.commit_outcome(1, at).send();
    one.commit_outcome(1, at).send();
  }
  EXPECT_EQ(cluster.value(key, 1), 1);
  cluster.crash(0);
  TestClient last = cluster.client();
  EXPECT_EQ(last.step(claims(1, id)).answer, both_voted ? "first" : "second");
}

INSTANTIATE_TEST_SUITE_P(All, ClientDiesRetried, ::testing::Combine(::testing::Bool(), ::testing::Bool()));

// Checkpoints keep the answers, and the ids of votes, without the earlier entries.
TEST(RetriedOverShards, IsRestoredFromCheckpoints) {
  LoggedCluster cluster;
  const std::string done = id_of('D'), open = id_of('O');
  TestClient home = cluster.client(0, 107), one = cluster.client(1, 107);
  home.step(claims(1, done));
  ASSERT_NE(home.step(ends(1, "done")).committed_at, 0u);
  home.step(claims(2, open));
  one.step({.attempt = 2, .begin_with_priority = 10, .operations = {add(key_on(1))}});
  ASSERT_NE(home.step(ends(2, "open", 0, kBoth)).voted_at, 0u);
  ASSERT_NE(one.step({.attempt = 2, .sent_before = 1, .prepare = kBoth}).voted_at, 0u);
  for (int round = 0; round < 2; ++round) {
    for (const std::uint32_t shard : kBoth) {
      while (!cluster.disks.checkpoint(shard, 64)) {
      }
    }
    cluster.disks.sync_all();
    home.hang_up();
    cluster.crash(0);
    TestClient early = cluster.client();
    EXPECT_EQ(early.step(claims(1, done)).answer, "done");
    EXPECT_EQ(early.step(claims(2, open)).error, "transaction_in_progress");
  }
  one.hang_up();
  cluster.settle();
  while (!cluster.disks.checkpoint(0, 64)) {
  }
  cluster.disks.sync_all();
  cluster.crash(0);
  TestClient late = cluster.client();
  EXPECT_EQ(late.step(claims(1, done)).answer, "done");
  EXPECT_EQ(late.step(claims(2, open)).answer, "open");
  EXPECT_EQ(cluster.value(key_on(1), 1), 1);
  cluster.world.tick(limits::kKeepMsDefault + 60'000);
  EXPECT_EQ(cluster.table().size(), 0u);
}

// ---- the table ----

TransactionId number(std::uint64_t n) {
  TransactionId id{};
  for (int i = 0; i < 8; ++i) id[15 - i] = static_cast<unsigned char>(n >> 8 * i);
  return id;
}

TEST(Deduplication, IsFullOfIdsOrAnswersUntilTheyExpire) {
  Deduplication few(2, 100);
  few.claim(number(1));
  EXPECT_FALSE(few.full());
  few.claim(number(2));
  EXPECT_TRUE(few.full());
  few.release(number(2));
  EXPECT_FALSE(few.full());
  EXPECT_FALSE(few.answer(number(1), std::string(101, 'x'), 1));
  EXPECT_TRUE(few.answer(number(1), std::string(100, 'x'), 1));
  EXPECT_TRUE(few.full());
  few.commit(number(1), 5, 1000, 1);
  EXPECT_NE(few.find(number(1), 999), nullptr);
  EXPECT_EQ(few.find(number(1), 1000), nullptr);
  EXPECT_FALSE(few.forget_due(1000));
  EXPECT_EQ(few.size(), 0u);
  EXPECT_EQ(few.answer_bytes(), 0u);
}

TEST(Deduplication, TakesInAgainWhatItHandedOutToCheckpoints) {
  Dice dice(11);
  Deduplication table, back;
  std::uint64_t next = 0;
  std::vector<std::string> pieces;
  for (int checkpoint = 0; checkpoint < 5; ++checkpoint) {
    const std::uint64_t until = next + dice.below(50);
    for (; next < until; ++next) {
      table.claim(number(next));
      table.answer(number(next), std::string(dice.below(40), 'a'), 1);
      if (dice.below(4) == 0) {
        table.release(number(next));
      } else {
        table.commit(number(next), 1 + next, 1000 + dice.below(100), 1 + next);
      }
    }
    table.begin_fresh();
    std::string piece;
    std::uint64_t until_wall_ms = 0;
    while (table.take_fresh(64, piece, until_wall_ms)) {
      if (piece.empty()) continue;
      EXPECT_LT(piece.size(), 64u + 80u);
      EXPECT_GE(until_wall_ms, 1000u);
      pieces.push_back(piece);
    }
  }
  // Twice, and in another order, as unfinished checkpoints leave the pieces.
  for (const std::string& piece : pieces) EXPECT_TRUE(back.restore(piece));
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) EXPECT_TRUE(back.restore(*piece));
  EXPECT_EQ(back.size(), table.size());
  EXPECT_EQ(back.answer_bytes(), table.answer_bytes());
  for (std::uint64_t n = 0; n < next; ++n) {
    const auto* was = table.find(number(n), 0);
    const auto* is = back.find(number(n), 0);
    ASSERT_EQ(was == nullptr, is == nullptr);
    if (was == nullptr) continue;
    EXPECT_EQ(is->answer, was->answer);
    EXPECT_EQ(is->committed_at, was->committed_at);
    EXPECT_EQ(is->until_wall_ms, was->until_wall_ms);
  }
  EXPECT_FALSE(back.restore("no piece"));
  Deduplication voted;
  voted.claim(number(0), "vote", 1);
  for (const std::string& piece : pieces) voted.restore(piece);
  EXPECT_EQ(voted.claimed(number(0)).answer, "vote") << "a voted attempt is newer than answers kept earlier";
  std::string none;
  std::uint64_t until_wall_ms = 0;
  table.begin_fresh();
  EXPECT_FALSE(table.take_fresh(64, none, until_wall_ms));
}

}  // namespace
}  // namespace claret::testing
