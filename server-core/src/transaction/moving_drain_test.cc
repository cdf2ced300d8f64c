// The drain of a run of slots: who waits for whom, and what becomes of those who wait.
#include <gtest/gtest.h>

#include "shard/test_chains.h"
#include "shard/test_redis.h"
#include "transaction/test_chain_world.h"
#include "transaction/test_moves.h"
#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

using Step = TestClient::Step;

struct Draining : ::testing::Test {
  Draining() { client.run(1, {add(in_run("c")), add(in_run("d")), set_add(in_run("s"), "x"), add(beside_run("c"))}); }

  void begin() {
    ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
    two.copy();
  }
  Shard& giver() { return two.shard(0); }
  std::size_t waiting() { return giver().engine().ground.wounds.waiting().size(); }

  MovingShards two;
  TestClient client = two.client(0), holder = two.client(0), other = two.client(0);
};

TEST_F(Draining, WaitsForThoseThatHoldARecord) {
  begin();
  holder.ask(1, {add(in_run("c"))});
  two.mover.drain();
  EXPECT_FALSE(giver().is_drained());
  two.mover.take_piece();
  EXPECT_EQ(two.mover.stage(), Mover::Stage::kDrains);
  EXPECT_NE(holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  EXPECT_TRUE(giver().is_drained());
  two.mover.run();
  EXPECT_EQ(two.value(1, in_run("c")), 2);
}

TEST_F(Draining, LetsThoseInsideFinishAlsoOnOtherRecordsOfTheRun) {
  begin();
  holder.ask(1, {set_add(in_run("s"), "y")});
  other.ask(1, {set_size(in_run("s"))}, 50);
  two.mover.drain();
  client.ask(2, {value(in_run("d"))}, 10);
  EXPECT_EQ(waiting(), 2u);
  two.world.tick(10);  // the phase is over, and an older transaction waits there
  EXPECT_TRUE(holder.step({.attempt = 1, .sent_before = 1, .operations = {add(in_run("d"))}}).error.empty());
  holder.read();
  EXPECT_NE(holder.step({.attempt = 1, .sent_before = 2, .prepare = kAlone}).committed_at, 0u);
  EXPECT_TRUE(giver().is_drained()) << "those who wait get nothing";
  EXPECT_EQ(waiting(), 2u);
}

TEST_F(Draining, KeepsNewcomersWaitingAndRefusesThemOnceTheRunIsGiven) {
  begin();
  two.mover.drain();
  client.replies.clear();
  client.run(2, {add(in_run("c"))});
  other.ask(1, {add(beside_run("c")), add(in_run("c"))});
  EXPECT_TRUE(client.replies.empty() && other.replies.empty());
  EXPECT_EQ(waiting(), 2u);
  two.mover.take_piece();
  two.mover.step();
  for (TestClient* refused : {&client, &other}) {
    refused->read();
    ASSERT_EQ(refused->replies.size(), 1u);
    EXPECT_EQ(refused->replies[0].error, "wrong_shard");
    EXPECT_TRUE(refused->replies[0].retryable);
  }
  EXPECT_EQ(giver().engine().attempts_in_flight(), 0u);
  two.mover.run();
  EXPECT_EQ(two.value(0, beside_run("c")), 1) << "nothing of them is left";
  EXPECT_EQ(two.value(1, in_run("c")), 1);
}

TEST_F(Draining, RefusesRequestsThatHaveNotComeToAGateYet) {
  begin();
  holder.ask(1, {value(beside_run("c"))}, 10);
  other.ask(1, {add(beside_run("c"))}, 50);
  other.add({.attempt = 1, .sent_before = 1, .operations = {add(in_run("c"))}}).send();
  two.mover.drain();
  two.mover.take_piece();
  ASSERT_EQ(two.mover.stage(), Mover::Stage::kGives) << "its second request has not come to a gate";
  two.mover.step();
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].error, "wrong_shard");
}

TEST_F(Draining, LetsThoseWhoWaitedGoOnWhenItIsCalledOff) {
  begin();
  two.mover.drain();
  client.replies.clear();
  client.run(2, {add(in_run("c"), 10)});
  holder.send_natives({add(in_run("c"), 100)});
  EXPECT_TRUE(client.replies.empty() && holder.natives.empty());
  two.mover.call_off_drain();
  client.read();
  holder.read();
  ASSERT_EQ(client.replies.size(), 1u);
  EXPECT_NE(client.replies[0].committed_at, 0u);
  EXPECT_NE(holder.natives[1].at, 0u);
  two.mover.run();
  EXPECT_EQ(two.value(1, in_run("c")), 111);
}

