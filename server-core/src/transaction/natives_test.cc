// Natives beside transactions: which holders they pass, break or wait for, and what survives a restart.
#include <gtest/gtest.h>

#include "shard/test_disk.h"

namespace claret::testing {
namespace {

Op contains(std::string key, std::string member) { return {std::move(key), "Set.contains", {Value(std::move(member))}}; }
Op take(std::string key, std::int64_t n) { return {std::move(key), "BoundedCounter.tryDecrement", {Value(n)}}; }
Op put_in(std::string key, std::int64_t n) { return {std::move(key), "BoundedCounter.increment", {Value(n)}}; }

// An attempt that holds its operations and has not voted.
void hold(TestClient& client, std::uint64_t attempt, std::vector<Op> operations, std::uint64_t priority = 50) {
  client.step({.attempt = attempt, .begin_with_priority = priority, .operations = std::move(operations)});
}

TEST(Natives, AreExecutedInOrderAndAnsweredTogether) {
  World world;
  TestClient client(world, 1);
  const std::uint64_t first = client.send_natives({add("c", 2), value("c"), add("c", 3), value("c"), value("nothing")});
  ASSERT_EQ(client.natives.size(), 5u);
  Timestamp before = 0;
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_GT(client.natives[first + i].at, before);
    before = client.natives[first + i].at;
  }
  ASSERT_EQ(client.native_results.size(), 3u);
  EXPECT_EQ(client.native_results[0].integer(), 2);
  EXPECT_EQ(client.native_results[1].integer(), 5);
  EXPECT_EQ(client.native_results[2].integer(), 0);
  const Totals& totals = world.shards[0]->counters().totals;
  EXPECT_EQ(totals.natives, 5u);
  EXPECT_EQ(totals.begun, 0u) << "natives are no attempts";
  EXPECT_EQ(world.shards[0]->engine().ground.records.size(), 1u) << "an observed key makes no record";
}

TEST(Natives, AnInvalidOneFailsAloneAndTheOthersAreExecuted) {
  World world;
  TestClient client(world, 1);
  const std::uint64_t first =
      client.send_natives({add("c", 1), {"c", "Counter.noSuchThing", {}}, set_add("c", "x"), take("stock", -1), add("c", 1)});
  EXPECT_NE(client.natives[first].at, 0u);
  EXPECT_EQ(client.natives[first + 1].error, "unknown_operation");
  EXPECT_EQ(client.natives[first + 2].error, "wrong_type");
  EXPECT_EQ(client.natives[first + 3].error, "out_of_range");
  EXPECT_NE(client.natives[first + 4].at, 0u);
  EXPECT_EQ(client.native(value("c")).integer(), 2);
}

TEST(Natives, AnObservingOnePassesUnvotedHoldersAndSeesNothingOfThem) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  client.send_natives({set_add("s", "a")});
  hold(holder, 1, {set_add("s", "b")});
  EXPECT_EQ(client.native(set_size("s")).integer(), 1);
  EXPECT_NE(holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u) << "the holder is not disturbed";
  EXPECT_EQ(client.native(set_size("s")).integer(), 2);
}

TEST(Natives, AChangingOneBreaksUnvotedHoldersThatItConflictsWith) {
  World world;
  TestClient reader(world, 1), other(world, 2), client(world, 3);
  hold(reader, 1, {set_size("s")});
  hold(other, 1, {contains("s", "elsewhere")});
  client.send_natives({set_add("s", "x")});
  reader.read();
  ASSERT_FALSE(reader.replies.empty());
  EXPECT_EQ(reader.replies.back().error, "native_conflict");
  EXPECT_TRUE(reader.replies.back().retryable);
  EXPECT_NE(other.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u) << "it commutes: not broken";
  EXPECT_EQ(world.shards[0]->counters().totals.native_breaks, 1u);
}

