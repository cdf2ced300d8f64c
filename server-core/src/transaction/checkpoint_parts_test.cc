// Records with a state larger than a piece of a checkpoint, and what a crash at any point leaves of their parts.
#include <gtest/gtest.h>

#include "shard/test_disk.h"
#include "transaction/checkpoint.h"
#include "transaction/test_actor.h"

namespace claret::testing {
namespace {

constexpr std::size_t kPiece = 300;  // bytes; a few members

Op any_change(Dice& dice, std::uint64_t members) {
  const Value member("member " + std::to_string(dice.below(members)));
  const Value n(static_cast<std::int64_t>(dice.below(100)));
  switch (dice.below(8)) {
    case 0:
      return {"set", "Set.add", {member}};
    case 1:
      return {"set", "Set.remove", {member}};
    case 2:
      return {"dict", "Dict.increment", {member, n}};
    case 3:
      return {"dict", "Dict.remove", {Value(Value::List{member})}};
    case 4:
      return {"scored", "ScoredSet.add", {member, n}};
    case 5:
      return {"scored", "ScoredSet.increment", {member, n}};
    case 6:
      return {"scored", "ScoredSet.remove", {member}};
    default:
      return {"top", "TopK.add", {member, Value(static_cast<double>(dice.below(1000)))}};
  }
}

class LargeRecords : public ::testing::Test {
 protected:
  LargeRecords() : world_(1, options()), disks_(world_, options()) {
    world_.tick(0);
    disks_.sync_all();
    world_.after_input = [this] { disks_.sync_all(); };
    client_.emplace(world_, identity_);
  }
  static ShardOptions options() {
    ShardOptions options = logged_options();
    options.engine.visits_leave_at_once = 2;
    return options;
  }
  void run(const std::vector<Op>& operations) { ASSERT_NE(client_->run(++attempt_, operations).committed_at, 0u); }
  void fill(const std::string& key, int members) {
    for (int i = 0; i < members; ++i) run({{key, "Set.add", {Value("member " + std::to_string(i))}}});
  }
  void empty(const std::string& key, int members) {
    for (int i = 0; i < members; ++i) run({{key, "Set.remove", {Value("member " + std::to_string(i))}}});
  }
  void checkpoint(std::size_t bytes_max = kPiece) {
    for (int pieces = 0; pieces < 10'000; ++pieces) {
      if (disks_.checkpoint(0, bytes_max)) return;
    }
    FAIL() << "the checkpoint does not end";
  }
  void crash() {
    disks_.sync(0);
    disks_.crash(0, 0);
    client_.emplace(world_, ++identity_);
  }
  std::size_t parts() { return disks_.kept(0, disks_.written(0)).of_kind(KeyKind::kPart); }

  static std::string contents(Shard& shard) {
    std::string bytes;
    for (const char* key : {"set", "dict", "scored", "top"}) {
      const Record* record = shard.engine().ground.records.find(key);
      if (record == nullptr) continue;
      bytes += record->key + ' ' + std::to_string(record->last_position) + ' ';
      record->type->encode(*record->state, bytes);
    }
    return bytes;
  }

  World world_;
  Disks disks_;
  std::optional<TestClient> client_;
  std::uint32_t identity_ = 1;
  std::uint64_t attempt_ = 0;
};

TEST_F(LargeRecords, AreCompleteWhereverAWalkIsCutOffAndHoweverTheyChange) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    std::size_t finished = 0, parts = 0;
    for (int turn = 0; turn < 600; ++turn) {
      std::vector<Op> operations;
      for (std::uint64_t left = 1 + dice.below(4); left > 0; --left) operations.push_back(any_change(dice, 60));
      run(operations);
      if (dice.below(3) != 0) world_.tick(0);  // advances attempts that leave in steps
      if (turn > 60) finished += disks_.checkpoint(0, kPiece) ? 1 : 0;
      if (turn % 9 != 0) continue;
      const Kept kept = disks_.kept(0, disks_.written(0));
      parts = std::max(parts, kept.of_kind(KeyKind::kPart));
      EXPECT_EQ(contents(*disks_.rebuilt(0, kept)), contents(*disks_.rebuilt(0, Kept{.entries = kept.entries})));
      if (HasFailure()) return;
    }
    EXPECT_GT(finished, 5u);
    EXPECT_GT(parts, 20u);
  }
}

TEST_F(LargeRecords, KeepNoStaleParts) {
  fill("set", 50);
  checkpoint();
  const std::size_t large = parts();
  EXPECT_GE(large, 8u);
  run({{"set", "Set.add", {Value("one more")}}});
  checkpoint();
  EXPECT_LE(parts(), large + 1) << "replaced the earlier parts";
  run({{"set", "Set.add", {Value("and another")}}});
  checkpoint(kEverything);
  EXPECT_EQ(parts(), 0u) << "the state fits one piece now";
  run({{"set", "Set.add", {Value("and a third")}}});
  checkpoint();
  EXPECT_GE(parts(), large);
  empty("set", 50);
  checkpoint();
  EXPECT_EQ(parts(), 0u) << "the state has shrunk";
}

