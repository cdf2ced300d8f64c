// Bytes, not times: the cost of an empty record, and of each member. Every allocation counts with the size that the allocator really used
// (allocations.h).
#include <benchmark/benchmark.h>

#include "adt/registry.h"
#include "allocations.h"
#include "benches.h"
#include "gate/records.h"
#include "samples.h"

namespace claret::bench {

namespace {

constexpr std::uint64_t kRecords = 100'000;

void empty_record(benchmark::State& bench, const DataType& type) {
  std::vector<std::string> keys;
  for (std::uint64_t i = 0; i < kRecords; ++i) keys.push_back("item:" + member(i));  // 14 bytes, a typical length of keys
  for (auto _ : bench) {
    const std::size_t before = allocated_bytes();
    Records records;
    for (const std::string& key : keys) records.find_or_create(key, type);
    bench.counters["bytes/record"] = static_cast<double>(allocated_bytes() - before) / kRecords;
  }
}

void members(benchmark::State& bench, const DataType& type, std::uint64_t count) {
  for (auto _ : bench) {
    const std::size_t before = allocated_bytes();
    const auto state = filled(type, count);
    bench.counters["bytes/member"] = static_cast<double>(allocated_bytes() - before) / static_cast<double>(count);
  }
}

}  // namespace

void register_memory() {
  for (const DataType* type : all_types()) {
    const std::string name(type->name());
    benchmark::RegisterBenchmark(("memory, empty record/" + name).c_str(), [=](benchmark::State& bench) {
      empty_record(bench, *type);
    })->Iterations(1);
    if (growing_operation(*type) == nullptr) continue;
    for (const std::uint64_t count : {1'000, 100'000}) {
      benchmark::RegisterBenchmark(("memory, members/" + name + '/' + std::to_string(count)).c_str(), [=](benchmark::State& bench) {
        members(bench, *type, count);
      })->Iterations(1);
    }
  }
}

}  // namespace claret::bench