TEST(Natives, PassABlindChangeThatWillOverwriteTheirs) {
  World world;
  TestClient writer(world, 1), client(world, 2);
  hold(writer, 1, {reg_set("r", 1)});
  client.send_natives({reg_set("r", 2)});
  EXPECT_EQ(client.native(reg_get("r")).integer(), 2);
  EXPECT_NE(writer.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  EXPECT_EQ(client.native(reg_get("r")).integer(), 1) << "the transaction comes after the native";
}

TEST(Natives, AHolderThatWantsTheRecordExclusivelyIsJudgedByWhatItHasDone) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  holder.step({.attempt = 1, .begin_with_priority = 50, .operations = {contains("s", "a")}, .exclusive = {"s"}});
  client.send_natives({set_add("s", "b")});
  EXPECT_NE(holder.step({.attempt = 1, .sent_before = 1, .operations = {set_add("s", "c")}, .prepare = kAlone}).committed_at, 0u);
  EXPECT_EQ(client.native(set_size("s")).integer(), 2);
}

TEST(Natives, WaitForVotedHoldersAndAreServedWithTheOutcome) {
  World world(2);
  TestClient voter(world, 1), client(world, 2);
  const std::string key = key_on(0, "s");
  const Timestamp voted_at = vote(voter, 1, {set_add(key, "x")});
  ASSERT_NE(voted_at, 0u);
  const std::uint64_t number = client.send_natives({set_size(key)});
  EXPECT_FALSE(client.natives.contains(number)) << "it must neither miss the commit nor assume it";
  EXPECT_EQ(world.shards[0]->engine().natives.waiting(), 1u);
  voter.commit_outcome(1, voted_at).send();
  client.read();
  ASSERT_TRUE(client.natives.contains(number));
  EXPECT_GT(client.natives[number].at, voted_at);
  EXPECT_EQ(client.native_results.back().integer(), 1);
  EXPECT_EQ(world.shards[0]->engine().natives.waiting(), 0u);
  const Totals& totals = world.shards[0]->counters().totals;
  EXPECT_EQ(totals.waits.at("native_wait").count, 1u);
  EXPECT_FALSE(totals.waits.contains("lock_wait"));
}

TEST(Natives, PassVotedHoldersWithWhichTheyCommute) {
  World world(2);
  TestClient voter(world, 1), client(world, 2);
  const std::string key = key_on(0, "c");
  vote(voter, 1, {add(key, 1)});
  const std::uint64_t number = client.send_natives({add(key, 1)});
  EXPECT_NE(client.natives[number].at, 0u);
}

TEST(Natives, BreakNoHolderWhileAnotherOneMakesThemWait) {
  World world(2);
  TestClient voter(world, 1), reader(world, 2), client(world, 3);
  const std::string key = key_on(0, "s");
  vote(voter, 1, {contains(key, "x")});
  hold(reader, 1, {set_size(key)});
  reader.replies.clear();
  const std::uint64_t number = client.send_natives({set_add(key, "x")});
  reader.read();
  EXPECT_TRUE(reader.replies.empty());
  EXPECT_FALSE(client.natives.contains(number));
  voter.abort_outcome(1).send();
  reader.read();
  client.read();
  ASSERT_FALSE(reader.replies.empty());
  EXPECT_EQ(reader.replies.back().error, "native_conflict");
  EXPECT_NE(client.natives[number].at, 0u);
}

TEST(Natives, OfOneSessionKeepTheirOrderOnARecord) {
  World world(2);
  TestClient voter(world, 1), client(world, 2), other(world, 3);
  const std::string key = key_on(0, "s");
  const Timestamp voted_at = vote(voter, 1, {contains(key, "x")});
  // The first waits for the voter. The second would commute with it, but comes later in the session.
  const std::uint64_t first = client.send_natives({set_add(key, "x"), contains(key, "x")});
  EXPECT_TRUE(client.natives.empty());
  EXPECT_EQ(other.native(contains(key, "x")).boolean(), false) << "another session need not wait";
  voter.commit_outcome(1, voted_at).send();
  client.read();
  EXPECT_LT(client.natives[first].at, client.natives[first + 1].at);
  EXPECT_EQ(client.native_results.back().boolean(), true);
}

