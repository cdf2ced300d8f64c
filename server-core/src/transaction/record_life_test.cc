// The life of records: whether they are there, their deletion, their types, and their expiry.
#include <gtest/gtest.h>

#include "shard/test_disk.h"

namespace claret::testing {
namespace {

Op remove(std::string key) { return {std::move(key), "Record.delete", {}}; }
Op exists(std::string key) { return {std::move(key), "Record.exists", {}}; }
Op type_of(std::string key) { return {std::move(key), "Record.type", {}}; }
Op persist(std::string key) { return {std::move(key), "Record.persist", {}}; }
Op expires_at(std::string key) { return {std::move(key), "Record.expiresAt", {}}; }
Op expire(std::string key, double at_ms, const char* when = "always") {
  return {std::move(key), "Record.expire", {Value(static_cast<std::int64_t>(at_ms)), Value(when)}};
}
Op seen_as_of(Op op, Timestamp at) {
  op.at = at;
  return op;
}

bool is_true(const Value& value) { return value == Value(true); }

// A shard with a log, whose entries are durable at once.
struct LoggedLife {
  explicit LoggedLife(ShardOptions options = logged_options()) : world(1, options), disks(world, options) {
    world.after_input = [this] { disks.sync_all(); };
    disks.sync_all();
  }
  void checkpoint() {
    while (!disks.checkpoint(0, kEverything)) {
    }
  }
  const Record* record(const std::string& key) { return world.shards[0]->engine().ground.records.find(key); }
  std::size_t stored() { return disks.kept(0, disks.written(0)).of_kind(KeyKind::kRecord); }

