// Warranties in the frames that a shard reports to its watchers.
#include <gtest/gtest.h>

#include <string>

#include "telemetry/test_frames.h"
#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

class WarrantiesInFrames : public ::testing::Test {
 protected:
  WarrantiesInFrames() { shard().observe(true, shard_.world.now()); }

  Shard& shard() { return *shard_.world.shards[0]; }
  TelemetryFrame frame() { return shard().take_telemetry(shard_.world.now()); }
  // A record is only tracked once something has waited there, or it is used often.
  void heat_up(const std::string& key) {
    TestClient holder = shard_.client(), other = shard_.client();
    holder.ask(1, {set_size(key)}, 50);
    other.run(1, {set_add(key, "x")});
    holder.step({.attempt = 1, .sent_before = 1, .prepare = std::vector<std::uint32_t>{}});
  }

  WarrantingShard shard_;
  TestClient holder_ = shard_.client();
  TestClient other_ = shard_.client();
};

TEST_F(WarrantiesInFrames, ShowWhatStandsOnAHotRecord) {
  heat_up("s");
  frame();
  ASSERT_NE(granted(holder_, 1, set_size("s")), 0u);
  ASSERT_NE(granted(other_, 1, set_size("s")), 0u);
  shard_.world.tick(30);
  const TelemetryFrame seen = frame();
  ASSERT_EQ(seen.hot_records.size(), 1u);
  ASSERT_EQ(seen.hot_records[0].warranties.size(), 1u);
  const ShownWarranty& warranty = seen.hot_records[0].warranties[0];
  EXPECT_EQ(name(warranty.operation), "Set.size");
  EXPECT_EQ(warranty.holders, 2u);
  EXPECT_EQ(warranty.length_ms, 30);
  EXPECT_EQ(warranty.recalled_ms, 0);
  EXPECT_FALSE(warranty.ended);
  EXPECT_EQ(seen.totals.warranties, 1u);
  EXPECT_EQ(seen.totals.grants, 2u);
  EXPECT_EQ(seen.grants_standing, 2u);
  EXPECT_NE(to_json(seen).find(R"("warranties":[{"operation":"Set.size","holders":2,)"), std::string::npos);
}

TEST_F(WarrantiesInFrames, ShowHowLongAChangeWaitedForTheEndOfOne) {
  heat_up("s");
  ASSERT_NE(granted(holder_, 1, set_size("s")), 0u);
  shard_.world.tick(20);
  frame();
  other_.run(1, {set_add("s", "a")});
  shard_.world.tick(5);
  EXPECT_EQ(frame().hot_records[0].warranties.at(0).recalled_ms, 5);
  holder_.give_back(1, 7).send();
  shard_.world.tick(10);
  const TelemetryFrame seen = frame();
  ASSERT_EQ(seen.hot_records[0].warranties.size(), 1u);
  const ShownWarranty& warranty = seen.hot_records[0].warranties[0];
  EXPECT_TRUE(warranty.ended);
  EXPECT_FALSE(warranty.lapsed);
  EXPECT_EQ(warranty.began_ago_ms, 35);
  EXPECT_EQ(warranty.length_ms, 25);
  EXPECT_EQ(warranty.recalled_ms, 5);
  EXPECT_EQ(warranty.holders, 0u);
  EXPECT_EQ(seen.totals.grants_returned, 1u);
  EXPECT_EQ(seen.totals.waits.at("warranty_wait").count, 1u);
  EXPECT_TRUE(frame().hot_records[0].warranties.empty()) << "it is told once";
}

TEST_F(WarrantiesInFrames, CountThoseThatFindNoRoom) {
  heat_up("s");
  frame();
  for (std::size_t i = 0; i < telemetry::kWarrantyEventsMax + 3; ++i) {
    const std::uint64_t grant = granted(holder_, i + 1, set_size("s"));
    ASSERT_NE(grant, 0u);
    holder_.give_back(grant).send();
  }
  const TelemetryFrame seen = frame();
  EXPECT_EQ(seen.hot_records[0].warranties.size(), telemetry::kWarrantyEventsMax);
  EXPECT_EQ(seen.warranties_left_out, 3u);
}

TEST_F(WarrantiesInFrames, NameTheSessionForWhichAChangeWaits) {
  ASSERT_NE(granted(holder_, 1, set_size("s")), 0u);
  shard_.world.tick(40);
  other_.run(1, {set_add("s", "a")});
  shard_.world.tick(7);
  TelemetryFrame seen = frame();
  ASSERT_EQ(seen.waiters.size(), 1u);
  EXPECT_EQ(seen.waiters[0].cause, "warranty_wait");
  EXPECT_TRUE(seen.waiters[0].blockers.empty());
  ASSERT_TRUE(seen.waiters[0].warranty.has_value());
  EXPECT_EQ(name(seen.waiters[0].warranty->operation), "Set.size");
  ASSERT_EQ(seen.waiters[0].warranty->holders.size(), 1u);
  EXPECT_EQ(seen.waiters[0].warranty->holders[0].session, "test");
  EXPECT_EQ(seen.waiters[0].warranty->holders[0].silent_ms, 47);
  holder_.hang_up();
  seen = frame();
  EXPECT_TRUE(seen.waiters.at(0).warranty->holders.at(0).lost);
  EXPECT_EQ(seen.waiters[0].warranty->holders[0].session, "test") << "though it is gone";
  EXPECT_NE(to_json(seen).find(R"("warranty":{"operation":"Set.size","holders":[{"session":"test","lost":true,)"), std::string::npos);
}

TEST_F(WarrantiesInFrames, ShowNativesThatWaitForOne) {
  ASSERT_NE(granted(holder_, 1, set_size("s")), 0u);
  TestClient client(shard_.world, 50);
  client.send_natives({set_add("s", "a")});
  shard_.world.tick(3);
  const TelemetryFrame seen = frame();
  ASSERT_EQ(seen.waiters.size(), 1u);
  EXPECT_EQ(seen.waiters[0].label, "(native)");
  EXPECT_EQ(seen.waiters[0].cause, "warranty_wait");
  ASSERT_TRUE(seen.waiters[0].warranty.has_value());
  EXPECT_EQ(seen.waiters[0].warranty->holders.size(), 1u);
  holder_.give_back(1).send();
  shard_.world.tick(1);
  EXPECT_EQ(frame().totals.waits.at("native_wait").count, 1u) << "its time is no transaction's";
}

TEST_F(WarrantiesInFrames, TellAnswersAndCommitsThatNeededNoMessage) {
  ASSERT_NE(granted(holder_, 1, set_size("s")), 0u);
  frame();
  holder_.used(holder_.warranties.standing.now, 9, 4).send();
  const TelemetryFrame seen = frame();
  EXPECT_EQ(seen.totals.warranted_answers, 9u);
  EXPECT_EQ(seen.totals.warranted_commits, 4u);
}

}  // namespace
}  // namespace claret::testing
