// Natives in the frames that a shard reports to its watchers.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shard/test_client.h"
#include "telemetry/test_frames.h"

namespace claret::testing {
namespace {

TEST(NativesInFrames, AreReportedWithTheLabelOfTheHolderThatTheyBreak) {
  Watched world;
  TestClient holder(world, 1), client(world, 2);
  holder.step({.attempt = 1, .begin_with_priority = 10, .label = "View", .operations = {set_size("s")}});
  client.send_natives({set_add("s", "x")});
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.conflicts.size(), 1u);
  EXPECT_EQ(frame.conflicts[0].holder_label, "View");
  EXPECT_EQ(frame.conflicts[0].comer_label, "(native)");
  EXPECT_EQ(name(frame.conflicts[0].holder), "Set.size");
  EXPECT_EQ(name(frame.conflicts[0].comer), "Set.add");
  EXPECT_EQ(frame.conflicts[0].outcome, "broke");
  ASSERT_EQ(frame.hot_records.size(), 1u);
  EXPECT_EQ(frame.hot_records[0].natives, 1u);
  EXPECT_EQ(frame.hot_records[0].native_breaks, 1u);
  EXPECT_EQ(frame.hot_records[0].native_waits, 0u);
  EXPECT_NE(to_json(frame).find(R"("outcome":"broke")"), std::string::npos);
  EXPECT_EQ(world.frame().hot_records[0].native_breaks, 0u) << "since the last frame";
}

TEST(NativesInFrames, AreAmongTheWaitersAndKeepNewcomersOutUnderTheirOwnLabel) {
  Watched world({}, 2);
  TestClient holder(world, 1), client(world, 2), reader(world, 3);
  const std::string key = key_on(0, "s");
  const Timestamp voted_at =
      holder.step({.attempt = 1, .begin_with_priority = 10, .label = "View", .operations = {set_size(key)}, .prepare = kBoth}).voted_at;
  client.send_natives({set_add(key, "x"), set_add(key, "y")});
  world.ms += 7;
  reader.step({.attempt = 1, .begin_with_priority = 20, .label = "Late", .operations = {set_size(key)}});
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.conflicts.size(), 2u) << "the second native waits behind the first one of its session";
  EXPECT_EQ(frame.conflicts[0].holder_label, "View");
  EXPECT_EQ(frame.conflicts[0].comer_label, "(native)");
  EXPECT_EQ(frame.conflicts[0].outcome, "waited");
  EXPECT_EQ(frame.conflicts[1].holder_label, "(native)");
  EXPECT_EQ(frame.conflicts[1].comer_label, "Late");
  EXPECT_EQ(name(frame.conflicts[1].holder), "Set.add");
  ASSERT_EQ(frame.waiters.size(), 3u);
  const ShownWaiter& native = frame.waiters[0];
  EXPECT_EQ(native.label, "(native)");
  EXPECT_EQ(native.cause, "native_wait");
  EXPECT_EQ(native.waited_ms, 7);
  ASSERT_EQ(native.blockers.size(), 1u);
  EXPECT_EQ(native.blockers[0].label, "View");
  EXPECT_TRUE(native.blockers[0].holds);
  ASSERT_EQ(frame.waiters[1].blockers.size(), 1u);
  EXPECT_EQ(frame.waiters[1].blockers[0].label, "View");
  EXPECT_NE(frame.waiters[1].transaction, native.transaction);
  ASSERT_EQ(frame.waiters[2].blockers.size(), 1u);
  EXPECT_EQ(frame.waiters[2].blockers[0].label, "(native)");
  EXPECT_EQ(frame.waiters[2].blockers[0].transaction, native.transaction);
  EXPECT_EQ(frame.hot_records[0].native_waits, 1u);
  world.ms += 5;
  holder.commit_outcome(1, voted_at).send();
  const TelemetryFrame next = world.frame();
  EXPECT_TRUE(next.waiters.empty());
  EXPECT_EQ(next.totals.waits.at("native_wait").count, 2u);
  EXPECT_EQ(next.totals.waits.at("native_wait").total_ms, 24);
  EXPECT_EQ(next.hot_records[0].natives, 2u);
}

}  // namespace
}  // namespace claret::testing