TEST_F(LargeRecords, LeaveNothingOfAWalkThatACrashHasCutOff) {
  fill("set", 50);
  checkpoint();
  const std::size_t large = parts();
  run({{"set", "Set.add", {Value("one more")}}});
  for (int pieces = 0; pieces < 5; ++pieces) disks_.checkpoint(0, kPiece);
  EXPECT_GT(parts(), large) << "parts of both walks are there";
  const std::string before = contents(*world_.shards[0]);
  crash();
  EXPECT_EQ(contents(*world_.shards[0]), before);
  EXPECT_GT(parts(), large);
  run({{"other", "Set.add", {Value("a")}}});
  checkpoint();
  EXPECT_LE(parts(), large + 1);
  crash();
  EXPECT_EQ(contents(*world_.shards[0]), before);
}

TEST_F(LargeRecords, AreWrittenByASecondWalkOverTheRemainsOfTheFirst) {
  fill("set", 50);
  for (int crashes = 0; crashes < 4; ++crashes) {
    for (int pieces = 0; pieces < 3 + crashes; ++pieces) disks_.checkpoint(0, kPiece);
    EXPECT_GT(parts(), 0u);
    crash();
  }
  checkpoint();
  const std::string before = contents(*world_.shards[0]);
  EXPECT_LT(parts(), 30u);
  crash();
  EXPECT_EQ(contents(*world_.shards[0]), before);
}

// Of whatever the owner has put when the follower begins, and when it takes over.
TEST_F(LargeRecords, AreWholeAfterATakeOverByAShardThatHasNotReadAllTheirParts) {
  for (int read = 0; read < 12; ++read) {
    for (int taken = 0; taken < 14; taken += 1 + read % 3) {
      SCOPED_TRACE(std::to_string(read) + " pieces before the follower, " + std::to_string(taken) + " after the take-over");
      fill("set", 50);
      for (int pieces = 0; pieces < read; ++pieces) disks_.checkpoint(0, kPiece);
      auto follower = disks_.follower(0);
      run({{"set", "Set.add", {Value("one more")}}});
      checkpoint();
      for (int pieces = 0; pieces < 5; ++pieces) disks_.checkpoint(0, kPiece);
      const std::string before = contents(*world_.shards[0]);
      disks_.sync(0);
      disks_.take_over(0, std::move(follower));
      client_.emplace(world_, ++identity_);
      EXPECT_EQ(contents(*world_.shards[0]), before);
      empty("set", 35);
      const std::string after = contents(*world_.shards[0]);
      for (int pieces = 0; pieces < taken; ++pieces) disks_.checkpoint(0, kPiece);
      crash();
      EXPECT_EQ(contents(*world_.shards[0]), after);
      checkpoint();
      EXPECT_LT(parts(), 12u) << "none of the earlier ones is left";
      crash();
      EXPECT_EQ(contents(*world_.shards[0]), after);
      if (HasFailure()) return;
    }
  }
}

// Of a walk that was not at its end when the second follower began: the first one had put the record again, although it had not changed.
TEST_F(LargeRecords, AreWholeAfterASecondTakeOverByAShardThatHasReadPartsOfAWalk) {
  for (int read = 0; read < 12; ++read) {
    SCOPED_TRACE(std::to_string(read) + " pieces before the second follower");
    auto first = disks_.follower(0);
    fill("set", 50);
    checkpoint();
    disks_.sync(0);
    disks_.take_over(0, std::move(first));
    client_.emplace(world_, ++identity_);
    const std::string before = contents(*world_.shards[0]);
    for (int pieces = 0; pieces < read; ++pieces) disks_.checkpoint(0, kPiece);
    auto second = disks_.follower(0);
    checkpoint();
    disks_.sync(0);
    disks_.take_over(0, std::move(second));
    client_.emplace(world_, ++identity_);
    for (int pieces = 0; pieces < 3; ++pieces) {
      disks_.checkpoint(0, kPiece);
      crash();
      EXPECT_EQ(contents(*world_.shards[0]), before);
    }
    checkpoint();
    EXPECT_LT(parts(), 12u) << "none of the earlier ones is left";
    empty("set", 50);
    if (HasFailure()) return;
  }
}

// ---- foreign and damaged parts --------------------------------------------------------------------------------------------------

