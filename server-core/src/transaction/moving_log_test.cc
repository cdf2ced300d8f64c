// Moves of slots in the log and in checkpoints: what a start finds, whichever shard has crashed, and when.
#include <gtest/gtest.h>

#include "transaction/test_moves.h"

namespace claret::testing {
namespace {

using Stage = Mover::Stage;

// What a start would find in everything that was written: the same from the checkpoint and later entries as from all entries.
void expect_same_after_restart(MovingShards& cluster) {
  for (std::uint32_t shard = 0; shard < cluster.world.shards.size(); ++shard) {
    const Kept kept = cluster.disks.kept(shard, cluster.disks.written(shard));
    const auto rebuilt = cluster.disks.rebuilt(shard, kept), reference = cluster.disks.rebuilt(shard, Kept{.entries = kept.entries});
    Shard& live = cluster.shard(shard);
    EXPECT_EQ(rebuilt->slots(), reference->slots());
    EXPECT_EQ(rebuilt->slots(), live.slots());
    EXPECT_EQ(rebuilt->moves().given(), live.moves().given());
    EXPECT_EQ(rebuilt->moves().imported(), live.moves().imported());
    EXPECT_EQ(reference->moves().imported(), live.moves().imported());
    EXPECT_EQ(rebuilt->engine().ground.records.size(), reference->engine().ground.records.size());
    EXPECT_EQ(rebuilt->engine().ground.deduplication.size(), reference->engine().ground.deduplication.size());
  }
}

struct Moving : ::testing::Test {
  Moving() {
    for (int i = 0; i < 30; ++i) two.client(0).run(1, {add(in_run(std::to_string(i)), i), set_add(in_run("s"), std::string(i + 1, 'm'))});
    std::string id(16, 'i');
    id[0] = static_cast<char>(two.run.first >> 8);
    id[1] = static_cast<char>(two.run.first & 0xFF);
    TestClient client = two.client(0);
    client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add(beside_run("c"))}, .transaction = id});
    client.step({.attempt = 1, .sent_before = 1, .prepare = kAlone, .answer = "42"});
    two.client(1).run(1, {add(of_other("c"), 9)});
    two.mover.piece_bytes = 200;
  }

  void expect_all_at(std::uint32_t owner) {
    for (int i = 0; i < 30; ++i) EXPECT_EQ(two.value(owner, in_run(std::to_string(i))), i);
    EXPECT_EQ(two.client(owner).run(1, {set_size(in_run("s"))}, 1).results.at(0).integer(), 30);
    EXPECT_EQ(two.shard(owner).engine().ground.deduplication.size(), 1u);
    EXPECT_EQ(two.error(1 - owner, in_run("0")), "wrong_shard");
    EXPECT_EQ(two.value(1, of_other("c")), 9);
    EXPECT_EQ(two.value(0, beside_run("c")), 1);
  }

  MovingShards two;
};

TEST_F(Moving, TheGiverOwnsTheRunUntilGaveIsDurable) {
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.copy();
  two.mover.drain();
  while (two.mover.stage() == Stage::kDrains) two.mover.take_piece();
  two.durable = false;
  two.disks.sync(1);
  two.mover.step();
  ASSERT_EQ(two.mover.stage(), Stage::kTakes);
  EXPECT_EQ(two.error(0, in_run("0")), "wrong_shard");
  two.durable = true;
  two.crash(0);
  EXPECT_EQ(two.mover.stage(), Stage::kIdle);
  EXPECT_FALSE(two.shard(1).moves().imported()) << "it was told to drop it";
  expect_all_at(0);
  two.world.tick(0);
  EXPECT_EQ(two.shard(1).engine().ground.records.size(), 1u);
  two.move();
  expect_all_at(1);
}

TEST_F(Moving, GoesOnAfterACrashOfTheGiverThatHasGiven) {
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.copy();
  two.give();
  ASSERT_EQ(two.mover.stage(), Stage::kTakes);
  const KeptMove given = *two.shard(0).moves().given();
  two.crash(0);
  EXPECT_EQ(two.shard(0).moves().given(), given);
  EXPECT_EQ(two.mover.stage(), Stage::kTakes) << "its log says so";
  EXPECT_EQ(two.shard(0).given(given.id), given.at);
  EXPECT_EQ(two.error(0, in_run("0")), "wrong_shard");
  EXPECT_EQ(two.shard(0).engine().ground.records.size(), 1u) << "what was given is not read again";
  EXPECT_EQ(two.shard(0).prepare_cut(), 0u);
  EXPECT_EQ(Mover::code_of(two.shard(0).begin_give({"next", {1, 1}, 1})), "move_in_progress");
  two.mover.run();
  expect_all_at(1);
  two.crash(0);
  EXPECT_FALSE(two.shard(0).moves().given()) << "it is settled";
}