TEST_F(Draining, LetsReadsPassThatHoldNothing) {
  begin();
  two.mover.drain();
  const Reply read = client.run(2, {value(in_run("c")), add(beside_run("c"))});
  EXPECT_NE(read.committed_at, 0u);
  EXPECT_EQ(holder.native(value(in_run("c"))).integer(), 1);
  EXPECT_EQ(holder.native(value(in_run("nothing"))).integer(), 0);
  two.mover.run();
  EXPECT_GT(two.client(1).run(1, {add(in_run("c"))}).committed_at, read.committed_at);
}

TEST_F(Draining, WoundsThoseThatHaveNotVotedAndEndsThemAfterTheGrace) {
  begin();
  holder.ask(1, {add(in_run("c"))});
  two.mover.wound_after_ms = 50;
  two.mover.drain();
  two.world.tick(40);
  holder.read();
  EXPECT_TRUE(holder.wounds.empty());
  two.world.tick(11);
  holder.read();
  EXPECT_EQ(holder.wounds, (std::vector<std::uint64_t>{1}));
  EXPECT_FALSE(giver().is_drained()) << "it may finish";
  two.world.tick(21);
  holder.read();
  EXPECT_EQ(holder.replies.back().error, "wounded");
  EXPECT_TRUE(holder.replies.back().retryable);
  EXPECT_TRUE(giver().is_drained());
}

TEST_F(Draining, EndsThoseInsideThatWaitForThoseOutside) {
  begin();
  holder.ask(1, {add(in_run("c"))}, 50);
  other.ask(1, {add(beside_run("c"))}, 10);
  two.mover.drain();
  other.add({.attempt = 1, .sent_before = 1, .operations = {add(in_run("d"))}}).send();
  holder.add({.attempt = 1, .sent_before = 1, .operations = {value(beside_run("c"))}}).send();
  EXPECT_EQ(waiting(), 2u) << "each waits for the other";
  two.world.tick(21);
  holder.read();
  EXPECT_EQ(holder.replies.back().error, "wounded");
  EXPECT_TRUE(giver().is_drained());
}

TEST_F(Draining, WaitsForVotesAndTellsTheirOtherParticipants) {
  begin();
  TestClient zero = two.client(0, 50), one = two.client(1, 50), blocker = two.client(1);
  const Timestamp voted =
      zero.step({.attempt = 1, .begin_with_priority = 20, .operations = {add(in_run("c"), 5)}, .prepare = kBoth}).voted_at;
  ASSERT_NE(voted, 0u);
  blocker.ask(1, {value(of_other("c"))}, 10);
  one.step({.attempt = 1, .begin_with_priority = 20, .operations = {add(of_other("c"))}, .prepare = kBoth});
  EXPECT_TRUE(one.replies.empty()) << "it waits there";
  two.mover.drain();
  for (int i = 0; i < 20; ++i) {
    two.world.tick(10);
    two.links.carry();
  }
  one.read();
  ASSERT_EQ(one.replies.size(), 1u);
  EXPECT_EQ(one.replies[0].error, "wounded") << "what has voted elsewhere may not wait";
  EXPECT_FALSE(giver().is_drained()) << "a vote is not taken back";
  zero.abort_outcome(1).send();
  EXPECT_TRUE(giver().is_drained());
  two.mover.run();
  EXPECT_EQ(two.value(1, in_run("c")), 1);
}

TEST_F(Draining, WaitsForAttemptsThatLeaveInParts) {
  ShardOptions options = logged_options();
  options.engine.visits_leave_at_once = 2;
  MovingShards slow(2, 0, options);
  TestClient session = slow.client(0);
  ASSERT_EQ(slow.mover.begin(0, 1, slow.run), "");
  std::vector<Op> operations;
  for (int i = 0; i < 20; ++i) operations.push_back(add(in_run(std::to_string(i))));
  EXPECT_NE(session.run(1, operations).committed_at, 0u);
  slow.mover.drain();
  EXPECT_FALSE(slow.shard(0).is_drained());
  slow.mover.run();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(slow.value(1, in_run(std::to_string(i))), 1);
}