class DamagedParts : public LargeRecords {
 protected:
  DamagedParts() {
    fill("set", 20);
    checkpoint();
    kept_ = disks_.kept(0, disks_.written(0));
    PartKey first;
    EXPECT_TRUE(read_key(kept_.pairs.rbegin()->first, first));
    walk_ = first.walk;
    count_ = kept_.of_kind(KeyKind::kPart);
  }
  std::string key(std::uint64_t number) const { return key_of(PartKey{"set", walk_, number}); }
  std::string problem() const {
    ShardOptions options = logged_options();
    options.engine.incarnation = 2;
    Shard shard(options);
    for (const auto& [key, value] : kept_.pairs) {
      std::string pair;
      {
        const Put put(pair, key);
        pair += value;
      }
      if (auto problem = shard.restore_checkpoint(pair)) return *problem;
    }
    return shard.restored({1'700'000'001'000.0, 1}).value_or("");
  }

  Kept kept_;
  std::uint64_t walk_ = 0;
  std::size_t count_ = 0;
};

TEST(RecordHeads, OfAnyTypeAreReadAsTheyWereWritten) {
  for (const std::uint8_t type : {1, 127, 128, 200, 253}) {
    for (const std::uint64_t parts : {0, 1, 1000}) {
      std::string bytes;
      add_value(bytes, RecordHead{.type = type, .last_position = 5, .last_commit = 6, .walk = 7, .parts = parts});
      if (parts == 0) bytes += "state";
      RecordHead head;
      std::string_view state;
      ASSERT_TRUE(read_value(bytes, head, state));
      EXPECT_EQ(head.type, type);
      EXPECT_EQ(head.last_position, 5u);
      EXPECT_EQ(head.last_commit, 6u);
      EXPECT_EQ(head.parts, parts);
      EXPECT_EQ(state, parts == 0 ? "state" : "");
    }
  }
}

TEST_F(DamagedParts, AreRefusedWithTheReason) {
  EXPECT_EQ(problem(), "");
  const Kept whole = kept_;
  const std::string of_all = " of " + std::to_string(count_);
  kept_.pairs.erase(key(0));
  EXPECT_EQ(problem(), "the checkpoint is damaged: record set lacks part 1" + of_all);
  kept_ = whole;
  kept_.pairs.erase(key(3));
  EXPECT_EQ(problem(), "the checkpoint is damaged: record set lacks part 4" + of_all);
  kept_ = whole;
  kept_.pairs.erase(key(count_ - 1));
  EXPECT_EQ(problem(), "the checkpoint is damaged: record set lacks part " + std::to_string(count_) + of_all);
  kept_ = whole;
  kept_.pairs[key(count_)] = "x";
  EXPECT_EQ(problem(), "the checkpoint is damaged: record set has more parts than its " + std::to_string(count_));
  kept_ = whole;
  kept_.pairs[key(1)] += "x";
  EXPECT_EQ(problem(), "the checkpoint is damaged: record set is no Set");
  kept_ = whole;
  kept_.pairs[key_of(KeyKind::kPart, "set")] = "x";
  EXPECT_EQ(problem(), "the checkpoint is damaged: a part of no record");
  kept_ = whole;
  kept_.pairs[key_of(PartKey{"set", walk_ + 5, 0})] = "of a walk that was cut off";
  kept_.pairs[key_of(PartKey{"other", walk_ + 6, 0})] = "of a record that is not there";
  EXPECT_EQ(problem(), "");
}

TEST_F(DamagedParts, NeverCrashAShard) {
  const Kept whole = kept_;
  for (const auto& [key, value] : whole.pairs) {
    for (std::size_t at = 0; at < value.size(); ++at) {
      kept_.pairs[key][at] = static_cast<char>(value[at] ^ 0x81);
      problem();
      kept_.pairs[key] = value.substr(0, at);
      problem();
      kept_.pairs[key] = value;
    }
  }
}

TEST_F(DamagedParts, EarlierFormatsAreReadAndALaterOneIsRefused) {
  std::erase_if(kept_.pairs, [](const auto& pair) { return pair.first.front() != static_cast<char>(KeyKind::kHeader); });
  std::string& header = kept_.pairs.begin()->second;
  header[0] = kCheckpointFormat + 1;
  EXPECT_EQ(problem(), "the checkpoint was written by another version (format 11)");
  header[0] = 7;
  EXPECT_EQ(problem(), "");
  header.resize(header.size() - sizeof(std::uint64_t));  // promises were added in format 7
  for (const char format : {3, 4, 5, 6}) {
    header[0] = format;
    EXPECT_EQ(problem(), "") << "format " << int{format};
  }
  header.resize(header.size() - sizeof(std::uint64_t));  // the shard's own time was added in format 3
  for (const char format : {1, 2}) {
    header[0] = format;
    EXPECT_EQ(problem(), "") << "format " << int{format};
  }
}

}  // namespace
}  // namespace claret::testing
