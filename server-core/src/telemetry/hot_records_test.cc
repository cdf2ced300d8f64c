#include "telemetry/hot_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "adt/registry.h"
#include "gate/records.h"
#include "shard/dice.h"
#include "telemetry/observer.h"

namespace claret {
namespace {

using testing::Dice;

const DataType& counter() { return *find_type("Counter"); }

TEST(HotRecords, AFloodOfAMillionKeysNeitherHidesHotRecordsNorGrowsAnything) {
  const Counters counters;
  Records records;
  Observer observer(counters, 0);
  HotRecords& hot_records = observer.hot_records();
  records.watch(&observer);
  Dice dice(7);
  std::vector<Record*> hot;
  for (int i = 0; i < 10; ++i) {
    hot.push_back(&records.find_or_create("hot" + std::to_string(i), counter()));
    hot.back()->last_commit = 1;  // keeps the record from vanishing
  }
  for (int i = 0; i < 1'000'000; ++i) {
    Record& passing = records.find_or_create("k" + std::to_string(i), counter());
    hot_records.operation(passing);
    records.tidy(passing);
    if (i % 10 == 0) hot_records.operation(*hot[dice.below(hot.size())]);
  }
  EXPECT_EQ(records.size(), hot.size());
  EXPECT_LE(hot_records.tracked(), telemetry::kHotRecordsTracked);
  std::vector<Record*> hottest;
  for (const HotRecord* one : hot_records.hottest(hot.size())) hottest.push_back(one->record);
  std::sort(hottest.begin(), hottest.end());
  std::sort(hot.begin(), hot.end());
  EXPECT_EQ(hottest, hot);
}

TEST(HotRecords, FiguresOfATrackedRecordAreExactSinceTrackingBegan) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    struct Truth {
      std::uint64_t operations = 0, conflicts = 0, waits = 0;
      double wait_ms = 0;
      std::uint32_t tenancy = 0;
    };
    std::vector<std::unique_ptr<Record>> records;
    for (int i = 0; i < 1'000; ++i) records.push_back(std::make_unique<Record>());
    HotRecords hot_records;
    std::map<const Record*, Truth> truths;
    Dice dice(seed);
    for (int i = 0; i < 30'000; ++i) {
      Record& record = *records[dice.below(1 + dice.below(records.size()))];  // lower indexes are hotter
      const HotRecord* before = hot_records.find(record);
      const std::uint32_t tenancy = before == nullptr ? 0 : before->tenancy;
      const std::uint64_t what = dice.below(20);
      const double ms = static_cast<double>(dice.below(9));
      if (what == 0) {
        hot_records.conflict(record);
      } else if (what == 1) {
        hot_records.waited(record, ms);
      } else {
        hot_records.operation(record);
      }
      const HotRecord* hot = hot_records.find(record);
      if (hot == nullptr) continue;
      Truth& truth = truths[&record];
      if (before == nullptr || truth.tenancy != tenancy) truth = {.tenancy = hot->tenancy};
      if (what == 0) ++truth.conflicts;
      if (what == 1) ++truth.waits, truth.wait_ms += ms;
      if (what > 1) ++truth.operations;
    }
    const auto hottest = hot_records.hottest(telemetry::kHotRecordsTracked);
    EXPECT_EQ(hottest.size(), telemetry::kHotRecordsTracked);
    for (const HotRecord* hot : hottest) {
      const Truth& truth = truths[hot->record];
      EXPECT_EQ(hot->operations, truth.operations);
      EXPECT_EQ(hot->conflicts, truth.conflicts);
      EXPECT_EQ(hot->waits, truth.waits);
      EXPECT_EQ(hot->wait_ms, truth.wait_ms);
      EXPECT_GE(hot_records.heat(*hot),
                static_cast<double>(truth.operations) + telemetry::kConflictHeat * static_cast<double>(truth.conflicts))
          << "heat may be inherited, never lost";
    }
  }
}

TEST(HotRecords, ARecordLeavesOnceItHasCooledDown) {
  HotRecords hot_records;
  Record record;
  for (int i = 0; i < 1'000'000; ++i) hot_records.operation(record);
  ASSERT_NE(hot_records.find(record), nullptr);
  for (double ms = 0; ms < telemetry::kHeatHalfLifeMs * 15; ms += 200) hot_records.next_frame(200);
  EXPECT_NE(hot_records.find(record), nullptr);
  for (double ms = 0; ms < telemetry::kHeatHalfLifeMs * 10; ms += 200) hot_records.next_frame(200);
  EXPECT_EQ(hot_records.find(record), nullptr);
  EXPECT_EQ(record.hot, 0);
  EXPECT_EQ(hot_records.tracked(), 0u);
}

TEST(HotRecords, RecordsForgetTheirPlacesWhenTheWatchEnds) {
  std::vector<std::unique_ptr<Record>> records;
  for (int i = 0; i < 400; ++i) records.push_back(std::make_unique<Record>());
  {
    HotRecords hot_records;
    for (const auto& record : records) hot_records.conflict(*record);
    EXPECT_EQ(hot_records.tracked(), telemetry::kHotRecordsTracked);
    EXPECT_EQ(std::count_if(records.begin(), records.end(), [](const auto& one) { return one->hot != 0; }),
              static_cast<std::ptrdiff_t>(telemetry::kHotRecordsTracked));
  }
  for (const auto& record : records) EXPECT_EQ(record->hot, 0);
}

}  // namespace
}  // namespace claret