TEST_F(Moving, GoesOnAfterACrashOfTheTakerWithPieces) {
  for (const bool checkpointed : {false, true}) {
    ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
    for (int i = 0; i < 5; ++i) two.mover.take_piece();
    if (checkpointed) two.checkpoint(1, 100);
    two.mover.take_piece();
    const KeptMove imported = *two.shard(1).moves().imported();
    EXPECT_EQ(imported.pieces, 6u);
    expect_same_after_restart(two);
    two.crash(1);
    EXPECT_EQ(two.shard(1).moves().imported(), imported);
    EXPECT_EQ(two.mover.stage(), Stage::kCopies) << "the next piece follows those that are there";
    EXPECT_EQ(two.error(1, in_run("0")), "wrong_shard");
    if (!checkpointed) {
      two.mover.call_off();
      two.world.tick(0);
    }
  }
  two.mover.run();
  expect_all_at(1);
}

TEST_F(Moving, BeginsAnewIfTheTakerHasLostAPiece) {
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.mover.take_piece();
  two.durable = false;
  two.mover.take_piece();
  two.durable = true;
  two.crash(1);
  EXPECT_EQ(two.mover.stage(), Stage::kIdle);
  EXPECT_FALSE(two.shard(1).moves().imported());
  two.move();
  expect_all_at(1);
}

TEST_F(Moving, TheTakerTakesTheRunAgainIfTookWasNotDurable) {
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.copy();
  two.give();
  two.durable = false;
  two.mover.step();
  ASSERT_EQ(two.mover.stage(), Stage::kSettles);
  two.durable = true;
  two.crash(1);
  EXPECT_TRUE(two.shard(1).moves().imported());
  EXPECT_EQ(two.mover.stage(), Stage::kTakes);
  EXPECT_EQ(two.error(1, in_run("0")), "wrong_shard");
  two.mover.run();
  expect_all_at(1);
}

TEST_F(Moving, TheGiverLearnsThatTheRunWasTakenBefore) {
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.copy();
  two.give();
  two.mover.step();
  ASSERT_EQ(two.mover.stage(), Stage::kSettles);
  two.crash(0);
  EXPECT_EQ(two.mover.stage(), Stage::kTakes);
  two.mover.run();
  expect_all_at(1);
  two.crash(1);
  expect_all_at(1);
}

TEST_F(Moving, ACheckpointRemovesWhatWasGiven) {
  two.checkpoint(0, 100);
  const auto pairs_of_run = [&](std::uint32_t shard) {
    const Kept kept = two.disks.kept(shard, two.disks.written(shard));
    return std::count_if(kept.pairs.begin(), kept.pairs.end(), [](const auto& pair) {
      const bool of_record =
          pair.first.front() == static_cast<char>(KeyKind::kRecord) || pair.first.front() == static_cast<char>(KeyKind::kPart);
      return of_record && pair.first.compare(1, in_run("").size(), in_run("")) == 0;
    });
  };
  EXPECT_GT(pairs_of_run(0), 32) << "with parts";
  two.move();
  two.checkpoint(0);
  two.checkpoint(1);
  EXPECT_EQ(pairs_of_run(0), 0);
  EXPECT_EQ(pairs_of_run(1), 31);
  expect_same_after_restart(two);
  two.crash(0);
  two.crash(1);
  expect_all_at(1);
  two.move(1, 0);
  two.checkpoint(1);
  two.checkpoint(0);
  EXPECT_EQ(pairs_of_run(1), 0);
  EXPECT_EQ(pairs_of_run(0), 31);
  two.crash(0);
  expect_all_at(0);
}

TEST_F(Moving, ACheckpointMayBeCutOffAtAnyPieceWhileTheRunComesAndGoes) {
  std::vector<std::pair<std::uint32_t, std::size_t>> cuts;
  std::size_t finished = 0;
  for (std::uint32_t turn = 0; turn < 6; ++turn) {
    const std::uint32_t from = turn % 2;
    ASSERT_EQ(two.mover.begin(from, 1 - from, two.run), "");
    for (int step = 0; !two.mover.idle(); ++step) {
      ASSERT_LT(step, 1000);
      if (step > 40) two.mover.drain();
      two.mover.step();
      if (step % 3 == 0 && two.mover.stage() == Stage::kCopies) {
        two.client(from).run(1, {add(in_run("0"), 1), add(in_run("0"), -1), set_remove(in_run("s"), "m"), set_add(in_run("s"), "m")});
      }
      for (const std::uint32_t shard : kBoth) {
        finished += two.disks.checkpoint(shard, 150) ? 1 : 0;
        cuts.push_back({shard, two.disks.written(shard)});
      }
      two.world.tick(0);
    }
  }
  EXPECT_GT(finished, 10u);
  for (const auto& [shard, writes] : cuts) {
    SCOPED_TRACE("shard " + std::to_string(shard) + ", " + std::to_string(writes) + " writes");
    const Kept kept = two.disks.kept(shard, writes);
    const auto rebuilt = two.disks.rebuilt(shard, kept), reference = two.disks.rebuilt(shard, Kept{.entries = kept.entries});
    EXPECT_EQ(rebuilt->slots(), reference->slots());
    EXPECT_EQ(rebuilt->moves().given(), reference->moves().given());
    EXPECT_EQ(rebuilt->moves().imported(), reference->moves().imported());
    EXPECT_EQ(rebuilt->engine().ground.records.size(), reference->engine().ground.records.size());
    for (const std::string& key : {in_run("0"), in_run("s"), in_run("29")}) {
      const Record* one = rebuilt->engine().ground.records.find(key);
      const Record* other = reference->engine().ground.records.find(key);
      const bool is_there = one != nullptr && !one->gone;
      ASSERT_EQ(is_there, other != nullptr && !other->gone) << key;
      if (!is_there) continue;
      std::string bytes, expected;
      one->type->encode(*one->state, bytes);
      other->type->encode(*other->state, expected);
      EXPECT_EQ(bytes, expected) << key;
      EXPECT_EQ(one->last_position, other->last_position) << key;
      EXPECT_EQ(one->last_commit, other->last_commit) << key;
    }
    if (HasFailure()) return;
  }
  expect_all_at(0);
}