TEST(Natives, AreWithdrawnWithoutEffectOnceTheyHaveWaitedTooLong) {
  World world(2);
  TestClient voter(world, 1), client(world, 2);
  const std::string key = key_on(0, "s");
  const Timestamp voted_at = vote(voter, 1, {contains(key, "x")});
  const std::uint64_t number = client.send_natives({set_add(key, "x")});
  world.tick(999);
  client.read();
  EXPECT_FALSE(client.natives.contains(number));
  world.tick(2);
  client.read();
  EXPECT_EQ(client.natives[number].error, "expired");
  voter.commit_outcome(1, voted_at).send();
  EXPECT_EQ(client.native(set_size(key)).integer(), 0);
}

TEST(Natives, OfASessionThatIsLostAreWithdrawn) {
  World world(2);
  TestClient voter(world, 1), client(world, 2), later(world, 3);
  const std::string key = key_on(0, "s");
  const Timestamp voted_at = vote(voter, 1, {contains(key, "x")});
  client.send_natives({set_add(key, "x")});
  client.hang_up();
  EXPECT_EQ(world.shards[0]->engine().natives.waiting(), 0u);
  voter.commit_outcome(1, voted_at).send();
  EXPECT_EQ(later.native(set_size(key)).integer(), 0);
}

TEST(Natives, KeepNewcomersOutOnceTheyHaveWaitedForTheirPatience) {
  World world(2);
  TestClient voter(world, 1), client(world, 2), reader(world, 3);
  const std::string key = key_on(0, "s");
  vote(voter, 1, {set_size(key)});
  client.send_natives({set_add(key, "x")});
  EXPECT_EQ(reader.ask(1, {set_size(key)}).results.size(), 1u) << "within its patience";
  reader.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  world.tick(2);
  reader.replies.clear();
  EXPECT_EQ(reader.ask(2, {set_size(key)}, 100).results.size(), 0u);
  TestClient elder(world, 4);
  EXPECT_EQ(elder.ask(1, {set_size(key)}, 1).results.size(), 1u) << "the voted holder may wait for an older party elsewhere";
  voter.abort_outcome(1).send();
  reader.read();
  client.read();
  ASSERT_FALSE(reader.replies.empty());
  EXPECT_EQ(reader.replies.back().results.at(0).integer(), 1) << "after the native";
}

TEST(Natives, TakeNoMoreThanIsLeftBesideReservations) {
  World world(2);
  TestClient holder(world, 1), voter(world, 2), client(world, 3);
  const std::string key = key_on(0, "stock");
  client.send_natives({put_in(key, 5)});
  const Timestamp voted_at = vote(voter, 1, {take(key, 2)});
  hold(holder, 1, {take(key, 2)});
  EXPECT_EQ(client.native(take(key, 1)).boolean(), true) << "one is left beside both";
  holder.replies.clear();
  EXPECT_EQ(client.native(take(key, 1)).boolean(), true) << "the unvoted reservation gives way";
  holder.read();
  ASSERT_FALSE(holder.replies.empty());
  EXPECT_EQ(holder.replies.back().error, "native_conflict");
  EXPECT_EQ(client.native(take(key, 1)).boolean(), true);
  const std::uint64_t number = client.send_natives({take(key, 1)});
  EXPECT_FALSE(client.natives.contains(number)) << "only the voted reservation is left: its outcome decides";
  voter.commit_outcome(1, voted_at).send();
  client.read();
  ASSERT_TRUE(client.natives.contains(number));
  EXPECT_EQ(client.native_results.back().boolean(), false);
}

