// The frames that a shard reports to its watchers, compared with what its clients see.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "shard/dice.h"
#include "shard/test_client.h"
#include "telemetry/observer.h"
#include "telemetry/test_frames.h"

namespace claret::testing {
namespace {

TEST(Frames, NothingIsKeptWhileNobodyWatches) {
  World world;
  Shard& shard = *world.shards[0];
  TestClient one(world, 1), other(world, 2);
  const auto conflict = [&](std::uint64_t attempt) {
    one.step({.attempt = attempt, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
    other.step({.attempt = attempt, .begin_with_priority = 20, .operations = {set_size("s")}});
  };
  const auto end = [&](std::uint64_t attempt) {
    one.abort_outcome(attempt).send();
    other.abort_outcome(attempt).send();
  };
  conflict(1);
  EXPECT_FALSE(shard.observed());
  EXPECT_EQ(shard.engine().ground.records.find("s")->hot, 0);
  end(1);
  shard.observe(true, world.now());
  conflict(2);
  EXPECT_NE(shard.engine().ground.records.find("s")->hot, 0);
  shard.observe(false, world.now());
  EXPECT_EQ(shard.engine().ground.records.find("s")->hot, 0);
  end(2);  // begun while the shard was watched
  shard.observe(true, world.now());
  const TelemetryFrame frame = shard.take_telemetry(world.now());
  EXPECT_EQ(frame.number, 1u);
  EXPECT_TRUE(frame.conflicts.empty() && frame.hot_records.empty() && frame.samples.empty() && frame.totals.aborts.empty());
}

TEST(Frames, TheFirstCoversTheTimeSinceTheWatchBegan) {
  World world;
  Shard& shard = *world.shards[0];
  world.tick(1);
  world.ms += 60'000;  // without any input
  shard.observe(true, world.now());
  world.ms += 200;
  EXPECT_EQ(shard.take_telemetry(world.now()).elapsed_ms, 200);
}

TEST(Frames, ConflictsAreReportedByLabelsAndOperations) {
  Watched world;
  TestClient one(world, 1), other(world, 2);
  one.step({.attempt = 1, .begin_with_priority = 10, .label = "Bid", .operations = {set_add("s", "x")}});
  for (std::uint64_t i = 1; i <= 3; ++i) other.ask(i, {set_size("s")}, 20, "View");
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.conflicts.size(), 1u);
  EXPECT_EQ(frame.conflicts[0].holder_label, "Bid");
  EXPECT_EQ(frame.conflicts[0].comer_label, "View");
  EXPECT_EQ(name(frame.conflicts[0].holder), "Set.add");
  EXPECT_EQ(name(frame.conflicts[0].comer), "Set.size");
  EXPECT_EQ(frame.conflicts[0].count, 3u);
  EXPECT_TRUE(world.frame().conflicts.empty());
}

TEST(Frames, WaitersAreReportedWithTheirBlockersLongestWaitFirst) {
  Watched world;
  TestClient one(world, 1), two(world, 2), three(world, 3);
  one.step({.attempt = 1, .begin_with_priority = 10, .label = "Bid", .operations = {set_add("s", "x")}});
  two.step({.attempt = 1, .begin_with_priority = 11, .label = "Sell", .operations = {set_add("s", "y")}});
  three.step({.attempt = 1, .begin_with_priority = 20, .label = "View", .operations = {set_size("s")}});
  world.ms += 7;
  one.step({.attempt = 2, .begin_with_priority = 30, .label = "Late", .operations = {set_size("s")}});
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.waiters.size(), 2u);
  const ShownWaiter& waiter = frame.waiters[0];
  EXPECT_EQ(waiter.label, "View");
  EXPECT_EQ(waiter.key, "s");
  EXPECT_EQ(name(waiter.operation), "Set.size");
  EXPECT_EQ(waiter.cause, "lock_wait");
  EXPECT_EQ(waiter.waited_ms, 7);
  ASSERT_EQ(waiter.blockers.size(), 2u);
  EXPECT_EQ(waiter.blockers[0].label, "Bid");
  EXPECT_EQ(waiter.blockers[1].label, "Sell");
  EXPECT_TRUE(waiter.blockers[0].holds);
  EXPECT_FALSE(waiter.more_blockers);
  EXPECT_EQ(frame.waiters[1].label, "Late");
  ASSERT_EQ(frame.hot_records.size(), 1u);
  EXPECT_EQ(frame.hot_records[0].waiting, 2u);
  ASSERT_EQ(frame.hot_records[0].modes.size(), 2u);
  EXPECT_EQ(frame.hot_records[0].modes[0].holders + frame.hot_records[0].modes[1].holders, 2u);
  EXPECT_EQ(frame.hot_records[0].modes[0].waiting + frame.hot_records[0].modes[1].waiting, 2u);
}

TEST(Frames, PhasesAreReportedWithTheirLengthAndWhetherTheCapHeldTransactionsBack) {
  ShardOptions options;
  options.engine.patience.phase_cap_ms = 2;
  options.engine.patience.wound_delay_ms = options.engine.patience.wound_grace_ms = 1000;
  Watched world(options);
  TestClient one(world, 1), two(world, 2), three(world, 3);
  one.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
  two.step({.attempt = 1, .begin_with_priority = 20, .operations = {set_size("s")}});  // waits: from now on s is tracked
  EXPECT_EQ(world.frame().hot_records.size(), 1u);
  one.step({.attempt = 1, .sent_before = 1, .operations = {set_add("s", "y")}});
  world.ms += 3;
  three.step({.attempt = 1, .begin_with_priority = 30, .operations = {set_add("s", "z")}});  // the cap has passed
  world.ms += 1;
  one.step({.attempt = 1, .sent_before = 2, .prepare = std::vector<std::uint32_t>{}});  // then the reader's turn comes
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.hot_records.size(), 1u);
  ASSERT_EQ(frame.hot_records[0].phases.size(), 1u);
  const ShownPhase& phase = frame.hot_records[0].phases[0];
  EXPECT_EQ(phase.length_ms, 4);
  EXPECT_EQ(phase.began_ago_ms, 4);
  EXPECT_TRUE(phase.capped);
  EXPECT_EQ(phase.let_in, 1u) << "since the record has been tracked";
  ASSERT_TRUE(frame.hot_records[0].phase.has_value());
  EXPECT_NE(frame.hot_records[0].phase->mode, phase.mode);
  EXPECT_EQ(frame.hot_records[0].phase->let_in, 1u);
  EXPECT_EQ(frame.totals.waits.at("lock_wait").count, 1u);
  world.ms += 5;
  two.step({.attempt = 1, .sent_before = 1, .prepare = std::vector<std::uint32_t>{}});
  const TelemetryFrame next = world.frame();
  ASSERT_EQ(next.hot_records[0].phases.size(), 1u);
  EXPECT_EQ(next.hot_records[0].phases[0].length_ms, 5);
  EXPECT_FALSE(next.hot_records[0].phases[0].capped);
  EXPECT_EQ(next.totals.waits.at("phase_wait").count, 1u);
}

TEST(Frames, ASampledTransactionIsReportedInSlices) {
  Watched world;
  TestClient one(world, 1), two(world, 2);
  one.step({.attempt = 1, .begin_with_priority = 10, .label = "Bid", .operations = {set_add("s", "x")}});
  two.step({.attempt = 1, .begin_with_priority = 20, .label = "View", .operations = {{"c", "Counter.value", {}}}});
  world.ms += 1;
  two.step({.attempt = 1, .sent_before = 1, .operations = {set_size("s")}});
  world.ms += 2;
  one.step({.attempt = 1, .sent_before = 1, .prepare = std::vector<std::uint32_t>{}});
  world.ms += 4;
  two.step({.attempt = 1, .sent_before = 2, .prepare = std::vector<std::uint32_t>{}});
  const TelemetryFrame frame = world.frame();
  EXPECT_EQ(frame.commits_sampled_one_in, 1u);
  ASSERT_EQ(frame.samples.size(), 2u);
  const Sample& sample = frame.samples[1];
  EXPECT_EQ(sample.label, "View");
  EXPECT_TRUE(sample.committed && sample.traced);
  EXPECT_EQ(sample.ended_ms - sample.began_ms, 7);
  ASSERT_EQ(sample.requests.size(), 2u);
  EXPECT_EQ(sample.requests[0].operations[0].course, Course::kGranted);
  EXPECT_EQ(sample.requests[0].operations[0].beside, 0u);
  const OperationSlice& waited = sample.requests[1].operations[0];
  EXPECT_EQ(sample.requests[1].at_ms - sample.began_ms, 1);
  EXPECT_EQ(waited.course, Course::kWaited);
  EXPECT_EQ(waited.waited_ms, 2);
  EXPECT_EQ(waited.blocker_label, "Bid");
  EXPECT_EQ(name(waited.blocker), "Set.add");
}

TEST(Frames, ARetryBelongsToTheTransactionOfTheFailedAttempt) {
  Watched world;
  TestClient one(world, 1), two(world, 2);
  one.step({.attempt = 1, .begin_with_priority = 10, .label = "Bid", .operations = {set_add("s", "x")}});
  two.step({.attempt = 1, .begin_with_priority = 20, .label = "Bid", .operations = {set_add("s", "y")}});
  one.abort_outcome(1).send();
  two.abort_outcome(1).send();
  world.ms += 1;
  one.step({.attempt = 2, .begin_with_priority = 10, .label = "Bid", .operations = {set_add("s", "x")}});
  one.step({.attempt = 2, .sent_before = 1, .prepare = std::vector<std::uint32_t>{}});
  const TelemetryFrame frame = world.frame();
  ASSERT_EQ(frame.samples.size(), 3u);
  EXPECT_FALSE(frame.samples[0].committed);
  EXPECT_TRUE(frame.samples[2].committed);
  EXPECT_EQ(frame.samples[0].transaction, frame.samples[2].transaction);
  EXPECT_NE(frame.samples[0].transaction, frame.samples[1].transaction);
}

TEST(Frames, EveryAbortIsReportedWithItsCauseUpToALimit) {
  Watched world;
  std::vector<std::unique_ptr<TestClient>> clients;
  TestClient holder(world, 1000);
  holder.step({.attempt = 1, .begin_with_priority = 10, .label = "Bid", .operations = {set_add("s", "x")}});
  for (std::uint32_t i = 0; i < 100; ++i) {
    clients.push_back(std::make_unique<TestClient>(world, i + 1));
    clients.back()->step({.attempt = 1, .begin_with_priority = 20, .label = "View", .operations = {set_size("s")}});
  }
  world.ms += 3;
  for (auto& client : clients) client->hang_up();
  const TelemetryFrame frame = world.frame();
  EXPECT_EQ(frame.totals.aborts.at("session_lost"), 100u);
  ASSERT_EQ(frame.samples.size(), telemetry::kAbortsShown);
  EXPECT_EQ(frame.aborts_left_out, 100 - telemetry::kAbortsShown);
  for (const Sample& sample : frame.samples) {
    EXPECT_FALSE(sample.committed);
    EXPECT_EQ(sample.code, "session_lost");
    ASSERT_EQ(sample.requests.size(), 1u);
    EXPECT_EQ(sample.requests[0].operations[0].course, Course::kWaiting);
    EXPECT_EQ(sample.requests[0].operations[0].waited_ms, 3);
    EXPECT_EQ(sample.requests[0].operations[0].blocker_label, "Bid");
  }
}

TEST(Frames, FloodsOfKeysLabelsAndCommitsDoNotMakeAFrameTooLong) {
  Watched world;
  TestClient client(world, 1), other(world, 2);
  std::size_t bytes_max = 0;
  for (std::uint64_t i = 1; i <= 6'000; ++i) {
    const std::string key = std::to_string(i) + std::string(500, 'k');
    client.step({.attempt = i, .begin_with_priority = 2 * i, .label = "L" + std::to_string(i), .operations = {set_add(key, "x")}});
    other.run(i, {set_remove(key, "x")}, 2 * i + 1, "M" + std::to_string(i));
    client.step({.attempt = i, .sent_before = 1, .prepare = std::vector<std::uint32_t>{}});
    if (i % 3'000 != 0) continue;
    const TelemetryFrame frame = world.frame();
    EXPECT_LE(frame.conflicts.size(), telemetry::kConflictPairsShown);
    std::uint64_t told = frame.conflicts_left_out;
    for (const ShownConflict& one : frame.conflicts) told += one.count;
    EXPECT_EQ(told, 3'000u) << "conflicts left out are counted";
    EXPECT_EQ(frame.hot_records.size(), telemetry::kHotRecordsShown);
    EXPECT_LE(frame.records_tracked, telemetry::kHotRecordsTracked);
    for (const ShownRecord& record : frame.hot_records) EXPECT_LE(record.key.size(), telemetry::kShownKeyBytesMax);
    EXPECT_EQ(frame.samples.size(), telemetry::kCommitsShown);
    bytes_max = std::max(bytes_max, to_json(frame).size());
  }
  EXPECT_LT(bytes_max, 64u * 1024);
  EXPECT_LE(world.shards[0]->counters().conflicts.rows().size(), telemetry::kConflictPairsMax);
}

TEST(Frames, ShownKeysAreCutBetweenCharactersAndStayDistinct) {
  const std::string common(telemetry::kShownKeyBytesMax, 'k');
  EXPECT_EQ(shown_key(common), common);
  EXPECT_NE(shown_key(common + "a"), shown_key(common + "b"));
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string key(shift, 'a');
    while (key.size() < 300) key += "\xF0\x9F\x94\xA5";
    const std::string shown = shown_key(key);
    EXPECT_LE(shown.size(), telemetry::kShownKeyBytesMax);
    EXPECT_EQ(shown.find("…") % 4, shift);
  }
}

TEST(LatencyHistogram, ADurationLiesWithinTheBoundsOfItsBucket) {
  using H = LatencyHistogram;
  Dice dice(3);
  for (int i = 0; i < 100'000; ++i) {
    const double ms = static_cast<double>(dice.below(1'000'000)) / static_cast<double>(1 + dice.below(1'000'000));
    const std::size_t bucket = H::bucket_of(ms);
    ASSERT_LT(bucket, H::kBuckets);
    ASSERT_TRUE(bucket == 0 || ms >= H::bound_ms(bucket - 1)) << ms;
    ASSERT_TRUE(bucket + 1 == H::kBuckets || ms < H::bound_ms(bucket)) << ms;
  }
  EXPECT_EQ(H::bucket_of(0), 0u);
  EXPECT_EQ(H::bucket_of(-1), 0u);
  EXPECT_EQ(H::bucket_of(1e300), H::kBuckets - 1);
}

TEST(Frames, CommitLatenciesAreAlwaysCountedAndReportedSinceTheLastFrame) {
  World world;
  Shard& shard = *world.shards[0];
  TestClient one(world, 1);
  const auto commit_after = [&](std::uint64_t attempt, double ms) {
    one.step({.attempt = attempt, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
    world.ms += ms;
    one.step({.attempt = attempt, .sent_before = 1, .prepare = std::vector<std::uint32_t>{}});
  };
  commit_after(1, 3);
  const LatencyHistogram& all = shard.counters().totals.latencies;
  EXPECT_EQ(all.counts()[LatencyHistogram::bucket_of(3)], 1u) << "while the shard is not watched";
  shard.observe(true, world.now());
  commit_after(2, 3);
  commit_after(3, 40);
  const LatencyHistogram told = shard.take_telemetry(world.now()).totals.latencies;
  EXPECT_EQ(told.counts()[LatencyHistogram::bucket_of(3)], 1u);
  EXPECT_EQ(told.counts()[LatencyHistogram::bucket_of(40)], 1u);
  EXPECT_DOUBLE_EQ(told.total_ms(), 43);
  EXPECT_EQ(all.counts()[LatencyHistogram::bucket_of(3)], 2u);
  EXPECT_DOUBLE_EQ(all.total_ms(), 46);
}

TEST(Frames, LatencyCountsFromTheBeginThatTheClientReports) {
  World world;
  Shard& shard = *world.shards[0];
  TestClient one(world, 1);
  one.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}, .age_us = 250'000});
  world.ms += 3;
  one.step({.attempt = 1, .sent_before = 1, .prepare = std::vector<std::uint32_t>{}});
  EXPECT_EQ(shard.counters().totals.latencies.counts()[LatencyHistogram::bucket_of(253)], 1u);
  EXPECT_DOUBLE_EQ(shard.counters().totals.latencies.total_ms(), 253);
}

TEST(Frames, ACommitReportsTheTimeSpentBeforeItsAttempt) {
  World world;
  Shard& shard = *world.shards[0];
  TestClient one(world, 1);
  const auto commit = [&](std::uint64_t attempt, std::uint32_t scale) {
    one.step({.attempt = attempt,
              .begin_with_priority = 10,
              .operations = {set_add("s", "x")},
              .age_us = 9'000 * scale,
              .thrown_away_us = 5'000 * scale,
              .backing_off_us = 2'500 * scale,
              .queued_us = 1'000 * scale});
    one.step({.attempt = attempt, .sent_before = 1, .prepare = std::vector<std::uint32_t>{}});
  };
  commit(1, 1);
  shard.observe(true, world.now());
  commit(2, 2);
  // The cost of a thrown-away attempt is reported by its transaction's next attempt.
  one.step({.attempt = 3, .begin_with_priority = 11, .operations = {set_add("s", "y")}, .age_us = 700, .thrown_away_us = 600});
  const Totals told = shard.take_telemetry(world.now()).totals;
  EXPECT_DOUBLE_EQ(told.before.thrown_away_ms, 10);
  EXPECT_DOUBLE_EQ(told.before.backing_off_ms, 5);
  EXPECT_DOUBLE_EQ(told.before.queued_ms, 2);
  EXPECT_DOUBLE_EQ(shard.counters().totals.before.thrown_away_ms, 15);
}

// The answers that the clients of a random storm received.
struct Seen {
  std::uint64_t commits = 0, begun = 0, operations = 0;
  std::map<std::string, std::uint64_t> aborts;
};

struct Told {
  Totals totals;
  std::uint64_t commits_timed = 0, conflicts = 0, hot_operations = 0, hot_conflicts = 0, hot_waits = 0;
  void add(const TelemetryFrame& frame) {
    totals.commits += frame.totals.commits;
    totals.begun += frame.totals.begun;
    totals.operations += frame.totals.operations;
    for (const auto& [code, count] : frame.totals.aborts) totals.aborts[code] += count;
    for (const auto& [cause, wait] : frame.totals.waits) {
      totals.waits["all"].count += wait.count;
    }
    for (const std::uint64_t count : frame.totals.latencies.counts()) commits_timed += count;
    conflicts += frame.conflicts_left_out;
    for (const ShownConflict& one : frame.conflicts) conflicts += one.count;
    for (const ShownRecord& one : frame.hot_records) {
      hot_operations += one.operations;
      hot_conflicts += one.conflicts;
      hot_waits += one.waits;
    }
  }
};

TEST(Frames, AddUpToTheAnswersOfTheClientsInARandomStorm) {
  constexpr std::uint32_t kClients = 10;
  std::uint64_t aborts_of_all = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    ShardOptions options;
    options.engine.patience.phase_cap_ms = 1;
    Watched world(options);
    Shard& shard = *world.shards[0];
    // A record that vanishes with its last abort would take its figures with it.
    TestClient founder(world, 1000);
    for (int i = 0; i < 3; ++i) founder.run(1 + i, {set_add("s" + std::to_string(i), "first")});
    world.frame();
    std::vector<std::unique_ptr<TestClient>> clients;
    std::vector<std::uint64_t> attempts(kClients, 0);
    std::vector<std::uint32_t> sent(kClients, 0);
    std::vector<std::size_t> answered(kClients, 0);  // requests in flight, by client
    Seen seen;
    Told told;
    for (std::uint32_t i = 0; i < kClients; ++i) clients.push_back(std::make_unique<TestClient>(world, i + 1));
    const auto take_in = [&] {
      for (std::uint32_t i = 0; i < kClients; ++i) {
        clients[i]->read();
        for (const Reply& reply : clients[i]->replies) {
          if (reply.committed_at != 0) ++seen.commits;
          if (!reply.error.empty()) ++seen.aborts[reply.error];
          if (!reply.error.empty()) sent[i] = 0;
          answered[i] = 0;
        }
        clients[i]->replies.clear();
      }
    };
    for (int turn = 0; turn < 1500; ++turn) {
      const auto i = static_cast<std::uint32_t>(dice.below(kClients));
      if (answered[i] == 0) {
        TestClient::Step step{.attempt = attempts[i], .label = "L" + std::to_string(dice.below(3)), .sent_before = sent[i]};
        if (sent[i] == 0) {
          step.attempt = ++attempts[i];
          step.begin_with_priority = 1 + dice.below(1000);
          ++seen.begun;
        }
        const std::string key = "s" + std::to_string(dice.below(3));
        step.operations = {dice.below(2) == 0 ? set_add(key, "m" + std::to_string(dice.below(3))) : set_size(key)};
        const bool ends = dice.below(3) == 0;
        if (ends) step.prepare = std::vector<std::uint32_t>{};
        sent[i] = ends ? 0 : sent[i] + 1;
        answered[i] = 1;
        seen.operations += 1;
        clients[i]->add(step).send();
      }
      take_in();
      if (dice.below(4) == 0) world.tick(static_cast<double>(dice.below(4)));
      take_in();
      if (dice.below(100) == 0) {
        const TelemetryFrame frame = world.frame();
        EXPECT_EQ(frame.waiting, shard.engine().ground.wounds.waiting().size());
        EXPECT_EQ(frame.waiters.size(), frame.waiting);
        for (const ShownWaiter& waiter : frame.waiters) EXPECT_FALSE(waiter.blockers.empty());
        for (std::size_t n = 1; n < frame.waiters.size(); ++n) {
          EXPECT_GE(frame.waiters[n - 1].waited_ms, frame.waiters[n].waited_ms);
        }
        for (const ShownRecord& record : frame.hot_records) {
          for (const ShownPhase& phase : record.phases) {
            EXPECT_GE(phase.length_ms, 0);
            EXPECT_GE(phase.began_ago_ms, phase.length_ms);
            EXPECT_GT(phase.let_in, 0u);
          }
        }
        told.add(frame);
      }
    }
    told.add(world.frame());
    EXPECT_EQ(told.totals.commits, seen.commits);
    EXPECT_EQ(told.commits_timed, seen.commits);
    EXPECT_EQ(told.totals.begun, seen.begun);
    EXPECT_LE(told.totals.operations, seen.operations) << "requests of clients that died waiting are not tried";
    std::uint64_t aborts = 0, errors = 0;
    for (const auto& [code, count] : told.totals.aborts) aborts += count;
    for (const auto& [code, count] : seen.aborts) errors += count;
    EXPECT_EQ(aborts, errors);
    aborts_of_all += aborts;
    std::uint64_t conflicts = 0;
    for (const auto& row : shard.counters().conflicts.rows()) conflicts += row.count;
    EXPECT_GT(conflicts, 0u);
    EXPECT_EQ(told.conflicts, conflicts);
    EXPECT_EQ(told.hot_conflicts, conflicts) << "few records: all are tracked from their first conflict on";
    EXPECT_EQ(told.hot_waits, told.totals.waits["all"].count);
    EXPECT_LE(told.hot_operations, told.totals.operations);
  }
  EXPECT_GT(aborts_of_all, 0u);
}

}  // namespace
}  // namespace claret::testing