  World world;
  Disks disks;
};

TEST(RecordLife, ADeletedRecordIsAsIfItHadNeverBeen) {
  World world;
  TestClient client(world, 1);
  client.native(add("c", 5));
  EXPECT_TRUE(is_true(client.native(exists("c"))));
  EXPECT_EQ(client.native(type_of("c")), Value("Counter"));
  EXPECT_TRUE(is_true(client.native(remove("c"))));
  EXPECT_FALSE(is_true(client.native(exists("c"))));
  EXPECT_TRUE(client.native(type_of("c")).absent());
  EXPECT_FALSE(is_true(client.native(remove("c")))) << "there is nothing left to delete";
  EXPECT_EQ(client.native(value("c")).integer(), 0);
  client.native(add("c", 2));
  EXPECT_EQ(client.native(value("c")).integer(), 2);
}

TEST(RecordLife, ACounterAtZeroIsThereAndAnEmptySetIsNot) {
  World world;
  TestClient client(world, 1);
  client.send_natives({add("c", 1), add("c", -1), set_add("s", "a"), set_remove("s", "a")});
  EXPECT_TRUE(is_true(client.native(exists("c"))));
  EXPECT_FALSE(is_true(client.native(exists("s"))));
  EXPECT_TRUE(client.native(type_of("s")).absent());
}

TEST(RecordLife, WhatIsNotThereTakesTheTypeOfTheNextChange) {
  World world;
  TestClient client(world, 1);
  client.send_natives({add("k"), remove("k"), set_add("k", "a")});
  EXPECT_EQ(client.native(type_of("k")), Value("Set"));
  client.send_natives({set_remove("k", "a"), reg_set("k", 7)});
  EXPECT_EQ(client.native(reg_get("k")).integer(), 7) << "an empty set is not there either";
  const std::uint64_t number = client.send_natives({set_size("k")});
  EXPECT_EQ(client.natives[number].error, "wrong_type");
}

TEST(RecordLife, ATransactionDeletesAndMakesAnew) {
  World world;
  TestClient client(world, 1);
  client.native(add("c", 5));
  const Reply reply = client.run(1, {value("c"), remove("c"), reg_set("r", 1)});
  ASSERT_EQ(reply.results.size(), 2u);
  EXPECT_EQ(reply.results[0].integer(), 5);
  EXPECT_TRUE(is_true(reply.results[1]));
  EXPECT_FALSE(is_true(client.native(exists("c"))));
  client.native(set_add("s", "a"));
  client.run(2, {remove("s"), set_add("s", "b")});
  EXPECT_EQ(client.native(set_size("s")).integer(), 1) << "operations take effect in order";
  EXPECT_EQ(client.run(3, {remove("c"), add("c", 1)}).error, "invalid_attempt") << "the increment's limits would be another state's";
}

TEST(RecordLife, AnAbortedDeletionLeavesTheRecordAsItWas) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  client.native(set_add("s", "a"));
  holder.step({.attempt = 1, .begin_with_priority = 50, .operations = {remove("s")}});
  EXPECT_EQ(client.native(set_size("s")).integer(), 1) << "a native read passes what has not voted";
  holder.abort_outcome(1).send();
  EXPECT_EQ(client.native(set_size("s")).integer(), 1);
  EXPECT_TRUE(is_true(client.native(exists("s"))));
}

TEST(RecordLife, ADeletionWaitsForWhatHasVotedAndBreaksTheRest) {
  World world(2);
  const std::string key = key_on(0, "s");
  TestClient voter(world, 1), reader(world, 2), client(world, 3);
  client.native(set_add(key, "a"));
  const Timestamp voted_at = vote(voter, 1, {set_add(key, "x")});
  const std::uint64_t number = client.send_natives({remove(key)});
  EXPECT_FALSE(client.natives.contains(number));
  voter.commit_outcome(1, voted_at).send();
  client.read();
  ASSERT_TRUE(client.natives.contains(number));
  EXPECT_EQ(client.native(set_size(key)).integer(), 0);
  reader.step({.attempt = 1, .begin_with_priority = 50, .operations = {set_add(key, "y")}});
  client.native(set_add(key, "z"));
  client.native(remove(key));
  reader.read();
  ASSERT_FALSE(reader.replies.empty());
  EXPECT_EQ(reader.replies.back().error, "native_conflict");
}

TEST(RecordLife, APendingIncrementOfARankingIsBrokenNotForgotten) {
  World world;
  TestClient holder(world, 1), client(world, 2);
  client.native({"z", "ScoredSet.add", {Value("a"), Value(std::int64_t{1})}});
  holder.step({.attempt = 1, .begin_with_priority = 50, .operations = {{"z", "ScoredSet.add", {Value("b"), Value(std::int64_t{1})}}}});
  client.native(remove("z"));
  holder.abort_outcome(1).send();
  client.native({"z", "ScoredSet.add", {Value("c"), Value(std::int64_t{2})}});
  EXPECT_EQ(client.native({"z", "ScoredSet.size", {}}).integer(), 1);
}

TEST(RecordLife, ExpiresAtItsTime) {
  World world;
  TestClient client(world, 1);
  const double now_ms = world.now().wall_ms;
  EXPECT_FALSE(is_true(client.native(expire("r", now_ms + 100)))) << "there is no record";
  client.native(reg_set("r", 1));
  EXPECT_TRUE(client.native(expires_at("r")).absent());
  EXPECT_TRUE(is_true(client.native(expire("r", now_ms + 100))));
  EXPECT_EQ(client.native(expires_at("r")).integer(), static_cast<std::int64_t>(now_ms) + 100);
  world.tick(99);
  EXPECT_TRUE(is_true(client.native(exists("r"))));
  world.tick(1);
  EXPECT_FALSE(is_true(client.native(exists("r"))));
  EXPECT_EQ(world.shards[0]->engine().ground.records.expiries().size(), 0u);
  client.native(reg_set("r", 2));
  world.tick(1000);
  EXPECT_EQ(client.native(reg_get("r")).integer(), 2) << "the new record does not expire";
}

TEST(RecordLife, ATimeThatHasPassedDeletesAtOnce) {
  World world;
  TestClient client(world, 1);
  client.native(reg_set("r", 1));
  client.native(expire("r", world.now().wall_ms - 5000));
  EXPECT_FALSE(is_true(client.native(exists("r"))));
  client.native(reg_set("r", 1));
  client.native(expire("r", 0));
  EXPECT_FALSE(is_true(client.native(exists("r"))));
  EXPECT_EQ(client.natives[client.send_natives({expire("r", -1)})].error, "out_of_range");
  EXPECT_EQ(client.natives[client.send_natives({expire("r", 1, "now")})].error, "wrong_argument_type");
}

TEST(RecordLife, AnExpirySetsConditions) {
  World world;
  TestClient client(world, 1);
  const double later = world.now().wall_ms + 1000;
  client.native(reg_set("r", 1));
  const auto sets = [&](double at_ms, const char* when) { return is_true(client.native(expire("r", at_ms, when))); };
  EXPECT_FALSE(sets(later, "ifAny"));
  EXPECT_FALSE(sets(later, "ifLater")) << "a record that stays would have to expire sooner";
  EXPECT_TRUE(sets(later, "ifSooner"));
  EXPECT_FALSE(sets(later - 500, "ifNone"));
  EXPECT_FALSE(sets(later - 500, "ifLater"));
  EXPECT_EQ(client.native(expires_at("r")).integer(), static_cast<std::int64_t>(later)) << "what is refused changes nothing";
  EXPECT_TRUE(sets(later + 1, "ifLater"));
  EXPECT_FALSE(sets(later + 1, "ifSooner"));
  EXPECT_TRUE(is_true(client.native(persist("r"))));
  EXPECT_FALSE(is_true(client.native(persist("r"))));
  EXPECT_TRUE(client.native(expires_at("r")).absent());
}

TEST(RecordLife, AnExpiryInATransactionNeedsTheRecord) {
  World world;
  TestClient client(world, 1);
  const Reply reply = client.run(1, {set_add("s", "a"), expire("s", world.now().wall_ms + 10)});
  ASSERT_EQ(reply.results.size(), 1u);
  EXPECT_FALSE(is_true(reply.results[0])) << "a transaction does not see what it does itself";
  world.tick(1000);
  EXPECT_EQ(client.native(set_size("s")).integer(), 1);
}

TEST(RecordLife, WhatIsEmptyLosesItsExpiry) {
  World world;
  TestClient client(world, 1);
  client.native(set_add("s", "a"));
  client.native(expire("s", world.now().wall_ms + 1000));
  client.native(set_remove("s", "a"));
  world.tick(1);
  client.native(set_add("s", "b"));
  EXPECT_TRUE(client.native(expires_at("s")).absent());
  world.tick(2000);
  EXPECT_EQ(client.native(set_size("s")).integer(), 1);
}

TEST(RecordLife, AnotherTypeIsRefusedForNowBesideAVotedDeletion) {
  World world(2);
  const std::string key = key_on(0, "c");
  TestClient voter(world, 1), client(world, 2);
  client.native(add(key, 5));
  const Timestamp voted_at = vote(voter, 1, {remove(key)});
  const Reply refused = client.run(1, {set_add(key, "a")});
  EXPECT_EQ(refused.error, "wrong_type");
  EXPECT_TRUE(refused.retryable);
  voter.commit_outcome(1, voted_at).send();
  EXPECT_NE(client.run(2, {set_add(key, "a")}).committed_at, 0u);
}

TEST(RecordLife, AnExpiryWaitsForWhatHasVoted) {
  World world(2);
  const std::string key = key_on(0, "s");
  TestClient voter(world, 1), client(world, 2);
  client.native(set_add(key, "a"));
  client.native(expire(key, world.now().wall_ms + 10));
  const Timestamp voted_at = vote(voter, 1, {set_add(key, "x")});
  world.tick(20);
  EXPECT_EQ(world.shards[0]->engine().ground.records.expiries().size(), 1u);
  voter.commit_outcome(1, voted_at).send();
  world.tick(20);
  EXPECT_EQ(client.native(set_size(key)).integer(), 0);
}

TEST(RecordLife, AWatchIsToldOfADeletionAndOfAnExpiry) {
  World world;
  TestClient client(world, 1);
  client.native(set_add("s", "a"));
  client.watch(7, set_size("s")).watch(8, exists("s")).send();
  client.native(expire("s", world.now().wall_ms + 10));
  world.tick(200);
  client.send();
  world.tick(200);
  client.send();
  ASSERT_GE(client.changes.size(), 4u);
  EXPECT_EQ(client.changes[client.changes.size() - 2].value.integer(), 0);
  EXPECT_EQ(client.changes.back().value, Value(false));
}

TEST(RecordLife, WithoutALogVacantRecordsAreDropped) {
  World world;
  TestClient client(world, 1);
  Timestamp seen = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "k" + std::to_string(i);
    seen = client.natives[client.send_natives({set_add(key, "a")})].at;
    client.native(i % 2 == 0 ? remove(key) : set_remove(key, "a"));
  }
  for (int i = 0; i < 10; ++i) world.tick(1);
  EXPECT_EQ(world.shards[0]->engine().ground.records.size(), 0u);
  client.watch(1, set_size("k999"), seen).send();
  ASSERT_EQ(client.changes.size(), 1u) << "who resumes a watch is told that something has changed since";
  EXPECT_EQ(client.changes.back().value.integer(), 0);
}