TEST_F(Draining, HoldsBackTransactionsWithTheirHomeInTheRun) {
  begin();
  std::string id(16, 'i');
  id[0] = static_cast<char>(two.run.first >> 8);
  id[1] = static_cast<char>(two.run.first & 0xFF);
  holder.step({.attempt = 1, .begin_with_priority = 10, .transaction = id});
  two.mover.drain();
  EXPECT_FALSE(giver().is_drained()) << "an attempt has the id for itself";
  EXPECT_NE(holder.step({.attempt = 1, .operations = {add(beside_run("c"))}, .prepare = kAlone, .answer = "first"}).committed_at, 0u);
  EXPECT_TRUE(giver().is_drained());
  EXPECT_EQ(client.step({.attempt = 9, .begin_with_priority = 10, .transaction = id}).answer, "first") << "it still answers";
  std::string second = id;
  second[2] = 'j';
  for (const bool called_off : {true, false}) {
    other.replies.clear();
    const std::uint64_t attempt = called_off ? 1 : 2;
    other.step({.attempt = attempt, .begin_with_priority = 10, .transaction = second});
    EXPECT_TRUE(other.replies.empty());
    if (called_off) {
      two.mover.call_off_drain();
      other.read();
      ASSERT_EQ(other.replies.size(), 1u);
      EXPECT_EQ(other.replies[0].error, "");
      other.abort_outcome(1).send();
      two.mover.drain();
    } else {
      two.mover.take_piece();
      two.mover.step();
      other.read();
      ASSERT_EQ(other.replies.size(), 1u);
      EXPECT_EQ(other.replies[0].error, "wrong_shard");
    }
  }
  two.mover.run();
  EXPECT_EQ(two.client(1).step({.attempt = 9, .begin_with_priority = 10, .transaction = id}).answer, "first");
}

TEST_F(Draining, RefusesNativesThatWaitedOnceTheRunIsGiven) {
  begin();
  TestClient numbered(two.world, 700, TestClient::Numbered{.session = 7});
  two.mover.drain();
  numbered.send_natives({add(in_run("c")), add(beside_run("c"))});
  EXPECT_EQ(numbered.natives.count(1), 0u);
  EXPECT_NE(numbered.natives[2].at, 0u) << "others go on";
  two.mover.take_piece();
  two.mover.step();
  numbered.read();
  EXPECT_EQ(numbered.natives[1].error, "wrong_shard");
  numbered.send_natives({add(in_run("c"))});
  EXPECT_EQ(numbered.natives[3].error, "wrong_shard");
  numbered.hang_up();
  TestClient next(two.world, 701, TestClient::Numbered{.session = 8, .resumes = 7});
  EXPECT_TRUE(next.resumed_known);
  EXPECT_EQ(next.natives[1].error, "wrong_shard") << "a client that has lost its session learns that it was not executed";
  EXPECT_NE(next.natives[2].at, 0u);
}

TEST_F(Draining, GrantsNoWarranties) {
  giver().set_conditions({.warranties = WarrantyPolicy::kAuto}, two.world.now());
  TestClient reader(two.world, 77, TestClient::Numbered{.warranties = true}, 0);
  begin();
  granted(reader, 1, value(in_run("c")));  // the first one waits until the shard has logged that it grants
  ASSERT_NE(granted(reader, 2, value(in_run("d"))), 0u);
  two.mover.drain();
  EXPECT_EQ(granted(reader, 3, value(in_run("e"))), 0u);
  EXPECT_NE(granted(reader, 4, value(beside_run("e"))), 0u);
}

TEST_F(Draining, BreaksChainsAndDeniesMembers) {
  begin();
  client.member(1, {add(in_run("c"), 10), value(in_run("c"))}).member(2, {value(beside_run("c"))}).send();
  holder.member(1, {value(beside_run("c"))}).send();
  EXPECT_TRUE(client.seen.reply(1).error.empty());
  two.mover.drain();
  client.read();
  holder.read();
  ASSERT_EQ(client.seen.broken.size(), 1u);
  EXPECT_EQ(client.seen.broken[0].reason, "slots_moved");
  EXPECT_TRUE(holder.seen.broken.empty()) << "it has nothing there";
  EXPECT_TRUE(giver().is_drained());
  client.member(1, {add(in_run("c"))}, {.chain = 2}).send();
  EXPECT_EQ(client.seen.members.back().error, "denied");
  two.mover.take_piece();
  two.mover.step();
  client.member(2, {add(in_run("c"))}, {.chain = 2}).send();
  EXPECT_EQ(client.seen.members.back().error, "wrong_shard");
  two.mover.run();
  EXPECT_EQ(two.value(1, in_run("c")), 1);
}

TEST_F(Draining, WaitsForBatchesThatHaveVoted) {
  begin();
  TestClient zero = two.client(0, 50);
  zero.member(1, {add(in_run("c"), 10)}, {.turn = 1}).send();
  zero.batch({.attempt = 100, .members = {1}}).send();
  ASSERT_EQ(zero.replies.size(), 1u);
  two.mover.drain();
  EXPECT_FALSE(giver().is_drained());
  zero.commit_outcome(100, zero.replies[0].voted_at).send();
  EXPECT_TRUE(giver().is_drained());
  two.mover.run();
  EXPECT_EQ(two.value(1, in_run("c")), 11);
}