TEST_F(Moving, RecordsThatWereRemovedAreFreedAfterTwoMoreCheckpoints) {
  two.checkpoint(0);
  two.move();
  for (int i = 0; i < 4; ++i) {
    two.client(0).run(1, {add(beside_run("c"), 0)});
    two.checkpoint(0);
  }
  EXPECT_EQ(two.shard(0).engine().ground.records.find(in_run("0")), nullptr);
  expect_all_at(1);
}

TEST_F(Moving, APieceOfALargeRecordIsPutAsFarAsItHasCome) {
  for (int i = 0; i < 100; ++i) two.client(0).run(1, {set_add(in_run("large"), "member" + std::to_string(i))});
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  for (int pieces = 0; pieces < 100 && !two.mover.nothing_left(); ++pieces) {
    two.mover.take_piece();
    two.disks.checkpoint(1, 120);
    if (pieces % 10 == 0) expect_same_after_restart(two);
  }
  two.checkpoint(1, 120);
  expect_same_after_restart(two);
  two.crash(1);
  two.mover.run();
  EXPECT_EQ(two.client(1).run(1, {set_size(in_run("large"))}, 1).results.at(0).integer(), 100);
}

// ---- what a start refuses -------------------------------------------------------------------------------------------------

std::string problem_with(const std::vector<std::string>& entries, ShardPlace place = {0, 2}) {
  ShardOptions options = logged_options();
  options.engine.place = place;
  options.engine.incarnation = 9;
  Shard shard(options);
  for (const std::string& entry : entries) {
    if (const auto problem = shard.restore(entry)) return *problem;
  }
  return shard.restored({1'700'000'000'000, 0}).value_or("");
}

TEST(ALogWithMoves, IsRefusedIfARecordIsOfSlotsThatAreNotTheShards) {
  MovingShards two;
  two.client(0).run(1, {add(in_run("c"))});
  const std::vector<std::string> entries = two.disks.entries(0);
  EXPECT_EQ(problem_with(entries), "");
  std::string foreign;
  const std::string key = of_other("c");
  Call call{find_type("Counter")->find("add"), {Value(std::int64_t{1})}};
  const Value result;
  const AttemptId id{};
  log_entry::add_commit(foreign, entries.size() + 1, &id, 1 << 20, 1'700'000'000'000,
                        {OperationToLog{key, std::uint32_t{find_type("Counter")->id()} << 8 | call.operation->id, &call, &result}});
  std::vector<std::string> with_foreign = entries;
  with_foreign.push_back(foreign);
  EXPECT_EQ(problem_with(with_foreign), "the shard does not own the slot of record " + key);
}

TEST(ALogWithMoves, IsRefusedIfItsMovesAreInvalid) {
  MovingShards two;
  const std::vector<std::string> entries = two.disks.entries(0);
  const std::uint64_t next = entries.size() + 1;
  const auto with = [&](LogEntryKind kind, const LoggedMove& move) {
    std::vector<std::string> longer = entries;
    log_entry::add_move(longer.emplace_back(), next, kind, move, 1 << 20);
    return problem_with(longer);
  };
  EXPECT_EQ(with(LogEntryKind::kGave, {.id = "m", .slots = {1, 2}, .peer = 1, .version = 1}), "");
  const std::string entry = "entry " + std::to_string(next) + " of the log: ";
  EXPECT_EQ(with(LogEntryKind::kGave, {.slots = {1, 2}}), entry + "an invalid move");
  EXPECT_EQ(with(LogEntryKind::kGave, {.id = "m", .slots = {2, 1}}), entry + "an invalid move");
  EXPECT_EQ(with(LogEntryKind::kImported, {.id = "m", .slots = {9000, 9000}, .pairs = "x"}), entry + "an invalid piece of another shard");
}

TEST(ALogWithMoves, OfTheFormatBeforeIsRead) {
  World world(1, logged_options());
  TestClient client(world, 1);
  client.run(1, {add("c", 3)});
  std::string log;
  ASSERT_TRUE(world.shards[0]->take_log(log));
  const auto format = log.find(std::string{'\x08', static_cast<char>(kLogFormat), '\x10'});
  ASSERT_NE(format, std::string::npos);
  log[format + 1] = 5;
  EXPECT_EQ(problem_with({log}, {0, 1}), "");
}

}  // namespace
}  // namespace claret::testing