TEST(RecordLife, SurvivesARestart) {
  LoggedLife one;
  TestClient client(one.world, 1);
  const double later = one.world.now().wall_ms + 10'000;
  client.send_natives({add("gone", 5), remove("gone"), add("back", 5), remove("back"), set_add("back", "a"), reg_set("short", 1),
                       reg_set("long", 1), set_add("empty", "a"), set_remove("empty", "a")});
  client.send_natives({expire("short", later - 9'000), expire("long", later)});
  client.run(1, {remove("gone"), reg_set("other", 3)});
  one.disks.sync_all();
  for (int restarts = 0; restarts < 3; ++restarts) {
    one.disks.crash(0, 0);
    TestClient again(one.world, 10 + static_cast<std::uint32_t>(restarts));
    EXPECT_FALSE(is_true(again.native(exists("gone"))));
    EXPECT_EQ(again.native(type_of("back")), Value("Set"));
    EXPECT_FALSE(is_true(again.native(exists("empty"))));
    EXPECT_EQ(again.native(expires_at("long")).integer(), static_cast<std::int64_t>(later));
    EXPECT_EQ(is_true(again.native(exists("short"))), restarts < 2);
    if (restarts == 0) one.checkpoint();
    if (restarts == 1) one.world.tick(2000);
  }
}

TEST(RecordLife, WhatATransactionNamesAndDoesNotFindLeavesNothing) {
  for (const bool alone : {true, false}) {
    LoggedLife one;
    TestClient client(one.world, 1), other(one.world, 2);
    other.native(reg_set("there", 1));
    const double later = one.world.now().wall_ms + 10'000;
    const std::vector<Op> asked = {
        remove("a"), exists("b"), type_of("c"), expire("d", later), persist("e"), set_size("f"), expire("there", later, "ifAny")};
    const Timestamp before = one.record("there")->last_commit;
    if (alone) {
      EXPECT_NE(client.run(1, asked).committed_at, 0u);
    } else {
      const Timestamp voted_at = client.step({.attempt = 1, .begin_with_priority = 10, .operations = asked, .prepare = kBoth}).voted_at;
      client.commit_outcome(1, voted_at).send();
    }
    for (int i = 0; i < 3; ++i) one.world.tick(1);
    const Records& records = one.world.shards[0]->engine().ground.records;
    EXPECT_EQ(records.size(), 1u);
    EXPECT_EQ(records.present(), 1u);
    EXPECT_EQ(one.record("there")->last_commit, before) << "what does nothing is no change";
    one.checkpoint();
    EXPECT_EQ(one.stored(), 1u);
    one.disks.crash(0, 0);
    EXPECT_EQ(one.world.shards[0]->engine().ground.records.size(), 1u);
  }
}

TEST(RecordLife, ADeletionTakesWhatItsOwnTransactionHasMade) {
  LoggedLife one;
  TestClient client(one.world, 1);
  client.run(1, {set_add("s", "a"), remove("s")});
  EXPECT_FALSE(is_true(client.native(exists("s")))) << "they take effect in order, whatever the deletion has found";
  EXPECT_EQ(one.world.shards[0]->engine().ground.records.present(), 0u);
}

TEST(RecordLife, WhatIsThereIsCountedThroughDeletionsExpiriesAndRestarts) {
  LoggedLife one;
  TestClient client(one.world, 1);
  const auto present = [&] { return one.world.shards[0]->engine().ground.records.present(); };
  client.send_natives({add("c"), set_add("s", "a"), set_add("t", "a"), reg_set("r", 1), reg_set("q", 1)});
  EXPECT_EQ(present(), 5u);
  client.send_natives({remove("c"), set_remove("s", "a"), expire("r", one.world.now().wall_ms + 100)});
  EXPECT_EQ(present(), 3u);
  client.native(value("nothing"));
  EXPECT_EQ(present(), 3u);
  one.checkpoint();
  EXPECT_EQ(one.world.shards[0]->engine().ground.records.vacant(), 0u) << "what was never put is gone";
  one.disks.crash(0, 0);  // before the checkpoint is durable
  EXPECT_EQ(present(), 3u);
  EXPECT_EQ(one.world.shards[0]->engine().ground.records.vacant(), 2u);
  one.world.tick(200);
  EXPECT_EQ(present(), 2u);
  for (int i = 0; i < 4; ++i) one.checkpoint();
  EXPECT_EQ(one.world.shards[0]->engine().ground.records.vacant(), 0u);
  TestClient again(one.world, 2);
  again.send_natives({add("c"), set_remove("t", "a")});
  EXPECT_EQ(present(), 2u);
}

TEST(RecordLife, ForgottenRecordsOfASlotLeaveTheOthersInItsList) {
  LoggedLife one;
  TestClient client(one.world, 1);
  const auto key = [](int i) { return "{slot}" + std::to_string(i); };
  for (int i = 0; i < 30; ++i) client.native(reg_set(key(i), i));
  for (int i = 0; i < 30; ++i) {
    if (i % 3 != 1) client.native(remove(key(i)));
  }
  for (int i = 0; i < 4; ++i) one.checkpoint();
  const Records& records = one.world.shards[0]->engine().ground.records;
  EXPECT_EQ(records.size(), 10u);
  std::vector<std::string> left;
  for (const Record* record = records.newest_in(slot_of("{slot}")); record != nullptr; record = record->next_in_slot)
    left.push_back(record->key);
  ASSERT_EQ(left.size(), 10u);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(left[static_cast<std::size_t>(i)], key(28 - 3 * i));
}

TEST(RecordLife, CheckpointsForgetWhatIsVacant) {
  LoggedLife one;
  TestClient client(one.world, 1);
  for (int i = 0; i < 20; ++i) client.send_natives({set_add("k" + std::to_string(i), "a")});
  one.checkpoint();
  EXPECT_EQ(one.stored(), 20u);
  for (int i = 0; i < 10; ++i) client.native(remove("k" + std::to_string(i)));
  for (int i = 10; i < 15; ++i) client.native(set_remove("k" + std::to_string(i), "a"));
  one.checkpoint();
  EXPECT_EQ(one.stored(), 20u) << "a start may still go back to the checkpoint before";
  one.checkpoint();
  EXPECT_EQ(one.stored(), 5u);
  client.native(set_add("k0", "b"));
  for (int i = 0; i < 4; ++i) one.checkpoint();
  EXPECT_EQ(one.stored(), 6u);
  EXPECT_EQ(one.world.shards[0]->engine().ground.records.size(), 6u);
  one.disks.crash(0, 0);
  TestClient again(one.world, 2);
  EXPECT_EQ(again.native(set_size("k0")).integer(), 1);
  EXPECT_EQ(again.native(set_size("k1")).integer(), 0);
  EXPECT_EQ(again.native(set_size("k19")).integer(), 1);
}

TEST(RecordLife, WhatComesAndGoesBetweenTwoCheckpointsIsInNeither) {
  LoggedLife one;
  TestClient client(one.world, 1);
  client.native(set_add("stays", "a"));
  one.checkpoint();
  const std::size_t before = one.disks.written(0);
  for (int i = 0; i < 20; ++i) client.send_natives({set_add("k" + std::to_string(i), "a"), remove("k" + std::to_string(i))});
  one.checkpoint();
  EXPECT_EQ(one.world.shards[0]->engine().ground.records.size(), 1u);
  for (std::size_t i = before; i < one.disks.written(0); ++i) {
    EXPECT_FALSE(one.disks.is_piece(0, i) && one.disks.written_bytes(0, i).find("k1") != std::string::npos)
        << "neither a pair nor its removal";
  }
  client.native(set_add("k0", "b"));
  one.disks.sync_all();
  one.disks.crash(0, 0);
  TestClient again(one.world, 2);
  EXPECT_EQ(again.native(set_size("k0")).integer(), 1);
  EXPECT_EQ(again.native(set_size("k1")).integer(), 0);
}

// An entry up to the position of the checkpoint, and one behind it, which a start would meet without the first.
TEST(RecordLife, WhatGoesWhileACheckpointIsTakenIsPut) {
  LoggedLife one;
  TestClient client(one.world, 1);
  for (int i = 0; i < 500; ++i) client.send_natives({set_add("big", "member" + std::to_string(i))});
  client.native(set_add("k", "a"));
  for (int pieces = 0; pieces < 3; ++pieces) ASSERT_FALSE(one.disks.checkpoint(0, 1000));
  client.native(set_remove("k", "a"));
  while (!one.disks.checkpoint(0, 1000)) {
  }
  EXPECT_EQ(one.stored(), 2u);
  one.disks.sync_all();
  one.disks.crash(0, 0);
  TestClient again(one.world, 2);
  EXPECT_EQ(again.native(set_size("k")).integer(), 0);
  for (int i = 0; i < 4; ++i) one.checkpoint();
  EXPECT_EQ(one.stored(), 1u);
}

TEST(RecordLife, ADeletionBesideACheckpointInPartsLeavesNoParts) {
  for (const bool anew : {false, true}) {
    LoggedLife one;
    TestClient client(one.world, 1);
    for (int i = 0; i < 500; ++i) client.send_natives({set_add("big", "member" + std::to_string(i)), set_add("other", std::to_string(i))});
    for (int pieces = 0; pieces < 3; ++pieces) ASSERT_FALSE(one.disks.checkpoint(0, 1000));
    client.native(remove("big"));
    if (anew) client.native(add("big", 3));
    while (!one.disks.checkpoint(0, 1000)) {
    }
    while (!one.disks.checkpoint(0, 1000)) {
    }
    const Kept kept = one.disks.kept(0, one.disks.written(0));
    for (const auto& [key, value] : kept.pairs) {
      EXPECT_NE(key.substr(1, 4), std::string("big\xff")) << "a part of what was deleted";
    }
    one.disks.crash(0, 0);
    TestClient again(one.world, 2);
    EXPECT_EQ(is_true(again.native(exists("big"))), anew);
    EXPECT_EQ(again.native(set_size("other")).integer(), 500);
    if (anew) {
      EXPECT_EQ(again.native(value("big")).integer(), 3);
    }
  }
}

TEST(RecordLife, ThePastIsSeenAcrossDeletionsAndOtherTypes) {
  ShardOptions options;
  options.engine.past = {.keep_ms = 5000, .bytes_max = 1U << 20U};
  World world(1, options);
  TestClient client(world, 1);
  const auto at = [&](Op op) { return client.natives[client.send_natives({std::move(op)})].at; };
  const Timestamp first = at(set_add("k", "a"));
  const Timestamp second = at(set_add("k", "b"));
  const Timestamp deleted = at(remove("k"));
  const Timestamp third = at(add("k", 7));
  const Timestamp zero = at(remove("k"));
  const Timestamp fourth = at(set_add("k", "c"));
  const Timestamp emptied = at(set_remove("k", "c"));
  const Timestamp fifth = at(reg_set("k", 1));
  const auto size = [&](Timestamp then) {
    const std::uint64_t number = client.send_natives({seen_as_of(set_size("k"), then)});
    EXPECT_EQ(client.natives[number].error, "");
    return client.natives[number].error.empty() ? client.native_results.back().integer() : -1;
  };
  EXPECT_EQ(size(first), 1);
  EXPECT_EQ(size(second), 2);
  EXPECT_EQ(size(deleted), 0);
  EXPECT_EQ(client.native(seen_as_of(value("k"), third)).integer(), 7);
  EXPECT_EQ(size(zero), 0);
  EXPECT_EQ(size(fourth), 1);
  EXPECT_EQ(size(emptied), 0);
  EXPECT_EQ(client.native(seen_as_of(reg_get("k"), fifth)).integer(), 1);
  EXPECT_EQ(client.natives[client.send_natives({seen_as_of(set_size("k"), third)})].error, "wrong_type");
  EXPECT_EQ(client.natives[client.send_natives({seen_as_of(exists("k"), third)})].error, "history_gone");
  EXPECT_EQ(client.native(reg_get("k")).integer(), 1) << "the present is as it was";
  EXPECT_EQ(client.native(type_of("k")), Value("Register"));
}

}  // namespace
}  // namespace claret::testing