TEST_F(Draining, EndsWatchesOnceTheRunIsGiven) {
  begin();
  client.watch(1, value(in_run("c"))).watch(2, value(beside_run("c"))).watch(3, set_size(in_run("s"))).send();
  ASSERT_EQ(client.changes.size(), 3u);
  const Timestamp since = client.changes[0].timestamp;
  client.changes.clear();
  two.mover.run();
  client.read();
  ASSERT_EQ(client.changes.size(), 2u);
  for (const ChangeSeen& change : client.changes) EXPECT_EQ(change.error, "wrong_shard");
  EXPECT_EQ(giver().watches(), 1u);
  client.changes.clear();
  client.watch(4, value(in_run("c"))).send();
  ASSERT_EQ(client.changes.size(), 1u);
  EXPECT_EQ(client.changes[0].error, "wrong_shard");
  TestClient again = two.client(1);
  again.watch(1, value(in_run("c")), since).send();
  EXPECT_TRUE(again.changes.empty()) << "nothing has changed since";
  two.client(1).run(1, {add(in_run("c"))});
  two.world.tick(20);
  again.read();
  ASSERT_EQ(again.changes.size(), 1u);
  EXPECT_EQ(again.changes[0].value.integer(), 2);
}

TEST_F(Draining, EndsWatchesThatHaveSomethingToSay) {
  client.watch(1, value(in_run("c"))).send();
  client.changes.clear();
  begin();
  holder.run(1, {add(in_run("c"))});
  holder.run(2, {add(in_run("c"))});
  two.mover.run();
  client.read();
  ASSERT_FALSE(client.changes.empty());
  EXPECT_EQ(client.changes.back().error, "wrong_shard");
}

TEST_F(Draining, DeniesWithoutPhasing) {
  giver().set_conditions({.phasing = false}, two.world.now());
  begin();
  two.mover.drain();
  EXPECT_EQ(client.run(2, {add(in_run("c"))}).denied, "denied");
  two.mover.run();
  EXPECT_EQ(two.value(1, in_run("c")), 1);
}

TEST_F(Draining, AndACutKeepOutEachOther) {
  begin();
  ASSERT_NE(giver().prepare_cut(), 0u);
  EXPECT_EQ(Mover::code_of(giver().drain_give(10, two.world.now())), "cut_in_progress");
  giver().call_off_cut();
  two.mover.drain();
  EXPECT_EQ(giver().prepare_cut(), 0u);
  two.mover.take_piece();
  two.mover.step();
  ASSERT_EQ(two.mover.stage(), Mover::Stage::kTakes);
  EXPECT_EQ(giver().prepare_cut(), 0u);
  two.mover.run();
  EXPECT_NE(giver().prepare_cut(), 0u);
}

TEST_F(Draining, IsRefusedWhileNothingCanBeLogged) {
  begin();
  two.mover.drain();
  two.mover.take_piece();
  giver().refuse_changes(LogTrouble::kDiskFull, two.world.now());
  EXPECT_EQ(Mover::code_of(giver().give(two.world.now())), "disk_full");
  giver().refuse_changes(LogTrouble::kNone, two.world.now());
  two.shard(1).refuse_changes(LogTrouble::kUnavailable, two.world.now());
  EXPECT_EQ(Mover::code_of(two.shard(1).drop_import(two.mover.move(), two.world.now())), "log_unavailable");
  two.shard(1).refuse_changes(LogTrouble::kNone, two.world.now());
  two.mover.run();
  EXPECT_EQ(two.value(1, in_run("c")), 1);
}

TEST_F(Draining, KeepsCommandsOfRedisWaitingAndSendsThemAwayOnceTheRunIsGiven) {
  RedisClient multi(two.world, 501), several(two.world, 502), popper(two.world, 503);
  EXPECT_EQ(popper.say("BLPOP " + in_run("list") + " 0"), "");
  begin();
  two.mover.drain();
  EXPECT_EQ(multi.say_all({"MULTI", "SET " + in_run("new") + " x", "INCR " + beside_run("n"), "EXEC"}), "+OK\r\n+QUEUED\r\n+QUEUED\r\n");
  EXPECT_EQ(several.say("MSET " + beside_run("a") + " 1 " + in_run("b") + " 2"), "");
  EXPECT_EQ(several.read(), "");
  two.mover.run();
  two.world.tick(1);
  for (RedisClient* client : {&multi, &several, &popper}) EXPECT_EQ(client->read().substr(0, 9), "-TRYAGAIN");
  EXPECT_EQ(multi.say_all({"EXISTS " + beside_run("n"), "EXISTS " + beside_run("a")}), ":0\r\n:0\r\n") << "nothing of them was run";
}

}  // namespace
}  // namespace claret::testing
