// Pairs of a checkpoint (checkpoint.h) are read as they were written, in the order of their keys.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "wire/checkpoint.h"

namespace claret {
namespace {

TEST(Pairs, ArePutAndRemovedInOneStream) {
  std::string pairs;
  {
    const Put put(pairs, key_of(KeyKind::kRecord, "a"));
    pairs += "value";
  }
  add_remove(pairs, key_of(KeyKind::kVote), key_of(KeyKind::kVote, 12));
  std::string_view rest = pairs;
  Pair pair;
  ASSERT_TRUE(take_pair(rest, pair));
  EXPECT_EQ(pair.kind, PairKind::kPut);
  EXPECT_EQ(pair.key, key_of(KeyKind::kRecord, "a"));
  EXPECT_EQ(pair.value, "value");
  ASSERT_TRUE(take_pair(rest, pair));
  EXPECT_EQ(pair.kind, PairKind::kRemove);
  EXPECT_TRUE(rest.empty());
  for (std::size_t bytes = 1; bytes < pairs.size(); ++bytes) {
    std::string_view cut = std::string_view(pairs).substr(0, bytes);
    while (!cut.empty() && take_pair(cut, pair)) {
    }
  }
}

TEST(Pairs, AreOrderedByTheNumbersInTheirKeys) {
  std::string before = key_of(KeyKind::kVote, 0, 0);
  for (const std::uint64_t number : {1ull, 255ull, 256ull, 65'536ull, 1ull << 40, ~0ull}) {
    const std::string key = key_of(KeyKind::kVote, number, 7);
    EXPECT_LT(before, key);
    EXPECT_EQ(first_number(key), number);
    before = key;
  }
}

TEST(Pairs, KeysOfPartsHaveRecordWalkAndNumberForAnyRecordName) {
  for (const std::string& name : {std::string("plain"), std::string("with\0nul", 8), std::string("\x01\xFF\0\x01", 4)}) {
    const std::string key = key_of(PartKey{name, 3, 9});
    PartKey part;
    ASSERT_TRUE(read_key(key, part));
    EXPECT_EQ(part.record_key, name);
    EXPECT_EQ(part.walk, 3u);
    EXPECT_EQ(part.number, 9u);
  }
}

TEST(Pairs, CarryHeadersHeadsCommitsAndOutcomes) {
  std::string bytes;
  add_value(bytes,
            CheckpointHeader{.shard = 1, .shards = 4, .incarnation = 9, .position = 77, .highest = 512, .time_ms = 1'700'000'000'000});
  CheckpointHeader header;
  ASSERT_TRUE(read_value(bytes, header));
  EXPECT_EQ(header.format, kCheckpointFormat);
  EXPECT_EQ(header.position, 77u);
  EXPECT_EQ(header.highest, Timestamp{512});

  bytes.clear();
  add_value(bytes, RecordHead{.type = 5, .last_position = 70, .last_commit = 400});
  bytes += "state";
  RecordHead head;
  std::string_view state;
  ASSERT_TRUE(read_value(bytes, head, state));
  EXPECT_EQ(head.type, 5);
  EXPECT_EQ(head.last_commit, Timestamp{400});
  EXPECT_EQ(state, "state");

  bytes.clear();
  add_value(bytes, RecordHead{.type = 5, .last_position = 70, .last_commit = 400, .walk = 2, .parts = 3});
  ASSERT_TRUE(read_value(bytes, head, state));
  EXPECT_EQ(head.walk, 2u);
  EXPECT_EQ(head.parts, 3u);

  bytes.clear();
  add_value(bytes, UnforgottenCommit{.committed_at = 300, .expires_wall_ms = 99, .participants = {2, 7}});
  UnforgottenCommit commit;
  ASSERT_TRUE(read_value(bytes, commit));
  EXPECT_EQ(commit.committed_at, Timestamp{300});
  EXPECT_EQ(commit.participants, (ShardList{2, 7}));

  bytes.clear();
  KeptOutcome first{.committed_at = 0, .until_wall_ms = 5}, second{.committed_at = 8, .until_wall_ms = 6};
  first.id.fill(1);
  second.id.fill(2);
  add_value(bytes, first);
  add_value(bytes, second);
  std::string_view rest = bytes;
  KeptOutcome outcome;
  ASSERT_TRUE(take_value(rest, outcome));
  EXPECT_EQ(outcome.id, first.id);
  ASSERT_TRUE(take_value(rest, outcome));
  EXPECT_EQ(outcome.committed_at, Timestamp{8});
  EXPECT_TRUE(rest.empty());
}

}  // namespace
}  // namespace claret
