// Execute and commit of every operation of every type, on a small state and a large one.
//
// Commits change members that exist already, so that the state keeps its size. For an operation that removes a member, the commit that adds
// it back follows, and the time is that of both.
#include <benchmark/benchmark.h>

#include "adt/registry.h"
#include "benches.h"
#include "samples.h"

namespace claret::bench {

namespace {

constexpr std::uint64_t kSmall = 16;
constexpr std::uint64_t kLarge = 10'000;
constexpr std::uint64_t kCalls = 1'024;

std::vector<Call> calls_of(const OperationSpec& operation, std::uint64_t members) {
  std::vector<Call> calls;
  for (std::uint64_t i = 0; i < kCalls; ++i) calls.push_back(sample_call(operation, i * 7'919 % members));
  return calls;
}

std::size_t bytes_of(const DataType& type, const State& state) {
  std::string bytes;
  type.encode(state, bytes);
  return bytes.size();
}

bool shrinks(const DataType& type, const OperationSpec& operation) {
  const auto state = filled(type, kSmall);
  const std::size_t before = bytes_of(type, *state);
  return run(type, *state, sample_call(operation, 1)) && bytes_of(type, *state) + 4 < before;
}

void execute(benchmark::State& bench, const DataType& type, const OperationSpec& operation, std::uint64_t members) {
  const auto state = filled(type, members);
  const std::vector<Call> calls = calls_of(operation, members);
  const Context context{1};
  std::size_t next = 0;
  for (auto _ : bench) {
    Outcome outcome = type.execute(*state, calls[next++ % kCalls], {}, context);
    benchmark::DoNotOptimize(outcome);
  }
}

void commit(benchmark::State& bench, const DataType& type, const OperationSpec& operation, std::uint64_t members) {
  const auto state = filled(type, members);
  const std::vector<Call> calls = calls_of(operation, members);
  const OperationSpec* refill = shrinks(type, operation) ? growing_operation(type) : nullptr;
  const std::vector<Call> refills = refill == nullptr ? std::vector<Call>{} : calls_of(*refill, members);
  const Context context{1};
  const Outcome outcome = type.execute(*state, calls[0], {}, context);
  if (outcome.refused()) {
    bench.SkipWithError("refused on this state");
    return;
  }
  std::size_t next = 0;
  for (auto _ : bench) {
    type.commit(*state, calls[next % kCalls], outcome.result());
    if (refill != nullptr) type.commit(*state, refills[next % kCalls], {});
    ++next;
  }
}

}  // namespace

void register_types() {
  for (const DataType* type : all_types()) {
    for (const OperationSpec& operation : type->operations()) {
      for (const std::uint64_t members : {kSmall, kLarge}) {
        const std::string name = std::string(type->name()) + '.' + std::string(operation.name) + '/' + std::to_string(members);
        const OperationSpec* spec = &operation;
        benchmark::RegisterBenchmark(("execute/" + name).c_str(), [=](benchmark::State& bench) { execute(bench, *type, *spec, members); });
        if (operation.operation_class == OperationClass::kObserve) continue;
        benchmark::RegisterBenchmark(("commit/" + name).c_str(), [=](benchmark::State& bench) { commit(bench, *type, *spec, members); });
      }
    }
  }
}

}  // namespace claret::bench
