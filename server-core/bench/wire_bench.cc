// Frames in and out; one-shot transactions and natives through the wire, gate and types of one shard.
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
constexpr Now kStart{1'700'000'000'000, 1'000};

// How the operations of a frame are sent.
enum class As { kTransactions, kMembers, kNatives };

// Writes a client's frames: transactions of `operations` each, or natives. Half of all operations change a counter.
class Sender {
 public:
  explicit Sender(As as, std::uint64_t operations = 4) : as_(as), operations_(operations) {}

  std::string hello() {
    std::string frame;
    protozero::pbf_writer writer(frame);
    writer.add_uint64(1, ++sequence_);
    protozero::pbf_writer hello(writer, 3);
    hello.add_uint32(1, limits::kProtocol);
    hello.commit();
    return frame;
  }

  // A frame with so many transactions or natives.
  std::string frame(std::uint64_t count) {
    std::string frame;
    protozero::pbf_writer writer(frame);
    writer.add_uint64(1, ++sequence_);
    writer.add_uint64(2, sequence_ - 1);
    writer.add_uint64(4, 1);
    if (as_ == As::kNatives) {
      add_natives(writer, count);
      return frame;
    }
    writer.add_uint64(8, attempt_ + 1);
    if (as_ == As::kMembers) add_word(writer);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (as_ == As::kMembers) {
        protozero::pbf_writer member(writer, 20);
        member.add_uint64(1, 1);
        member.add_uint64(2, attempt_ + 1);
        add_transaction(member, 3);
      } else {
        add_transaction(writer, 9);
      }
    }
    return frame;
  }

 private:
  void add_natives(protozero::pbf_writer& writer, std::uint64_t count) {
    protozero::pbf_writer natives(writer, 17);
    natives.add_uint64(1, attempt_ + 1);
    for (std::uint64_t i = 0; i < count; ++i) add_operation(natives, 2, attempt_++);
  }

  // For the members of the frame before.
  void add_word(protozero::pbf_writer& writer) {
    if (worded_ == attempt_) return;
    std::vector<std::uint64_t> members;
    while (worded_ < attempt_) members.push_back(++worded_);
    protozero::pbf_writer word(writer, 22);
    word.add_uint64(1, 1);
    word.add_packed_uint64(2, members.begin(), members.end());
    word.add_uint64(3, attempt_);
  }

  void add_transaction(protozero::pbf_writer& writer, protozero::pbf_tag_type tag) {
    protozero::pbf_writer request(writer, tag);
    request.add_uint64(1, ++attempt_);
    {
      protozero::pbf_writer begin(request, 2);
      std::string id(kIdBytes, '\0');
      for (int byte = 0; byte < 8; ++byte) id[byte] = static_cast<char>(attempt_ >> 8 * byte);
      begin.add_bytes(1, id);
      begin.add_string(2, "Four");
      begin.add_uint64(3, attempt_);
      begin.add_uint32(6, 10'000);
    }
    for (std::uint64_t i = 0; i < operations_; ++i) add_operation(request, 4, attempt_ * operations_ + i);
    if (as_ == As::kTransactions) request.add_message(5, std::string());  // prepare, for this shard alone
  }

  void add_operation(protozero::pbf_writer& parent, protozero::pbf_tag_type tag, std::uint64_t i) {
    protozero::pbf_writer operation(parent, tag);
    operation.add_string(1, member(i * 7'919 % kKeys));
    const OperationSpec& spec = i % 2 == 0 ? add_ : value_;
    operation.add_uint32(2, counter_.id() * 256u + spec.id);
    for (const Value& argument : sample_call(spec, i).arguments) {
      protozero::pbf_writer value(operation, 3);
      value.add_sint64(1, argument.integer());
    }
  }

  const DataType& counter_ = *find_type("Counter");
  const OperationSpec& add_ = *counter_.find("add");
  const OperationSpec& value_ = *counter_.find("value");
  As as_;
  std::uint64_t operations_;
  std::uint64_t worded_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t attempt_ = 0;
};

void decode_frame(benchmark::State& bench, std::uint64_t transactions) {
  Sender sender(As::kTransactions);
  const std::string bytes = sender.frame(transactions);
  for (auto _ : bench) {
    ClientFrame frame;
    benchmark::DoNotOptimize(decode(bytes, frame));
  }
  bench.counters["bytes"] = static_cast<double>(bytes.size());
}

void encode_replies(benchmark::State& bench, std::uint64_t transactions) {
  const Value first(std::int64_t{41});
  const Value second(std::int64_t{1'000'000});
  const std::vector<const Value*> results{&first, &second};
  std::string frame;
  for (auto _ : bench) {
    frame.clear();
    for (std::uint64_t i = 1; i <= transactions; ++i) {
      server_frame::add_reply(frame, {.attempt = i, .results = results, .committed_at = 1ull << 60});
    }
    server_frame::add_header(frame, 1, 1);
    benchmark::DoNotOptimize(frame.data());
  }
  bench.counters["bytes"] = static_cast<double>(frame.size());
}

// Frames are written in advance, while the benchmark's clock is paused.
void through_a_shard(benchmark::State& bench, As as, std::uint64_t operations, std::uint64_t count) {
  constexpr std::size_t kAhead = 4'096;
  Shard shard(ShardOptions{});
  Sender sender(as, operations);
  std::string output;
  std::uint64_t bytes_out = 0;
  double ms = 0;
  const auto turn = [&](const std::string& frame) {
    const Now now{kStart.wall_ms + ms, kStart.monotonic_ms + ms};
    ms += 0.001;
    shard.begin(now);
    shard.take(kPeer, frame);
    shard.finish();
    while (shard.drain(kPeer, output)) bytes_out += output.size();
  };
  shard.connect(kPeer, kStart);
  turn(sender.hello());
  for (std::uint64_t i = 0; i < 2 * kKeys; i += count) turn(sender.frame(count));
  const auto done = [&] { return shard.counters().totals.commits + shard.counters().totals.natives; };
  const std::uint64_t done_before = done();
  std::vector<std::string> frames;
  std::size_t next = 0;
  std::uint64_t turns = 0;
  for (auto _ : bench) {
    if (next == frames.size()) {
      bench.PauseTiming();
      frames.clear();
      for (std::size_t i = 0; i < kAhead / count + 1; ++i) frames.push_back(sender.frame(count));
      next = 0;
      bench.ResumeTiming();
    }
    turn(frames[next++]);
    ++turns;
  }
  // The word for the members of a frame is in the next one.
  if (as != As::kMembers && done() - done_before != turns * count) bench.SkipWithError("not all were committed");
  if (as == As::kMembers && done() - done_before + count < turns * count) bench.SkipWithError("not all were committed");
  bench.counters[as == As::kNatives ? "per_native" : "per_transaction"] =
      benchmark::Counter(static_cast<double>(turns * count), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

void register_wire() {
  for (const std::uint64_t transactions : {1, 16, 64}) {
    const std::string count = "/transactions:" + std::to_string(transactions);
    const auto add = [&](const std::string& name, As as, std::uint64_t operations) {
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& bench) { through_a_shard(bench, as, operations, transactions); });
    };
    add("one-shot of 4 operations" + count, As::kTransactions, 4);
    add("one-shot of 1 operation" + count, As::kTransactions, 1);
    add("member of 4 operations" + count, As::kMembers, 4);
    add("native/natives:" + std::to_string(transactions), As::kNatives, 1);
    benchmark::RegisterBenchmark(("frame decode" + count).c_str(), [=](benchmark::State& bench) { decode_frame(bench, transactions); });
    benchmark::RegisterBenchmark(("frame encode" + count).c_str(), [=](benchmark::State& bench) { encode_replies(bench, transactions); });
  }
}

}  // namespace claret::bench
