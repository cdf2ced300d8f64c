// Batches that have voted: what becomes of them and of what stands above them, and how they stand back.
#include <gtest/gtest.h>

#include "transaction/test_batches.h"
#include "transaction/test_chain_actor.h"
#include "transaction/test_replay.h"

namespace claret::testing {
namespace {

class VotedBatches : public BatchTest {};

// All records of a shard, without their timestamps: one that stands back gives all its members the last one.
std::string states_of(Shard& shard) {
  std::string bytes;
  for (const Probe& probe : probes()) {
    for (int i = 0; i < kKeysOfAType; ++i) {
      const Record* record = shard.engine().ground.records.find(probe.stem + std::to_string(i));
      if (record == nullptr || is_vacant(*record)) continue;
      bytes += record->key + ' ';
      record->type->encode(*record->state, bytes);
    }
  }
  return bytes;
}

// ---- outcomes

TEST_F(VotedBatches, MakeMembersWaitThatEndAboveThem) {
  const Timestamp at = voted({add(k, 5)});
  client.member(2, {add(j)}, {.ends = true}).member(3, {value(k)}, {.ends = true}).send();
  EXPECT_EQ(client.seen.replies(2), 0u);
  const Timestamp time = HybridClock::after(at, 1000);
  commit(100, time);
  EXPECT_GT(client.seen.committed_at(2), time);
  EXPECT_EQ(client.seen.result(3), number(5));
  EXPECT_GT(client.seen.committed_at(3), client.seen.committed_at(2));
  expect_clean({k, j});
}

TEST_F(VotedBatches, ThatAbortTakeWhatStandsAboveThemAlong) {
  voted({add(k, 5)});
  client.member(2, {add(k, 1)}).member(3, {value(k)}, {.ends = true}).send();
  abort(100);
  ASSERT_EQ(client.seen.broken.size(), 1u);
  EXPECT_EQ(client.seen.broken[0].decided, 0u);
  EXPECT_EQ(client.seen.replies(3), 0u);
  EXPECT_EQ(committed(k), 0);
  EXPECT_EQ(asked(100).state, AttemptState::kAborted);
  expect_clean({});
}

TEST_F(VotedBatches, ThatAbortTakeANewerChainAlong) {
  voted({add(k, 5)});
  client.member(1, {value(k), add(k, 1)}, {.chain = 2}).send();
  EXPECT_EQ(client.seen.broken_by(1), "chain_broken");
  EXPECT_EQ(client.seen.result(1, 2), number(5)) << "the batch stays when a newer chain begins";
  abort(100);
  EXPECT_EQ(client.seen.broken_by(2), "chain_broken");
  EXPECT_EQ(committed(k), 0);
  expect_clean({});
}

TEST_F(VotedBatches, ThatCommitLetANewerChainGoOn) {
  const Timestamp at = voted({add(k, 5)});
  client.member(1, {value(k), add(k, 1)}, {.chain = 2}).member(2, {add(k)}, {.chain = 2, .ends = true}).send();
  commit(100, at);
  EXPECT_EQ(client.seen.replies(2, 2), 0u) << "the member before it is undecided";
  client.word({1}, 2).send();
  EXPECT_NE(client.seen.committed_at(2, 2), 0u);
  EXPECT_EQ(committed(k), 7);
  client.word({9}, 2).send();
  EXPECT_EQ(client.seen.broken.back().decided, 2u);
}

TEST_F(VotedBatches, CountAsDecidedOnceTheyHaveCommitted) {
  const Timestamp at = voted({add(k, 5)});
  commit(100, at);
  client.word({7}).send();
  ASSERT_EQ(client.seen.broken.size(), 1u);
  EXPECT_EQ(client.seen.broken[0].decided, 1u);
}

TEST_F(VotedBatches, StayWhenTheirChainBreaks) {
  const Timestamp at = voted({add(k, 5)});
  client.member(2, {value(k)}).send();
  client.word({7}).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(asked(100).state, AttemptState::kVoted);
  commit(100, at);
  EXPECT_EQ(committed(k), 5);
  expect_clean({k});
}

TEST_F(VotedBatches, LetOthersInOnceTheyAreDecided) {
  const Timestamp at = voted({add(k, 5)});
  other.member(1, {value(k)}).send();
  EXPECT_EQ(other.seen.replies(1), 0u);
  commit(100, at);
  other.read();
  EXPECT_EQ(other.seen.result(1), number(5));
}

TEST_F(VotedBatches, KeepTheirPlaceInTheTurnQueue) {
  const Timestamp at = voted({add(k, 5)});
  other.member(1, {value(k)}).send();
  world.tick(1);
  client.member(2, {add(k)}, {.turn = 1}).send();
  EXPECT_EQ(client.seen.replies(2), 0u) << "others have waited for long enough";
  commit(100, at);
  other.read();
  EXPECT_EQ(other.seen.result(1), number(5));
}

// ---- standing back

TEST_F(VotedBatches, StandBackWhenTheirSessionIsLost) {
  voted({add(k, 5)});
  client.member(2, {add(k, 1)}).send();
  client.hang_up();
  EXPECT_EQ(asked(100).state, AttemptState::kVoted);
  EXPECT_EQ(totals().stood_back, 1u);
  const Record* record = shard().engine().ground.records.find(k);
  ASSERT_NE(record, nullptr);
  ASSERT_NE(record->gate, nullptr);
  EXPECT_EQ(record->run(), nullptr);
  ASSERT_EQ(record->gate->holders().size(), 1u);
  const AttemptId id = record->gate->holders()[0]->party->id;
  shard().engine().endings.resolve(id, 0, true, HybridClock::after(asked(100).timestamp, 10));
  EXPECT_EQ(committed(k), 5);
  expect_clean({k});
}

TEST_F(VotedBatches, ThatStandBackAreSettledByTheirShards) {
  client.member(1, {add(k, 5)}, {.turn = 1}).send();
  there.member(1, {add(far, 7)}, {.turn = 1}).send();
  vote({.attempt = 100, .members = {1}});
  there.batch({.attempt = 100, .members = {1}}).send();
  client.hang_up();
  there.hang_up();
  settle();
  EXPECT_EQ(committed(k), 5);
  TestClient reader(world, 50, 1);
  EXPECT_EQ(reader.run(1, {value(far)}).results.at(0), number(7));
  EXPECT_EQ(totals().commits, 2u) << "the member, and the read";
  expect_clean({k});
}

TEST_F(VotedBatches, ThatStandBackAreAbortedIfAShardHasNotVoted) {
  client.member(1, {add(k, 5)}, {.turn = 1}).send();
  there.member(1, {add(far, 7)}, {.turn = 1}).send();
  vote({.attempt = 100, .members = {1}});
  client.hang_up();
  settle();
  EXPECT_EQ(committed(k), 0);
  there.batch({.attempt = 100, .members = {1}}).send();
  EXPECT_EQ(there.replies.at(0).error, "invalid_attempt") << "it was asked about";
  EXPECT_EQ(there.seen.broken_by(), "chain_broken");
  expect_clean({});
}

TEST_F(VotedBatches, AreSettledAtAllShardsOnceOneOfThemStoodBack) {
  client.member(1, {add(k, 5)}, {.turn = 1}).send();
  there.member(1, {add(far, 7)}, {.turn = 1}).send();
  vote({.attempt = 100, .members = {1}});
  there.batch({.attempt = 100, .members = {1}}).send();
  other.run(1, {value(k)});
  settle(45);  // 20 of them until it stands back; no stream between the shards is open then
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].results.at(0), number(5));
  EXPECT_EQ(shard(1).counters().totals.stood_back, 1u) << "nobody has waited there";
  TestClient reader(world, 50, 1);
  EXPECT_EQ(reader.run(1, {value(far)}).results.at(0), number(7));
}

