// The cost of watching a shard: the same transactions with and without a frame taken as JSON every kTransactionsPerFrame of them, which is
// about ten frames a second at the rate of one core.
#include <benchmark/benchmark.h>

#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "adt/registry.h"
#include "benches.h"
#include "samples.h"
#include "shard/shard.h"
#include "wire/value_codec.h"

namespace claret::bench {

namespace {

constexpr std::uint32_t kPeer = 1;
constexpr std::uint64_t kKeys = 10'000;
constexpr std::uint64_t kTransactionsPerFrame = 20'000;
constexpr std::uint64_t kRounds = 2'000;  // of frames written in advance
constexpr std::uint64_t kPerRound = 16;

// Writes frames as a client does.
class Writer {
 public:
  std::string hello() {
    std::string frame;
    protozero::pbf_writer writer = begin_frame(frame);
    protozero::pbf_writer hello(writer, 3);
    hello.add_uint32(1, limits::kProtocol);
    hello.commit();
    return frame;
  }

  // One-shot transactions of four operations on records that hardly ever conflict.
  std::string spread() {
    std::string frame;
    protozero::pbf_writer writer = begin_frame(frame);
    for (std::uint64_t n = 0; n < kPerRound; ++n) {
      protozero::pbf_writer request = begin_attempt(writer, "Spread");
      for (std::uint64_t i = 0; i < 4; ++i) {
        const std::uint64_t key = (attempt_ * 4 + i) * 7'919 % kKeys;
        add_operation(request, member(key), "Counter", i % 2 == 0 ? "add" : "value", i);
      }
      request.add_message(5, std::string());
    }
    return frame;
  }

  // One transaction holds a record and a round of others waits for it; in the next frame it commits, and so do the others.
  std::vector<std::string> storm() {
    std::string first, second;
    protozero::pbf_writer writer = begin_frame(first);
    {
      protozero::pbf_writer request = begin_attempt(writer, "Bid");
      add_operation(request, "hot", "Set", "add", attempt_ % kKeys);
    }
    const std::uint64_t holder = attempt_;
    for (std::uint64_t n = 1; n < kPerRound; ++n) {
      protozero::pbf_writer request = begin_attempt(writer, "View");
      add_operation(request, "hot", "Set", "size", 0);
      request.add_message(5, std::string());
    }
    protozero::pbf_writer next = begin_frame(second);
    protozero::pbf_writer request(next, 9);
    request.add_uint64(1, holder);
    request.add_uint32(3, 1);
    request.add_message(5, std::string());
    request.commit();
    return {first, second};
  }

 private:
  protozero::pbf_writer begin_frame(std::string& frame) {
    protozero::pbf_writer writer(frame);
    writer.add_uint64(1, ++sequence_);
    if (sequence_ > 1) writer.add_uint64(4, 1);
    if (attempt_ > 100) writer.add_uint64(8, attempt_ - 100);
    return writer;
  }

  protozero::pbf_writer begin_attempt(protozero::pbf_writer& writer, const char* label) {
    protozero::pbf_writer request(writer, 9);
    request.add_uint64(1, ++attempt_);
    protozero::pbf_writer begin(request, 2);
    std::string id(kIdBytes, '\0');
    for (int byte = 0; byte < 8; ++byte) id[byte] = static_cast<char>(attempt_ >> 8 * byte);
    begin.add_bytes(1, id);
    begin.add_string(2, label);
    begin.add_uint64(3, attempt_);
    begin.commit();
    return request;
  }

  static void add_operation(protozero::pbf_writer& request, const std::string& key, const char* type_name, const char* operation_name,
                            std::uint64_t number) {
    const DataType& type = *find_type(std::string_view(type_name));
    const OperationSpec& spec = *type.find(std::string_view(operation_name));
    protozero::pbf_writer operation(request, 4);
    operation.add_string(1, key);
    operation.add_uint32(2, type.id() * 256u + spec.id);
    for (const Value& argument : sample_call(spec, number).arguments) add_value(operation, 3, argument);
  }

  std::uint64_t sequence_ = 0;
  std::uint64_t attempt_ = 0;
};

// Each iteration runs all frames through a fresh shard.
void run_watched(benchmark::State& bench, bool storm, bool watched) {
  Writer writer;
  const std::string hello = writer.hello();
  std::vector<std::string> frames;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    if (storm) {
      for (std::string& frame : writer.storm()) frames.push_back(std::move(frame));
    } else {
      frames.push_back(writer.spread());
    }
  }
  std::uint64_t transactions = 0;
  std::uint64_t bytes_told = 0;
  for (auto _ : bench) {
    Shard shard(ShardOptions{});
    std::string output;
    double ms = 1'000;
    shard.connect(kPeer, {ms, ms});
    shard.observe(watched, {ms, ms});
    std::uint64_t told = 0;
    const auto turn = [&](const std::string& frame) {
      ms += 0.05;
      shard.begin({ms, ms});
      shard.take(kPeer, frame);
      shard.finish();
      while (shard.drain(kPeer, output)) benchmark::DoNotOptimize(output.data());
      if (watched && shard.counters().totals.commits - told >= kTransactionsPerFrame) {
        told = shard.counters().totals.commits;
        bytes_told = to_json(shard.take_telemetry({ms, ms})).size();
      }
    };
    turn(hello);
    for (const std::string& frame : frames) turn(frame);
    if (shard.counters().totals.commits != kRounds * kPerRound) bench.SkipWithError("not all were committed");
    transactions += shard.counters().totals.commits;
  }
  bench.counters["per_transaction"] =
      benchmark::Counter(static_cast<double>(transactions), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  if (watched) bench.counters["bytes_told"] = static_cast<double>(bytes_told);
}

}  // namespace

void register_telemetry() {
  for (const bool storm : {false, true}) {
    for (const bool watched : {false, true}) {
      const std::string name = std::string("telemetry/") + (storm ? "storm" : "spread") + (watched ? "/watched" : "/alone");
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& bench) {
        run_watched(bench, storm, watched);
      })->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace claret::bench
