// Warranties and the log: nothing is granted before the promise is durable, and a start keeps what an earlier one has promised.
#include <gtest/gtest.h>

#include "gate/obstacles.h"
#include "transaction/test_moves.h"
#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

constexpr Conditions kGranting{.warranties = WarrantyPolicy::kAuto};

// A shard with a log whose writes become durable when the test says so.
struct Logged {
  Logged() : world(1, logged_options()), disks(world, logged_options()) {
    world.shards[0]->set_conditions(kGranting, world.now());
    world.tick(0);
    disks.sync_all();
  }
  TestClient client() { return {world, ++peers, TestClient::Numbered{.warranties = true}}; }
  void crash() {
    disks.crash(0, 0);
    world.shards[0]->set_conditions(kGranting, world.now());
    disks.sync_all();
  }
  // The entries that promise something.
  std::vector<std::uint64_t> promises() {
    std::vector<std::uint64_t> found;
    for (const std::string& log : disks.entries(0)) {
      std::vector<std::string_view> bytes;
      LogEntry entry;
      EXPECT_TRUE(split_log(log, bytes) && decode(bytes.at(0), entry));
      if (entry.kind == LogEntryKind::kPromised) found.push_back(entry.promised_ms);
    }
    return found;
  }

  World world;
  Disks disks;
  std::uint32_t peers = 0;
};

// A grant of the counter, after the promise has become durable.
std::uint64_t grant(Logged& logged, TestClient& client, std::uint64_t attempt) {
  granted(client, attempt, value("c"));
  logged.disks.sync_all();
  const std::uint64_t found = granted(client, attempt + 1, value("c"));
  logged.disks.sync_all();
  client.read();
  return found != 0 || client.warranties.granted.empty() ? found : client.warranties.granted.back().grant;
}

TEST(WarrantiesInTheLog, AreGrantedOnceThePromiseIsDurable) {
  Logged logged;
  TestClient client = logged.client();
  EXPECT_EQ(granted(client, 1, value("c")), 0u);
  EXPECT_EQ(granted(client, 2, value("c")), 0u);
  EXPECT_EQ(logged.promises(), std::vector<std::uint64_t>{1000}) << "it is logged once";
  logged.disks.sync_all();
  EXPECT_EQ(granted(client, 3, value("c")), 0u) << "the ceiling above its uses is not durable";
  logged.disks.sync_all();
  client.read();
  EXPECT_EQ(client.warranties.granted.size(), 1u);
}

TEST(WarrantiesInTheLog, AreToldOnceTheCeilingAboveTheShardsOwnPromiseIsDurable) {
  Logged logged;
  TestClient client = logged.client();
  ASSERT_NE(grant(logged, client, 1), 0u);
  const std::size_t before = client.warranties.granted.size();
  const Timestamp until = client.warranties.standing.until;
  logged.world.tick(1500);
  granted(client, 3, value("d"));
  EXPECT_EQ(client.warranties.granted.size(), before);
  logged.disks.sync_all();
  client.read();
  EXPECT_EQ(client.warranties.granted.size(), before + 1);
  EXPECT_GT(client.warranties.standing.until, until);
}

TEST(WarrantiesInTheLog, EndThePromiseOnceTheyAreSwitchedOffAndReturned) {
  Logged logged;
  TestClient client = logged.client();
  const std::uint64_t number = grant(logged, client, 1);
  ASSERT_NE(number, 0u);
  logged.world.shards[0]->set_conditions({.warranties = WarrantyPolicy::kOff}, logged.world.now());
  EXPECT_EQ(logged.promises(), std::vector<std::uint64_t>{1000}) << "a grant stands";
  client.give_back(number).send();
  logged.world.tick(0);
  EXPECT_EQ(logged.promises(), (std::vector<std::uint64_t>{1000, 0}));
  logged.disks.sync_all();
  logged.disks.crash(0, 0);
  logged.disks.sync_all();
  TestClient writer = logged.client();
  writer.run(1, {add("c")});
  logged.disks.sync_all();
  writer.read();
  EXPECT_EQ(writer.replies.size(), 1u) << "nothing keeps it waiting";
}

TEST(WarrantiesInTheLog, EndThePromiseOfAnEarlierStartAfterItsQuarantineIfTheyAreOff) {
  Logged logged;
  TestClient client = logged.client();
  ASSERT_NE(grant(logged, client, 1), 0u);
  logged.disks.crash(0, 0);
  logged.disks.sync_all();
  logged.world.tick(1005);
  EXPECT_EQ(logged.promises(), std::vector<std::uint64_t>{1000});
  logged.world.tick(10);
  EXPECT_EQ(logged.promises(), (std::vector<std::uint64_t>{1000, 0}));
}