TEST_F(VotedBatches, StandBackOnceSomebodyHasWaitedFor15Ms) {
  voted({add(k, 5)});
  client.member(2, {add(k, 1)}).member(3, {add(j)}).send();
  world.tick(30);
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "") << "nobody waits";
  other.run(1, {value(k)});
  world.tick(14);
  EXPECT_EQ(totals().stood_back, 0u);
  world.tick(2);
  world.tick(5);
  client.read();
  EXPECT_EQ(totals().stood_back, 1u);
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(committed(j), 0);
  EXPECT_TRUE(is_taken(k));
  commit(100, asked(100).timestamp);
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].results.at(0), number(5));
}

TEST_F(VotedBatches, StandBackForMembersOfOthersThatWait) {
  voted({add(k, 5)});
  other.member(1, {value(k)}).send();
  for (int i = 0; i < 5; ++i) world.tick(5);
  other.read();
  EXPECT_EQ(totals().stood_back, 1u);
  EXPECT_EQ(other.seen.reply(1).error, "denied");
}

TEST_F(VotedBatches, StandBackWhenTheirTimeIsOver) {
  send_wide(1, {add(k, 5)});
  vote({.attempt = 100, .members = {1}, .expires_in_ms = 100});
  client.member(2, {value(k)}).send();
  world.tick(2000);
  client.read();
  EXPECT_EQ(totals().stood_back, 1u);
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(asked(100).state, AttemptState::kVoted);
  abort(100);
  EXPECT_EQ(committed(k), 0);
  expect_clean({});
}

