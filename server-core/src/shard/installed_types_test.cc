// Data types that are installed while the shard runs: through its log and checkpoints, beside running attempts, and in their later versions.
#include <gtest/gtest.h>

#include "composed/test_definitions.h"
#include "composed/test_polls.h"
#include "shard/test_disk.h"

namespace claret::testing {
namespace {

using composed::InstalledType;
using composed::kSeatMap;
using composed::kTally;

struct Installed {
  Installed() : world(1, logged_options()), disks(world, logged_options()) {
    world.tick(0);
    disks.sync_all();
    world.after_input = [this] { disks.sync_all(); };
  }
  Shard& shard() { return *world.shards[0]; }
  std::optional<std::string> change(InstalledType type) {
    auto problem = shard().change_type(std::move(type), world.now());
    world.tick(1);
    return problem;
  }
  Reply run(Op operation) {
    ++peers;
    TestClient client(world, peers, 0, peers);
    return client.run(1, {std::move(operation)});
  }
  Value result(Op operation) {
    const Reply reply = run(std::move(operation));
    EXPECT_EQ(reply.error, "");
    return reply.results.empty() ? Value("nothing") : reply.results.front();
  }

  World world;
  Disks disks;
  std::uint32_t peers = 0;
};

const Op kOpen{"hall", "SeatMap.open", {Value("stalls"), Value(std::int64_t{2})}};
const Op kLeft{"hall", "SeatMap.left", {Value("stalls")}};

std::string later_tally(std::string_view goal = "is at the goal") {
  std::string text(kTally);
  text.replace(text.find(R"("version":1)"), 11, R"("version":2)");
  text.replace(text.find("is at the goal"), 14, goal);
  return text;
}

TEST(InstalledTypes, AreUnknownBefore) {
  Installed one;
  EXPECT_EQ(one.run(kOpen).error, errors::kUnknownType);
  EXPECT_EQ(one.change({128, false, std::string(kSeatMap)}), std::nullopt);
  EXPECT_TRUE(one.shard().types_changed());
  EXPECT_EQ(one.run(kOpen).error, "");
  EXPECT_EQ(one.result(kLeft), Value(std::int64_t{2}));
}

TEST(InstalledTypes, AreRestoredFromTheLogWithTheirRecords) {
  Installed one;
  one.change({128, false, std::string(kSeatMap)});
  one.run(kOpen);
  one.disks.crash(0, 0);
  EXPECT_EQ(one.result(kLeft), Value(std::int64_t{2}));
  EXPECT_EQ(one.shard().types().installed(), (std::vector<InstalledType>{{128, false, std::string(kSeatMap)}}));
}

TEST(InstalledTypes, AreRestoredFromACheckpoint) {
  Installed one;
  one.change({128, false, std::string(kSeatMap)});
  one.change({129, false, std::string(kTally)});
  one.change({129, true, std::string(kTally)});
  one.run(kOpen);
  while (!one.disks.checkpoint(0, kEverything)) {
  }
  one.run(kOpen);
  one.disks.crash(0, 0);
  EXPECT_EQ(one.result(kLeft), Value(std::int64_t{4}));
  EXPECT_EQ(one.shard().types().installed(),
            (std::vector<InstalledType>{{128, false, std::string(kSeatMap)}, {129, true, std::string(kTally)}}));
}

TEST(InstalledTypes, ThatCannotBeSayWhy) {
  Installed one;
  EXPECT_NE(one.change({127, false, std::string(kSeatMap)}), std::nullopt);
  EXPECT_NE(one.change({128, false, "{}"}), std::nullopt);
  EXPECT_EQ(one.change({128, false, std::string(kSeatMap)}), std::nullopt);
  EXPECT_NE(one.change({128, false, std::string(kTally)}), std::nullopt) << "the id of another type";
  EXPECT_NE(one.change({129, false, std::string(kSeatMap)}), std::nullopt) << "another id of the type";
}

TEST(InstalledTypes, RefuseOperationsOnceRetiredAndCanComeBack) {
  Installed one;
  one.change({128, false, std::string(kSeatMap)});
  one.run(kOpen);
  one.change({128, true, std::string(kSeatMap)});
  EXPECT_EQ(one.run(kLeft).error, errors::kTypeRetired);
  one.disks.crash(0, 0);
  EXPECT_EQ(one.run(kLeft).error, errors::kTypeRetired);
  one.change({128, false, std::string(kSeatMap)});
  EXPECT_EQ(one.result(kLeft), Value(std::int64_t{2}));
}

TEST(InstalledTypes, OfARetiredTypeCanBeDeleted) {
  Installed one;
  one.change({128, false, std::string(kSeatMap)});
  one.run(kOpen);
  one.change({128, true, std::string(kSeatMap)});
  EXPECT_EQ(one.result({"hall", "Record.delete", {}}), Value(true));
  EXPECT_EQ(one.run({"hall", "Counter.add", {Value(std::int64_t{1})}}).error, "");
}

TEST(InstalledTypes, AnotherVersionTakesEffectBetweenTransactions) {
  Installed one;
  one.change({128, false, std::string(kTally)});
  one.run({"votes", "Tally.add", {Value(std::int64_t{5})}});
  TestClient running(one.world, 100, 0, 100);
  running.step({.attempt = 1, .begin_with_priority = 10, .operations = {{"votes", "Tally.add", {Value(std::int64_t{1})}}}});
  EXPECT_EQ(one.change({128, false, later_tally()}), std::nullopt);
  EXPECT_TRUE(one.shard().types_changed());
  running.read();
  ASSERT_FALSE(running.replies.empty());
  EXPECT_EQ(running.replies.back().error, errors::kConditionChanged);
  EXPECT_EQ(one.result({"votes", "Tally.reached", {Value(std::int64_t{5})}}), Value(true));
  one.disks.crash(0, 0);
  EXPECT_EQ(one.shard().types().installed(), (std::vector<InstalledType>{{128, false, later_tally()}}));
  EXPECT_EQ(one.result({"votes", "Tally.reached", {Value(std::int64_t{5})}}), Value(true));
}

TEST(InstalledTypes, AnEarlierVersionDoesNotComeBack) {
  Installed one;
  one.change({128, false, std::string(kTally)});
  one.change({128, false, later_tally()});
  EXPECT_NE(one.change({128, false, std::string(kTally)}), std::nullopt);
  EXPECT_NE(one.change({128, false, later_tally("is there")}), std::nullopt) << "the same version with other words";
}

Op vote(std::string who, std::int64_t votes) { return {"poll", "Poll.vote", {Value(std::move(who)), Value(votes)}}; }
const Op kSum{"poll", "Poll.sum", {}};

TEST(InstalledTypes, RecordsAreMigratedAlsoAfterARestartAndFromACheckpoint) {
  for (const bool checkpoint : {false, true}) {
    for (const bool touched : {false, true}) {
      Installed one;
      one.change({128, false, composed::poll_1()});
      one.run(vote("ann", 10));
      EXPECT_EQ(one.change({128, false, composed::poll_2()}), std::nullopt);
      if (touched) one.run(vote("bob", 1));
      while (checkpoint && !one.disks.checkpoint(0, kEverything)) {
      }
      if (touched) one.run(vote("bob", 1));
      one.disks.crash(0, 0);
      EXPECT_EQ(one.result(kSum), Value(std::int64_t{touched ? 12 : 10}));
      EXPECT_EQ(one.change({128, false, composed::poll_4()}), std::nullopt);
      EXPECT_EQ(one.result(kSum), Value(std::int64_t{touched ? 24 : 20}));
      one.disks.crash(0, 0);
      EXPECT_EQ(one.result(kSum), Value(std::int64_t{touched ? 24 : 20}));
    }
  }
}

// The header comes last, so what an interrupted checkpoint has put is newer than the types of the header that is there.
TEST(InstalledTypes, ReadRecordsOfACheckpointThatWasCutOff) {
  constexpr int kPolls = 10;
  const auto at = [](int poll, Op op) {
    op.key += std::to_string(poll);
    return op;
  };
  for (const bool was_there : {false, true}) {
    Installed one;
    if (was_there) one.change({128, false, composed::poll_1()});
    one.run(add("counter"));
    while (!one.disks.checkpoint(0, kEverything)) {
    }
    if (!was_there) one.change({128, false, composed::poll_1()});
    for (int poll = 0; poll < kPolls; ++poll) one.run(at(poll, vote("ann", 10)));
    one.change({128, false, composed::poll_2()});
    for (int poll = 0; poll < kPolls; ++poll) one.run(at(poll, vote("bob", 1)));
    for (int piece = 0; piece < kPolls / 2; ++piece) EXPECT_FALSE(one.disks.checkpoint(0, 1));
    one.disks.crash(0, 0);
    for (int poll = 0; poll < kPolls; ++poll) {
      EXPECT_EQ(one.result(at(poll, kSum)), Value(std::int64_t{11}));
      EXPECT_EQ(one.result(at(poll, {"poll", "Poll.votes", {Value("bob")}})), Value(std::int64_t{1}));
    }
  }
}

TEST(InstalledTypes, ThePastEndsWhereRecordsAreMigrated) {
  ShardOptions options;
  options.engine.past = {.keep_ms = 5000, .bytes_max = 1U << 20U};
  World world(1, options);
  TestClient client(world, 1);
  const auto change = [&](std::string definition) {
    return world.shards[0]->change_type({128, false, std::move(definition)}, world.now());
  };
  const auto votes_at = [&](Timestamp at) {
    const std::uint64_t number = client.send_natives({{.key = "poll", .name = "Poll.votes", .arguments = {Value("ann")}, .at = at}});
    client.read();
    return client.natives[number];
  };
  EXPECT_EQ(change(composed::poll_1()), std::nullopt);
  const Timestamp first = client.run(1, {vote("ann", 10)}).committed_at;
  client.run(2, {vote("ann", 1)});
  EXPECT_EQ(votes_at(first).result, Value(std::int64_t{10}));
  EXPECT_EQ(change(composed::poll_2()), std::nullopt);
  EXPECT_EQ(votes_at(first).error, errors::kHistoryGone);
  const Timestamp third = client.run(3, {vote("ann", 5)}).committed_at;
  client.run(4, {vote("ann", 1)});
  EXPECT_EQ(votes_at(third).result, Value(std::int64_t{16}));
}

}  // namespace
}  // namespace claret::testing
