// The contents of a checkpoint, whenever it is taken and wherever it is cut off: a shard restored from it and the entries behind it equals
// the shard restored from all entries.
#include "transaction/checkpoint.h"

#include <gtest/gtest.h>

#include "shard/test_disk.h"
#include "transaction/test_actor.h"

namespace claret::testing {
namespace {

// The bytes of all records of random_operation's keys, and the data kept beside each.
std::string stored(Shard& shard, bool with_timestamps) {
  std::string bytes;
  for (const char* stem : {"counter", "set", "top", "dict", "scored", "bag", "register", "bounded", "log", "ids"}) {
    for (int i = 0; i < 4; ++i) {
      const Record* record = shard.engine().ground.records.find(stem + std::to_string(i));
      if (record == nullptr || is_vacant(*record)) continue;
      bytes += record->key + ' ' + std::to_string(record->last_position) + ' ';
      if (with_timestamps) bytes += std::to_string(record->last_commit) + ' ';
      record->type->encode(*record->state, bytes);
    }
  }
  return bytes;
}

AttemptId id_of(std::uint32_t identity, std::uint64_t attempt) {
  AttemptId id;
  const std::string bytes = TestClient::id_of(identity, attempt);
  std::copy(bytes.begin(), bytes.end(), id.begin());
  return id;
}

// Compares what the two shards know of any attempt of any client. An outcome that `live` has forgotten may be missing.
void expect_same_knowledge(Shard& rebuilt, Shard& reference, Shard& live, std::uint64_t attempts) {
  for (std::uint32_t identity = 1; identity <= 10; ++identity) {
    for (std::uint64_t number = 1; number <= attempts; ++number) {
      const AttemptId id = id_of(identity, number);
      const auto* expected = reference.engine().ground.outcomes.known().find(id);
      const auto* known = rebuilt.engine().ground.outcomes.known().find(id);
      if (expected == nullptr) {
        EXPECT_EQ(known, nullptr) << "attempt " << number << " of client " << identity;
      } else if (known != nullptr) {
        EXPECT_EQ(known->state, expected->state);
        EXPECT_EQ(known->committed_at, expected->committed_at);
        EXPECT_EQ(known->attempt != nullptr, expected->attempt != nullptr);
      } else {
        EXPECT_EQ(live.engine().ground.outcomes.known().find(id), nullptr) << "attempt " << number << " of client " << identity;
      }
    }
  }
}

struct Plan {
  const char* name;
  std::size_t leaves_at_once;
  bool switches = false;  // to reader/writer locks and back
};
void PrintTo(const Plan& plan, std::ostream* out) { *out << plan.name; }

class CutOff : public ::testing::TestWithParam<Plan> {};

TEST_P(CutOff, AtAnyPieceNothingIsLost) {
  std::size_t finished = 0, votes = 0, parts = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    ShardOptions options = logged_options();
    options.engine.visits_leave_at_once = GetParam().leaves_at_once;
    World world(2, options);
    Disks disks(world, options);
    Links links(world);
    world.tick(0);
    disks.sync_all();
    world.after_input = [&] { disks.sync_all(); };
    std::vector<Committed> history;
    std::vector<std::unique_ptr<Actor>> actors;
    for (std::uint32_t i = 0; i < 10; ++i) {
      actors.push_back(std::make_unique<Actor>(world, i + 1, history, true));
    }
    std::vector<std::size_t> cuts;
    for (int turn = 0; turn < 1200; ++turn) {
      actors[dice.below(actors.size())]->act(dice);
      if (dice.below(3) == 0) actors[dice.below(actors.size())]->deliver_outcomes();
      if (dice.below(40) == 0) actors[dice.below(actors.size())]->lose_session(static_cast<std::uint32_t>(dice.below(2)));
      if (dice.below(3) == 0) world.tick(static_cast<double>(dice.below(3)));
      if (dice.below(5) == 0) links.carry();
      if (GetParam().switches && dice.below(100) == 0) {
        const LockKind locks = dice.below(2) == 0 ? LockKind::kReaderWriter : LockKind::kAbstract;
        for (auto& shard : world.shards) shard->set_conditions({locks}, world.now());
      }
      if (dice.below(2) == 0) finished += disks.checkpoint(0, dice.below(dice.below(2) == 0 ? 200 : 60)) ? 1 : 0;
      cuts.push_back(disks.written(0));
    }
    for (std::size_t i = dice.below(11); i < cuts.size(); i += 11) {
      const Kept kept = disks.kept(0, cuts[i]);
      const auto rebuilt = disks.rebuilt(0, kept);
      const auto reference = disks.rebuilt(0, Kept{.entries = kept.entries});
      const bool in_order = GetParam().leaves_at_once > 1;
      EXPECT_EQ(stored(*rebuilt, in_order), stored(*reference, in_order)) << cuts[i] << " writes";
      EXPECT_EQ(rebuilt->engine().attempts_in_flight(), reference->engine().attempts_in_flight());
      EXPECT_EQ(rebuilt->log_position(), reference->log_position());
      EXPECT_GE(rebuilt->engine().ground.journal.highest(), reference->engine().ground.journal.highest());
      EXPECT_EQ(rebuilt->engine().ground.doubts.take().size(), reference->engine().ground.doubts.take().size());
      expect_same_knowledge(*rebuilt, *reference, *world.shards[0], 200);
      parts += kept.of_kind(KeyKind::kPart);
      if (kept.position != 0) votes += rebuilt->engine().attempts_in_flight();
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(finished, 20u);
  EXPECT_GT(votes, 20u) << "checkpoints without votes prove little";
  EXPECT_GT(parts, 1000u) << "parts of states that are larger than a piece";
}

INSTANTIATE_TEST_SUITE_P(Plans, CutOff, ::testing::Values(Plan{"Plain", 256}, Plan{"LeavingInParts", 1}, Plan{"SwitchingLocks", 1, true}),
                         [](const auto& info) { return std::string(info.param.name); });

struct CheckpointedShard {
  explicit CheckpointedShard(std::uint32_t shards = 1) : world(shards, options()), disks(world, options()) {
    world.tick(0);
    disks.sync_all();
  }
  static ShardOptions options() {
    ShardOptions options = logged_options();
    options.engine.visits_leave_at_once = 2;
    return options;
  }
  // Takes a checkpoint to its end.
  void checkpoint(std::size_t bytes_max = kEverything) {
    for (int pieces = 0; pieces < 10'000; ++pieces) {
      if (disks.checkpoint(0, bytes_max)) return;
      world.tick(0);
    }
    FAIL() << "the checkpoint does not end";
  }
  std::size_t kept(KeyKind kind) { return disks.kept(0, disks.written(0)).of_kind(kind); }
  World world;
  Disks disks;
};

TEST(Checkpoint, HoldsOnlyWhatHasChangedSinceTheLastOne) {
  CheckpointedShard one;
  TestClient client(one.world, 1);
  for (int i = 0; i < 100; ++i) client.run(1 + i, {add("k" + std::to_string(i), 1)});
  one.checkpoint();
  EXPECT_EQ(one.kept(KeyKind::kRecord), 100u);
  const std::size_t before = one.disks.written(0);
  client.run(200, {add("k7", 1)});
  one.checkpoint();
  const std::string_view last_piece = one.disks.written_bytes(0, one.disks.written(0) - 1);
  EXPECT_EQ(one.disks.written(0), before + 2) << "an entry and a piece";
  EXPECT_LT(last_piece.size(), 300u);
  EXPECT_NE(last_piece.find("k7"), std::string_view::npos);
}

TEST(Checkpoint, HoldsARecordThatAnEarlierAttemptWantedWithAnotherType) {
  CheckpointedShard one(2);
  TestClient first(one.world, 1), second(one.world, 2);
  const std::string key = key_on(0, "k");
  first.run(1, {add(key_on(0, "other"), 1)});
  one.checkpoint();
  const Op set{key, "Set.add", {Value("x")}};
  one.disks.sync_all();
  first.read();
  ASSERT_NE(first.step({.attempt = 2, .begin_with_priority = 10, .operations = {set}, .prepare = kBoth}).error, "wrong_type");
  first.abort_outcome(2).send();
  second.run(1, {add(key, 7)});
  second.run(2, {add(key_on(0, "other"), 1)});
  while (one.kept(KeyKind::kRecord) < 2) ASSERT_FALSE(one.disks.checkpoint(0, 1)) << "the checkpoint must be cut off";
  one.disks.sync_all();
  one.disks.crash(0, 0);
  TestClient again(one.world, 3);
  again.run(1, {{key, "Counter.value", {}}}, 1);
  one.disks.sync_all();
  again.read();
  ASSERT_EQ(again.replies.size(), 1u);
  EXPECT_EQ(again.replies[0].results.at(0).integer(), 7);
}

TEST(Checkpoint, APieceHasAboutTheRequestedSize) {
  CheckpointedShard one;
  TestClient client(one.world, 1);
  for (int i = 0; i < 500; ++i) client.run(1 + i, {add("k" + std::to_string(i), 1)});
  one.disks.sync(0);
  std::size_t pieces = 0;
  const std::size_t before = one.disks.written(0);
  while (!one.disks.checkpoint(0, 1000)) ++pieces;
  EXPECT_GT(pieces, 10u);
  for (std::size_t i = before; i < one.disks.written(0); ++i) EXPECT_LT(one.disks.written_bytes(0, i).size(), 12'000u);
}

TEST(Checkpoint, WaitsForTheEntriesWhoseEffectsItHolds) {
  CheckpointedShard one;
  Shard& shard = *one.world.shards[0];
  TestClient client(one.world, 1);
  one.disks.sync(0);
  ASSERT_FALSE(shard.begin_checkpoint());
  client.run(1, {add("a", 1)});
  CheckpointPiece piece;
  ASSERT_FALSE(shard.take_checkpoint(kEverything, piece));
  EXPECT_EQ(piece.pairs, "");
  EXPECT_EQ(piece.position, 0u);
  one.disks.sync(0);
  ASSERT_FALSE(shard.take_checkpoint(kEverything, piece));
  EXPECT_NE(piece.position, 0u);
}

TEST(Checkpoint, EndsEvenWhileAttemptsLeaveAllTheTime) {
  CheckpointedShard one;
  TestClient client(one.world, 1);
  std::uint64_t attempt = 0;
  const auto crowd = [&] {
    std::vector<Op> operations;
    for (int i = 0; i < 300; ++i) operations.push_back(add("k" + std::to_string(i), 1));
    operations.push_back(add("last", 1));
    client.run(++attempt, operations);
  };
  crowd();
  EXPECT_TRUE(one.world.shards[0]->engine().departures.any());
  int pieces = 0;
  while (!one.disks.checkpoint(0, 500)) {
    crowd();
    ASSERT_LT(++pieces, 5000);
  }
  EXPECT_TRUE(one.world.shards[0]->engine().departures.any());
  one.disks.sync(0);
  const auto rebuilt = one.disks.rebuilt(0, one.disks.written(0));
  while (one.world.shards[0]->engine().departures.any()) one.world.tick(0);
  for (const char* key : {"k0", "k150", "last"}) {
    std::string expected, restored;
    const Record* record = one.world.shards[0]->engine().ground.records.find(key);
    record->type->encode(*record->state, expected);
    record = rebuilt->engine().ground.records.find(key);
    ASSERT_NE(record, nullptr) << key;
    record->type->encode(*record->state, restored);
    EXPECT_EQ(restored, expected) << key;
  }
}

TEST(Checkpoint, ForgetsOutcomesThatNoClientCanAskAboutAnyMore) {
  CheckpointedShard two(2);
  TestClient client(two.world, 1);
  const std::string a = key_on(0, "a");
  for (std::uint64_t i = 1; i <= 50; ++i) client.run(i, {add(a, 1)});
  two.checkpoint();
  const std::size_t with_outcomes = two.disks.kept(0, two.disks.written(0)).pairs.size();
  two.world.tick(limits::kAttemptExpiryMsMax + kAskGraceMs + 1000);
  TestClient other(two.world, 2);
  other.run(1, {add(a, 1)});
  two.checkpoint();
  EXPECT_LE(two.disks.kept(0, two.disks.written(0)).pairs.size(), with_outcomes);
  two.disks.crash(0, 100);
  EXPECT_EQ(two.world.shards[0]->engine().outcomes_known(), 1u);
}

TEST(Checkpoint, IsRefusedWithoutALogBeforeTheLogIsReadAndDuringAnother) {
  World without_log;
  without_log.tick(0);
  EXPECT_EQ(without_log.shards[0]->begin_checkpoint().value_or(""), "a shard without a log takes no checkpoints");
  World unread(1, logged_options());
  EXPECT_EQ(unread.shards[0]->begin_checkpoint().value_or(""), "no checkpoint is taken before the log has been read");
  CheckpointedShard one;
  CheckpointPiece piece;
  EXPECT_EQ(one.world.shards[0]->take_checkpoint(1, piece).value_or(""), "no checkpoint is under way");
  EXPECT_FALSE(one.world.shards[0]->begin_checkpoint());
  EXPECT_EQ(one.world.shards[0]->begin_checkpoint().value_or(""), "a checkpoint is under way");
}

// ---- foreign and damaged checkpoints ------------------------------------------------------------------------------------------

Kept kept_of_a_shard() {
  CheckpointedShard two(2);
  TestClient client(two.world, 1);
  client.run(1, {add(key_on(0, "a"), 5), {key_on(0, "s"), "Set.add", {Value("x")}}});
  client.step({.attempt = 2, .begin_with_priority = 10, .operations = {add(key_on(0, "b"), 1)}, .prepare = kBoth});
  client.step({.attempt = 3, .begin_with_priority = 10, .operations = {add(key_on(0, "c"), 1)}, .prepare = kBoth});
  two.disks.sync(0);
  client.read();
  client.commit_outcome(3, client.replies.back().voted_at).send();
  two.checkpoint();
  return two.disks.kept(0, two.disks.written(0));
}

std::string bytes_of(const Kept& kept) {
  std::string bytes;
  for (const auto& [key, value] : kept.pairs) {
    const Put put(bytes, key);
    bytes += value;
  }
  return bytes;
}

std::optional<std::string> problem_with_pairs(const std::string& pairs, ShardPlace place = {0, 2}, std::uint64_t incarnation = 2) {
  ShardOptions options = logged_options();
  options.engine.place = place;
  options.engine.incarnation = incarnation;
  Shard shard(options);
  auto problem = shard.restore_checkpoint(pairs);
  return problem ? problem : shard.restored({1'700'000'001'000.0, 1});
}

TEST(Checkpoint, ForeignOnesAreRefusedWithAReason) {
  const Kept kept = kept_of_a_shard();
  const std::string pairs = bytes_of(kept);
  EXPECT_FALSE(problem_with_pairs(pairs));
  EXPECT_EQ(problem_with_pairs(pairs, {1, 2}).value_or(""), "the checkpoint was written by shard 0 of 2, not by shard 1 of 2");
  EXPECT_EQ(problem_with_pairs(pairs, {0, 4}).value_or(""), "the checkpoint was written by shard 0 of 2, not by shard 0 of 4");
  EXPECT_EQ(problem_with_pairs(pairs, {0, 2}, 1).value_or(""), "the checkpoint was written by incarnation 1; a start needs a greater one");
  Kept later = kept;
  later.pairs[key_of(KeyKind::kHeader)][0] = kCheckpointFormat + 1;
  EXPECT_EQ(problem_with_pairs(bytes_of(later)).value_or(""), "the checkpoint was written by another version (format 11)");
  ShardOptions options = logged_options();
  options.engine.place = {0, 2};
  options.engine.incarnation = 2;
  Shard shard(options);
  ASSERT_FALSE(shard.restore_checkpoint(pairs));
  const std::uint64_t next = kept.position + 2;
  std::string entry;
  log_entry::add_ceiling(entry, next, 1, 1);
  EXPECT_EQ(shard.restore(entry).value_or(""),
            "entry " + std::to_string(next) + " of the log follows entry " + std::to_string(kept.position));
}

TEST(Checkpoint, IsUselessWithoutTheEntriesWhoseEffectsItHolds) {
  CheckpointedShard one;
  TestClient client(one.world, 1);
  client.run(1, {add("a", 1), add("b", 1)});
  ASSERT_FALSE(one.disks.checkpoint(0, 1)) << "there are more pieces";
  client.run(2, {add("a", 1), add("b", 1)});
  one.checkpoint();
  const Kept kept = one.disks.kept(0, one.disks.written(0));
  EXPECT_EQ(problem_with_pairs(bytes_of(kept), {0, 1}).value_or(""), "the log ends with entry " + std::to_string(kept.position) +
                                                                         ", and the checkpoint has records as of entry " +
                                                                         std::to_string(kept.position + 1));
}

TEST(Checkpoint, DamagedOnesNeverCrash) {
  const std::string pairs = bytes_of(kept_of_a_shard());
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    problem_with_pairs(pairs.substr(0, at));
    for (const int flip : {1, 4, 128, 255}) {
      std::string damaged = pairs;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      problem_with_pairs(damaged);
    }
  }
}

}  // namespace
}  // namespace claret::testing