TEST(Natives, AreRefusedOnlyOnceNoGuardedTransactionMayLiftTheRefusal) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  const Value text(Value::List{Value(Value::List{Value("field"), Value("text")})});
  client.send_natives({{"d", "Dict.set", {text}}});
  const Op erase{"d", "Dict.erase", {Value(Value::List{Value("field")})}};
  holder.step({.attempt = 1, .begin_with_priority = 50, .operations = {erase}, .breaks = 2});
  const std::uint64_t number = client.send_natives({{"d", "Dict.increment", {Value("field"), Value(std::int64_t{1})}}});
  EXPECT_FALSE(client.natives.contains(number)) << "as long as it would wait for the guarded one";
  ASSERT_NE(holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  client.read();
  ASSERT_TRUE(client.natives.contains(number));
  EXPECT_EQ(client.natives[number].error, "");
}

TEST(Natives, WaitAWhileForATransactionThatNativesHaveBrokenTwice) {
  World world;
  TestClient reader(world, 1), client(world, 2);
  reader.step({.attempt = 1, .begin_with_priority = 50, .operations = {set_size("s")}, .breaks = 2});
  const std::uint64_t number = client.send_natives({set_add("s", "x")});
  world.tick(4);
  client.read();
  EXPECT_FALSE(client.natives.contains(number));
  EXPECT_NE(reader.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  client.read();
  EXPECT_TRUE(client.natives.contains(number));

  reader.step({.attempt = 2, .begin_with_priority = 50, .operations = {set_size("s")}, .breaks = 2});
  reader.replies.clear();
  const std::uint64_t second = client.send_natives({set_add("s", "y")});
  world.tick(6);
  client.read();
  reader.read();
  EXPECT_TRUE(client.natives.contains(second)) << "a transaction that hangs costs natives no more than the guard";
  ASSERT_FALSE(reader.replies.empty());
  EXPECT_EQ(reader.replies.back().error, "native_conflict");
}

TEST(Natives, SeeNoReservationOfALargeTransactionThatHasAborted) {
  World world;
  TestClient client(world, 1), large(world, 2);
  client.send_natives({put_in("stock", 5)});
  std::vector<Op> operations;
  for (int i = 0; i < 600; ++i) operations.push_back(add("c" + std::to_string(i)));
  operations.push_back(take("stock", 5));
  // It is granted as a whole and then aborted, since it is declared to change nothing.
  large.add({.attempt = 1, .begin_with_priority = 50, .operations = operations, .prepare = kAlone, .observes_only = true}).send();
  EXPECT_EQ(client.native(take("stock", 5)).boolean(), true);
}

TEST(Natives, AreReportedToWatches) {
  World world;
  TestClient watcher(world, 1), client(world, 2);
  watcher.watch(1, value("c")).send();
  watcher.changes.clear();
  client.send_natives({add("c", 3)});
  world.tick(100);
  watcher.read();
  ASSERT_FALSE(watcher.changes.empty());
  EXPECT_EQ(watcher.changes.back().value.integer(), 3);
}

TEST(Natives, BeyondTheLimitOfAMessageAreRefused) {
  World world;
  TestClient client(world, 1);
  const std::uint64_t first = client.send_natives(std::vector<Op>(limits::kOperationsPerRequestMax + 1, add("c")));
  EXPECT_NE(client.natives[first + limits::kOperationsPerRequestMax - 1].at, 0u);
  EXPECT_EQ(client.natives[first + limits::kOperationsPerRequestMax].error, "too_many_operations");
}

struct Logged {
  Logged() : world(1, logged_options()), disks(world, logged_options()) {
    world.tick(0);
    disks.sync_all();
  }
  World world;
  Disks disks;
};

TEST(NativesInTheLog, OfOneMessageAreOneEntryAndAreAnsweredOnceItIsDurable) {
  Logged one;
  TestClient client(one.world, 1);
  one.disks.sync(0);
  client.send_natives({value("warm-up")});
  one.disks.sync(0);
  client.read();
  const std::uint64_t before = one.world.shards[0]->log_position();
  const std::uint64_t first = client.send_natives({add("a", 1), add("b", 2), value("a"), add("a", 3)});
  EXPECT_EQ(one.world.shards[0]->log_position(), before + 1);
  EXPECT_FALSE(client.natives.contains(first));
  one.disks.sync(0);
  client.read();
  EXPECT_TRUE(client.natives.contains(first + 3));
}

TEST(NativesInTheLog, OfOneMessageThatPassesACutAreLoggedBeforeIt) {
  Logged one;
  TestClient client(one.world, 1);
  client.send_natives({add("c", 1)});
  Shard& shard = *one.world.shards[0];
  ASSERT_TRUE(shard.set_cut(HybridClock::after(shard.prepare_cut(), 1)));
  client.send_natives({add("c", 1), value("nothing"), value("nothing")});
  EXPECT_EQ(shard.cut(), shard.log_position()) << "the change is inside the cut, the reads are beyond it";
}

TEST(NativesInTheLog, ThatOnlyObserveAreAnsweredForAsLongAsTheDiskIsFull) {
  Logged one;
  TestClient client(one.world, 1);
  client.send_natives({add("a", 1)});
  one.disks.sync(0);
  one.world.shards[0]->refuse_changes(LogTrouble::kDiskFull, one.world.now());
  one.world.tick(1000);  // the ceiling in the log has passed
  const std::uint64_t first = client.send_natives({value("a"), value("a"), value("nothing")});
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_NE(client.natives[first + i].at, 0u);
}

TEST(NativesInTheLog, ThatChangeAreRefusedWhileTheDiskIsFull) {
  Logged one;
  TestClient client(one.world, 1);
  client.send_natives({add("a", 1)});
  one.disks.sync(0);
  client.read();
  one.world.shards[0]->refuse_changes(LogTrouble::kDiskFull, one.world.now());
  const std::uint64_t first = client.send_natives({add("a", 1), value("a"), value("nothing")});
  EXPECT_EQ(client.natives[first].error, "disk_full");
  EXPECT_NE(client.natives[first + 1].at, 0u) << "what it sees is durable";
  EXPECT_NE(client.natives[first + 2].at, 0u);
  one.world.shards[0]->refuse_changes(LogTrouble::kNone, one.world.now());
  const std::uint64_t second = client.send_natives({add("a", 1)});
  one.disks.sync(0);
  client.read();
  EXPECT_NE(client.natives[second].at, 0u);
}

TEST(NativesInTheLog, AreCheckpointedInItsOrderAfterARestart) {
  Logged one;
  std::vector<std::string> keys;
  {
    TestClient client(one.world, 1);
    std::vector<Op> changes;
    for (int i = 0; i < 32; ++i) changes.push_back(add(keys.emplace_back("k" + std::to_string(7 * i % 32)), 1));
    client.send_natives(std::move(changes));
    one.disks.sync(0);
    one.disks.crash(0, 0);
  }
  while (!one.disks.checkpoint(0, kEverything)) one.disks.sync(0);
  std::string_view pairs = one.disks.written_bytes(0, one.disks.written(0) - 1);
  std::vector<std::string> put;
  for (Pair pair; take_pair(pairs, pair);) {
    if (static_cast<KeyKind>(pair.key.front()) == KeyKind::kRecord) put.emplace_back(pair.key.substr(1));
  }
  EXPECT_EQ(put, keys);
}

TEST(NativesInTheLog, AreThereAgainAfterACrash) {
  Logged one;
  {
    TestClient client(one.world, 1);
    client.send_natives({add("a", 1), add("b", 2), add("a", 3), set_add("s", "x")});
    client.send_natives({reg_set("r", 1), reg_set("r", 2)});
    one.disks.sync(0);
    client.send_natives({add("a", 100)});  // lost with the crash
    one.disks.crash(0, 0);
  }
  TestClient later(one.world, 2);
  later.send_natives({value("a"), value("b"), set_size("s"), reg_get("r")});
  one.disks.sync(0);
  later.read();
  ASSERT_EQ(later.native_results.size(), 4u);
  EXPECT_EQ(later.native_results[0].integer(), 4);
  EXPECT_EQ(later.native_results[1].integer(), 2);
  EXPECT_EQ(later.native_results[2].integer(), 1);
  EXPECT_EQ(later.native_results[3].integer(), 2);
}

}  // namespace
}  // namespace claret::testing