TEST_F(VotedBatches, StandBackWhenTheirClientAbandonsThem) {
  voted({add(k, 5)});
  client.abandon(100).send();
  EXPECT_EQ(totals().stood_back, 1u);
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  settle();
  EXPECT_EQ(committed(k), 0) << "the other shard has not voted";
  expect_clean({});
}

TEST_F(VotedBatches, ThatStoodBackDoNotHoldUpTheNextOnes) {
  voted({add(k, 5)});
  client.abandon(100).send();
  client.member(1, {add(k)}, {.chain = 2, .turn = 1}).member(2, {add(j)}, {.chain = 2, .turn = 1}).send();
  EXPECT_EQ(client.seen.reply(1, 2).error, "denied");
  const Timestamp at = vote({.attempt = 101, .members = {2}, .chain = 2}).voted_at;
  commit(101, at);
  EXPECT_EQ(committed(j), 1);
}

TEST_F(VotedBatches, ReserveWhatTheyDidWhenTheyStandBack) {
  other.run(1, {fill(j, 3)});
  client.member(1, {take_one(j), take_one(j)}, {.turn = 1})
      .member(2, {try_take(j, 5), take_one(j)}, {.turn = 1})
      .member(3, {fill(j, 9), try_take(j, 1)}, {.turn = 1})
      .member(4, {try_take(j, 8)}, {.turn = 1})
      .send();
  EXPECT_EQ(client.seen.result(2), Value(false));
  EXPECT_EQ(client.seen.result(3), Value(true));
  EXPECT_EQ(client.seen.result(4), Value(true));
  const Timestamp at = vote({.attempt = 100, .members = {1, 2, 3, 4}}).voted_at;
  client.abandon(100).send();
  EXPECT_EQ(other.ask(2, {try_take(j, 1)}).results.size(), 0u) << "what is left is taken";
  commit(100, at);
  other.read();
  EXPECT_EQ(other.replies.at(0).results.at(0), Value(false));
}

TEST_F(VotedBatches, OfEveryTypeStandBackAndCommitAsTheyDid) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Dice dice(seed);
    World one_world(2), same_world(2);
    std::string states[2];
    for (int stands_back = 0; stands_back < 2; ++stands_back) {
      Dice again(seed);
      World& one = stands_back == 0 ? one_world : same_world;
      TestClient session(one, 1), sets(one, 2);
      std::vector<std::uint64_t> members;
      for (std::uint64_t n = 1; n <= 20; ++n) {
        std::vector<Op> operations;
        for (std::uint64_t left = 1 + again.below(4); left > 0; --left) operations.push_back(chain_operation(one, again, 0));
        session.member(n, operations, {.turn = 1}).send();
        if (session.seen.reply(n).error.empty()) members.push_back(n);
      }
      session.batch({.attempt = 100, .members = members}).send();
      ASSERT_EQ(session.replies.size(), 1u);
      if (stands_back != 0) session.abandon(100).send();
      session.commit_outcome(100, HybridClock::after(session.replies[0].voted_at, 100)).send();
      states[stands_back] = states_of(*one.shards[0]);
      EXPECT_EQ(one.shards[0]->counters().totals.stood_back, static_cast<std::uint64_t>(stands_back));
    }
    EXPECT_EQ(states[0], states[1]) << "seed " << seed;
    EXPECT_FALSE(states[0].empty());
  }
}

}  // namespace
}  // namespace claret::testing
