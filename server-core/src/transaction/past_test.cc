// Reads of the past: what they see, what they wait for, and how far back they reach.
#include <gtest/gtest.h>

#include "transaction/test_batches.h"

namespace claret::testing {
namespace {

constexpr double kKeptMs = 5000;

ShardOptions keeping(ShardOptions options = {}, std::size_t bytes_max = 1U << 20U) {
  options.engine.past = {.keep_ms = kKeptMs, .bytes_max = bytes_max};
  return options;
}

Op as_of(Op op, Timestamp at) {
  op.at = at;
  return op;
}

Timestamp before(Timestamp at) { return at - 256; }

// Asks one read of the past. Its `at` is 0 if it has not been answered.
NativeSeen ask(TestClient& client, Op op, Timestamp at) {
  const std::uint64_t number = client.send_natives({as_of(std::move(op), at)});
  client.read();
  return client.natives.contains(number) ? client.natives[number] : NativeSeen{};
}

TEST(Past, IsWhatWasCommittedUpToThen) {
  World world(1, keeping());
  TestClient client(world, 1);
  std::vector<Timestamp> at;
  for (std::uint64_t attempt = 1; attempt <= 5; ++attempt) at.push_back(client.run(attempt, {add("c"), set_add("s", "a")}).committed_at);
  for (std::int64_t i = 0; i < 5; ++i) {
    const NativeSeen seen = ask(client, value("c"), at[static_cast<std::size_t>(i)]);
    EXPECT_EQ(seen.result.integer(), i + 1);
    EXPECT_EQ(seen.at, at[static_cast<std::size_t>(i)]) << "the answer names the time";
    EXPECT_EQ(ask(client, value("c"), before(at[static_cast<std::size_t>(i)])).result.integer(), i);
  }
  EXPECT_EQ(ask(client, set_size("s"), before(at[0])).result.integer(), 0);
  EXPECT_EQ(ask(client, value("nothing"), at[0]).result.integer(), 0);
  EXPECT_EQ(client.native(value("c")).integer(), 5) << "the present is as it was";
  EXPECT_EQ(world.shards[0]->engine().ground.records.size(), 2u);
}

TEST(Past, HoldsNatives) {
  World world(1, keeping());
  TestClient client(world, 1);
  const std::uint64_t first = client.send_natives({add("c", 2), add("c", 3)});
  EXPECT_EQ(ask(client, value("c"), client.natives[first].at).result.integer(), 2);
  EXPECT_EQ(ask(client, value("c"), client.natives[first + 1].at).result.integer(), 5);
}

TEST(Past, IsNoNewerThanTheTimeThatItWasAskedFor) {
  World world(1, keeping());
  TestClient client(world, 1);
  client.run(1, {add("c")});
  const Timestamp now = HybridClock::later(world.shards[0]->engine().ground.clock.reached(), 5);
  EXPECT_EQ(ask(client, value("c"), now).result.integer(), 1);
  EXPECT_GT(client.run(2, {add("c")}).committed_at, now);
  EXPECT_EQ(ask(client, value("c"), now).result.integer(), 1);
}

TEST(Past, TakesOnlyWhatObservesAndTimesThatHaveCome) {
  World world(1, keeping());
  TestClient client(world, 1);
  const Timestamp at = client.run(1, {add("c")}).committed_at;
  EXPECT_EQ(ask(client, add("c"), at).error, "not_read_only");
  EXPECT_EQ(ask(client, value("c"), HybridClock::later(at, 60'000)).error, "clock_skew");
  EXPECT_EQ(ask(client, set_size("c"), at).error, "wrong_type");
  EXPECT_EQ(client.native(value("c")).integer(), 1);
}

TEST(Past, WaitsForWhatHasVotedByThen) {
  World world(2, keeping());
  const std::string key = key_on(0);
  TestClient writer(world, 1), client(world, 2);
  const Timestamp voted = vote(writer, 1, {add(key)});
  EXPECT_EQ(ask(client, value(key), before(voted)).result.integer(), 0) << "it can only commit later";
  const std::uint64_t number = client.send_natives({as_of(value(key), voted)});
  EXPECT_FALSE(client.natives.contains(number));
  writer.commit_outcome(1, voted).send();
  world.tick(1);
  client.read();
  ASSERT_TRUE(client.natives.contains(number));
  EXPECT_EQ(client.natives[number].result.integer(), 1);
}

TEST(Past, DoesNotWaitForWhatHasNotVotedNorForWhatOnlyObserves) {
  World world(2, keeping());
  const std::string key = key_on(0);
  TestClient holder(world, 1), voter(world, 2), client(world, 3);
  vote(voter, 1, {value(key_on(0, "other"))});
  holder.step({.attempt = 1, .begin_with_priority = 50, .operations = {add(key)}});
  const Timestamp now = world.shards[0]->engine().ground.clock.reached();
  EXPECT_EQ(ask(client, value(key), now).result.integer(), 0);
  EXPECT_EQ(ask(client, value(key_on(0, "other")), now).result.integer(), 0);
  EXPECT_GT(holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, now);
}

TEST(Past, GivesUpOnAnOutcomeThatDoesNotCome) {
  World world(2, keeping());
  const std::string key = key_on(0);
  TestClient writer(world, 1), client(world, 2);
  const Timestamp voted = vote(writer, 1, {add(key)});
  const std::uint64_t number = client.send_natives({as_of(value(key), voted)});
  for (int i = 0; i < 30; ++i) {
    world.tick(50);
    writer.send();
    client.send();
  }
  EXPECT_EQ(client.natives[number].error, "expired");
}

TEST(Past, ForgetsReadsOfASessionThatEnds) {
  World world(2, keeping());
  const std::string key = key_on(0);
  TestClient writer(world, 1);
  const Timestamp voted = vote(writer, 1, {add(key)});
  {
    TestClient client(world, 2);
    client.send_natives({as_of(value(key), voted)});
    client.hang_up();
  }
  writer.abort_outcome(1).send();
  world.tick(1);
  expect_all_over(*world.shards[0], {});
  const Record* record = world.shards[0]->engine().ground.records.find(key);
  EXPECT_TRUE(record == nullptr || record->pins == 0);
}

class PastOfChains : public BatchTest {
 protected:
  PastOfChains() : BatchTest(keeping()) {}
};

TEST_F(PastOfChains, HoldsMembersOnceTheyHaveCommitted) {
  client.member(1, {add(k)}).send();
  client.member(2, {add(k)}).send();
  const Timestamp now = shard().engine().ground.clock.reached();
  EXPECT_EQ(ask(other, value(k), now).result.integer(), 0);
  client.word({1, 2}).send();
  const Timestamp first = client.seen.committed_at(1), second = client.seen.committed_at(2);
  ASSERT_NE(second, 0u);
  EXPECT_EQ(ask(other, value(k), before(first)).result.integer(), 0);
  EXPECT_EQ(ask(other, value(k), first).result.integer(), 1);
  EXPECT_EQ(ask(other, value(k), second).result.integer(), 2);
}

TEST_F(PastOfChains, WaitsForABatchThatHasVotedByThen) {
  const Timestamp at = voted({add(k)});
  client.member(2, {add(k)}).send();
  EXPECT_EQ(ask(other, value(k), before(at)).result.integer(), 0);
  const std::uint64_t number = other.send_natives({as_of(value(k), at)});
  EXPECT_FALSE(other.natives.contains(number));
  commit(100, at);
  world.tick(1);
  other.read();
  ASSERT_TRUE(other.natives.contains(number));
  EXPECT_EQ(other.natives[number].result.integer(), 1) << "and not the member above it";
}

TEST_F(PastOfChains, DoesNotWaitForABatchThatDidNothingThere) {
  const Timestamp at = voted({add(k)});
  client.member(2, {add(j)}).send();
  EXPECT_EQ(ask(other, value(j), at).result.integer(), 0) << "beneath the member, which has not voted";
  commit(100, at);
}

TEST_F(PastOfChains, HoldsEachMemberOfABatchThatStoodBackAtItsOwnTime) {
  send_wide(1, {add(k)});
  send_wide(2, {add(k, 10)});
  const Timestamp at = vote({.attempt = 100, .members = {1, 2}}).voted_at;
  ASSERT_NE(at, 0u);
  client.abandon(100).send();
  EXPECT_EQ(totals().stood_back, 1u);
  commit(100, at);
  EXPECT_EQ(ask(other, value(k), before(at)).result.integer(), 0);
  EXPECT_EQ(ask(other, value(k), at).result.integer(), 1);
  EXPECT_EQ(ask(other, value(k), HybridClock::after(at, 1)).result.integer(), 11);
}

TEST(Past, ReachesAsFarAsItIsKept) {
  World world(1, keeping());
  TestClient client(world, 1);
  const Timestamp first = client.run(1, {add("c"), add("still")}).committed_at;
  world.tick(1000);
  const Timestamp second = client.run(2, {add("c")}).committed_at;
  EXPECT_EQ(ask(client, value("c"), before(first)).result.integer(), 0);
  for (double passed = 0; passed < kKeptMs - 500; passed += 500) {
    world.tick(500);
    client.send();
  }
  EXPECT_EQ(ask(client, value("c"), before(first)).error, "history_gone");
  EXPECT_EQ(ask(client, value("c"), before(second)).result.integer(), 1);
  EXPECT_EQ(ask(client, value("still"), first).result.integer(), 1) << "nothing has changed since";
  for (int i = 0; i < 3; ++i) {
    world.tick(500);
    client.send();
  }
  EXPECT_EQ(ask(client, value("c"), before(second)).error, "history_gone");
  EXPECT_EQ(ask(client, value("c"), second).result.integer(), 2);
  EXPECT_EQ(world.shards[0]->engine().ground.past.versions(), 0u);
  EXPECT_EQ(world.shards[0]->engine().ground.past.bytes(), 0u);
}

TEST(Past, KeepsNoMoreBytesThanItMay) {
  constexpr std::size_t kBytes = 20'000;
  World world(1, keeping({}, kBytes));
  TestClient client(world, 1);
  std::vector<Timestamp> at;
  const std::string text(1000, 'x');
  for (std::uint64_t attempt = 1; attempt <= 40; ++attempt) {
    at.push_back(client.run(attempt, {{"r", "Register.set", {Value(text + std::to_string(attempt))}}}).committed_at);
    EXPECT_LE(world.shards[0]->engine().ground.past.bytes(), kBytes);
  }
  const Op get{"r", "Register.get", {}};
  EXPECT_EQ(ask(client, get, at.front()).error, "history_gone");
  EXPECT_EQ(ask(client, get, at[38]).result.text(), text + "39");
}

TEST(Past, RollsBackNoFurtherThanItMay) {
  World world(1, keeping({}, 64U << 20U));
  TestClient client(world, 1);
  const Timestamp first = client.run(1, {add("c")}).committed_at;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < Past::kVersionsPerReadMax; i += 64) number = client.send_natives(std::vector<Op>(64, add("c")));
  const Timestamp later = client.natives[number].at;
  EXPECT_EQ(ask(client, value("c"), before(first)).error, "history_gone");
  EXPECT_EQ(ask(client, value("c"), later).result.integer(), 1 + static_cast<std::int64_t>(Past::kVersionsPerReadMax) - 63);
}

TEST(Past, IsNotKeptUnlessItIsAskedFor) {
  World world;
  TestClient client(world, 1);
  const Timestamp first = client.run(1, {add("c"), add("still")}).committed_at;
  client.run(2, {add("c")});
  EXPECT_EQ(world.shards[0]->engine().ground.past.versions(), 0u);
  EXPECT_EQ(ask(client, value("c"), first).error, "history_gone");
  EXPECT_EQ(ask(client, value("still"), first).result.integer(), 1) << "nothing has changed since";
}

TEST(Past, BeginsWithTheStartOfTheShard) {
  const ShardOptions options = keeping(logged_options());
  World world(1, options);
  Disks disks(world, options);
  world.tick(0);
  world.after_input = [&] { disks.sync_all(); };
  disks.sync_all();
  TestClient client(world, 1);
  const Timestamp first = client.run(1, {add("c"), add("still")}).committed_at;
  const Timestamp second = client.run(2, {add("c")}).committed_at;
  EXPECT_EQ(ask(client, value("c"), first).result.integer(), 1);
  disks.crash(0, 0);
  TestClient again(world, 2);
  EXPECT_EQ(ask(again, value("c"), first).error, "history_gone");
  EXPECT_EQ(ask(again, value("c"), second).result.integer(), 2);
  EXPECT_EQ(ask(again, value("still"), first).result.integer(), 1);
  const Timestamp third = again.run(1, {add("c")}).committed_at;
  EXPECT_EQ(ask(again, value("c"), before(third)).result.integer(), 2);
  EXPECT_EQ(ask(again, value("c"), first).error, "history_gone");
}

// What has read at that time must stay right after a restart.
TEST(Past, KeepsARestartedShardFromCommittingEarlier) {
  const ShardOptions options = keeping(logged_options());
  World world(1, options);
  Disks disks(world, options);
  world.tick(0);
  world.after_input = [&] { disks.sync_all(); };
  disks.sync_all();
  TestClient client(world, 1);
  client.run(1, {add("c")});
  const Timestamp at = HybridClock::later(world.shards[0]->engine().ground.clock.reached(), 900);
  EXPECT_EQ(ask(client, value("c"), at).result.integer(), 1);
  disks.crash(0, 0);
  TestClient again(world, 2);
  EXPECT_GT(again.run(1, {add("c")}).committed_at, at);
}

}  // namespace
}  // namespace claret::testing
