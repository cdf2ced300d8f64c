// For tests of histories: reads all that is stored, and replays what was committed, transaction by transaction.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "transaction/test_actor.h"

namespace claret::testing {

inline constexpr int kKeysOfAType = 4;

// An operation that reads all of a record, and one that commutes with no pending operation on it.
struct Probe {
  const char* stem;
  Op read;
  Op change;
};

inline std::vector<Probe> probes() {
  const Value first(std::int64_t{0}), last(std::int64_t{-1}), ten(std::int64_t{10}), one(std::int64_t{1});
  return {
      {"counter", {"", "Counter.value", {}}, {"", "Counter.add", {one}}},
      {"set", {"", "Set.size", {}}, {"", "Set.add", {Value("probe")}}},
      {"top", {"", "TopK.top", {ten}}, {"", "TopK.add", {Value("probe"), Value(1.0)}}},
      {"dict", {"", "Dict.all", {}}, {"", "Dict.increment", {Value("probe"), one}}},
      {"scored", {"", "ScoredSet.range", {first, last}}, {"", "ScoredSet.add", {Value("probe"), one}}},
      {"bag", {"", "SummaryBag.mean", {}}, {"", "SummaryBag.add", {one}}},
      {"register", {"", "Register.get", {}}, {"", "Register.set", {one}}},
      {"bounded", {"", "BoundedCounter.value", {}}, {"", "BoundedCounter.increment", {one}}},
  };
}

inline std::vector<std::string> probed_keys() {
  std::vector<std::string> keys;
  for (const Probe& probe : probes()) {
    for (int i = 0; i < kKeysOfAType; ++i) keys.push_back(probe.stem + std::to_string(i));
  }
  return keys;
}

class Prober {
 public:
  explicit Prober(World& world) : world_(world) {
    for (std::uint32_t shard = 0; shard < world.shards.size(); ++shard) {
      clients_.push_back(std::make_unique<TestClient>(world, 900'000'000, shard));
    }
  }

  std::vector<Value> reads() {
    std::vector<Value> values;
    each([&](const Probe& probe, const std::string& key) {
      const Reply reply = run({key, probe.read.name, probe.read.arguments});
      values.insert(values.end(), reply.results.begin(), reply.results.end());
      EXPECT_EQ(reply.results.size(), 1u) << key;
    });
    return values;
  }

  // Keys that are still held or waited for.
  std::vector<std::string> busy() {
    std::vector<std::string> keys;
    each([&](const Probe& probe, const std::string& key) {
      if (run({key, probe.change.name, probe.change.arguments}).committed_at == 0) keys.push_back(key);
    });
    return keys;
  }

 private:
  template <typename Each>
  void each(Each one) {
    for (const Probe& probe : probes()) {
      for (int i = 0; i < kKeysOfAType; ++i) one(probe, probe.stem + std::to_string(i));
    }
  }
  Reply run(Op op) {
    TestClient& client = *clients_[world_.owner(op.key)];
    return client.run(++attempt_, {std::move(op)});
  }

  World& world_;
  std::vector<std::unique_ptr<TestClient>> clients_;
  std::uint64_t attempt_ = 0;
};

// Returns the values of all records after the replay.
inline std::vector<Value> replay(std::vector<Committed> history) {
  std::sort(history.begin(), history.end(), [](const Committed& a, const Committed& b) { return a.at < b.at; });
  World world;
  TestClient client(world, 1);
  std::uint64_t attempt = 0;
  for (const Committed& transaction : history) {
    std::vector<Op> operations;
    for (const Done& done : transaction.operations) operations.push_back(done.op);
    const Reply reply = client.run(++attempt, operations);
    EXPECT_EQ(reply.error, "");
    std::size_t next = 0;
    for (const Done& done : transaction.operations) {
      if (!has_result(done.op) || next == reply.results.size()) continue;
      const Value& result = reply.results[next++];
      EXPECT_TRUE(done.result.empty() || done.result.front() == result)
          << done.op.name << " on " << done.op.key << " in the transaction at " << transaction.at;
    }
    if (::testing::Test::HasFailure()) return {};
  }
  return Prober(world).reads();
}

// All records of a shard, as bytes, also those that it has only pieces of.
inline std::string contents(Shard& shard, bool with_timestamps = true) {
  std::string bytes;
  for (const std::string& key : probed_keys()) {
    const Record* record = shard.engine().ground.records.find(key);
    if (record == nullptr || is_vacant(*record)) continue;
    bytes += record->key + ' ';
    if (with_timestamps) bytes += std::to_string(record->last_commit) + ' ';
    record->type->encode(*record->state, bytes);
  }
  return bytes;
}

}  // namespace claret::testing