TEST(WarrantiesInTheLog, KeepChangesWaitingAfterACrash) {
  Logged logged;
  TestClient client = logged.client();
  ASSERT_NE(grant(logged, client, 1), 0u);
  const Timestamp until = client.warranties.standing.until;
  logged.crash();
  TestClient other = logged.client();
  EXPECT_EQ(granted(other, 1, value("c")), 0u);
  logged.disks.sync_all();
  other.read();
  ASSERT_EQ(other.replies.size(), 1u) << "reads go on";
  EXPECT_TRUE(other.warranties.granted.empty());
  other.run(2, {add("c")});
  for (int i = 0; i < 50; ++i) logged.world.tick(10.09);
  const std::uint64_t native = other.send_natives({add("d")});
  for (int i = 0; i < 50; ++i) logged.world.tick(10.09);
  logged.disks.sync_all();
  other.read();
  EXPECT_TRUE(other.replies.empty());
  EXPECT_FALSE(other.natives.contains(native));
  logged.world.tick(2);
  logged.disks.sync_all();
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_GT(other.replies[0].committed_at, until) << "above what the earlier start has promised";
  EXPECT_NE(other.natives[native].at, 0u);
}

TEST(WarrantiesInTheLog, AreSaidToStandToWhoHoldsSomethingAndWaitsAfterACrash) {
  Logged logged;
  TestClient client = logged.client();
  ASSERT_NE(grant(logged, client, 1), 0u);
  logged.crash();
  TestClient other = logged.client();
  other.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("c")}});
  for (int i = 0; i < 5; ++i) logged.world.tick(10);
  logged.disks.sync_all();
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].error, errors::kDenied);
  EXPECT_EQ(other.replies[0].message, kQuarantined);
}

TEST(WarrantiesInTheLog, KeepChangesWaitingAfterACrashBehindACheckpoint) {
  Logged logged;
  TestClient client = logged.client();
  ASSERT_NE(grant(logged, client, 1), 0u);
  while (!logged.disks.checkpoint(0, kEverything)) {
  }
  logged.disks.sync_all();
  logged.crash();
  TestClient other = logged.client();
  other.run(1, {add("c")});
  logged.disks.sync_all();
  other.read();
  EXPECT_TRUE(other.replies.empty());
}

TEST(WarrantiesInTheLog, LetAStartThatHasPromisedNothingGoOnAtOnce) {
  Logged logged;
  logged.crash();
  TestClient other = logged.client();
  other.run(1, {add("c")});
  logged.disks.sync_all();
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_NE(other.replies[0].committed_at, 0u);
}

TEST(WarrantiesInTheLog, NeverCarryTheClockAwayByRestarts) {
  Logged logged;
  TestClient client = logged.client();
  ASSERT_NE(grant(logged, client, 1), 0u);
  for (int start = 1; start <= 30; ++start) {
    logged.crash();
    TestClient other = logged.client();
    other.run(1, {value("c")});
    logged.world.tick(60);
    logged.disks.sync_all();
    other.read();
    ASSERT_EQ(other.replies.size(), 1u);
    EXPECT_LT(HybridClock::wall_ms(other.replies[0].committed_at) - logged.world.now().wall_ms, 5 * kTermMs) << start;
  }
}

// The taker knows nothing of them.
TEST(WarrantiesInTheLog, KeepTheirSlotsAtAShardThatHasStarted) {
  MovingShards two;
  const auto grants = [&] { two.shard(0).set_conditions(kGranting, two.world.now()); };
  grants();
  TestClient client(two.world, ++two.peers, TestClient::Numbered{.warranties = true});
  granted(client, 1, value(in_run("c")));
  ASSERT_NE(granted(client, 2, value(in_run("c"))), 0u);
  two.crash(0);
  grants();
  ASSERT_EQ(two.mover.begin(0, 1, two.run), "");
  two.copy();
  EXPECT_EQ(Mover::code_of(two.shard(0).drain_give(0, two.world.now())), "move_not_ready");
  two.world.tick(1.01 * kTermMs + 1);
  two.give();
  two.mover.run();
  EXPECT_EQ(two.value(1, in_run("c")), 0);
}

TEST(WarrantiesInTheLog, AreNotGrantedWhileTheDiskIsFull) {
  Logged logged;
  TestClient client = logged.client();
  ASSERT_NE(grant(logged, client, 1), 0u);
  const std::size_t before = client.warranties.granted.size();
  logged.world.shards[0]->refuse_changes(LogTrouble::kDiskFull, logged.world.now());
  granted(client, 5, value("d"));
  EXPECT_EQ(client.warranties.granted.size(), before);
}

}  // namespace
}  // namespace claret::testing
