#include "transaction/worth.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <protozero/pbf_writer.hpp>
#include <string>

#include "structure/digest.h"
#include "wire/value_codec.h"

namespace claret {

namespace {

constexpr std::size_t kBuckets = 8'192;
constexpr double kAskedAgainWithinMs = 5000;
constexpr float kPauseLeastMs = 50;
constexpr float kPauseMostMs = 5000;
constexpr double kNewestShare = 0.25;
// One that answered far more than enough makes up for few that did not.
constexpr double kAnsweredMost = 2;
// A promise that is violated makes a change wait for half of it on average, so results should last longer than it.
constexpr double kLastsTimes = 2;

std::uint64_t first_of(std::string_view bytes) {
  const Digest digest = digest_of(bytes, {});
  std::uint64_t first;
  std::memcpy(&first, digest.data(), sizeof(first));
  return first;
}

// Two results with the same print are taken for the same. Most results are numbers.
std::uint64_t print_of(const Value& result) {
  if (result.is_integer()) return static_cast<std::uint64_t>(result.integer());
  if (result.is_boolean()) return result.boolean() ? 1 : 0;
  if (result.is_number()) return std::bit_cast<std::uint64_t>(result.number());
  if (result.is_text()) return first_of(result.text());
  std::string bytes;
  protozero::pbf_writer message(bytes);
  write_value(message, result);
  return first_of(bytes);
}

}  // namespace

std::uint64_t Worth::name_of(std::string_view key, const Call& call) {
  std::string text(key);
  protozero::pbf_writer message(text);
  message.add_uint32(2, call.operation->id);
  for (const Value& argument : call.arguments) add_value(message, 3, argument);
  return std::max<std::uint64_t>(first_of(text), 1);  // 0 is a free place
}

const Worth::Slot* Worth::find(std::uint64_t operation) const {
  if (buckets_.empty()) return nullptr;
  const Bucket& bucket = buckets_[operation % kBuckets];
  const auto* found = std::find(bucket.names.begin(), bucket.names.end(), operation);
  return found == bucket.names.end() ? nullptr : &bucket.slots[static_cast<std::size_t>(found - bucket.names.begin())];
}

Worth::Slot& Worth::slot(std::uint64_t operation) {
  if (buckets_.empty()) buckets_.resize(kBuckets);
  Bucket& bucket = buckets_[operation % kBuckets];
  std::size_t oldest = 0;
  for (std::size_t way = 0; way < kWays; ++way) {
    if (bucket.names[way] == operation) return bucket.slots[way];
    if (bucket.slots[way].asked_ms < bucket.slots[oldest].asked_ms) oldest = way;
  }
  bucket.names[oldest] = operation;
  return bucket.slots[oldest] = {};
}

bool Worth::asked(std::uint64_t operation, const Value& result, std::uint64_t wanted, double now_ms) {
  Slot& found = slot(operation);
  const std::uint64_t print = print_of(result);
  const bool again = found.asked_ms != kNever && now_ms - found.asked_ms <= kAskedAgainWithinMs;
  found.same = again && found.result == print ? found.same + 1 : 1;
  found.ended_well = found.ended_well && again;
  found.result = print;
  found.asked_ms = now_ms;
  return now_ms >= found.paused_until_ms && (found.ended_well || found.same >= wanted);
}

void Worth::pause(std::uint64_t operation, double until_ms) {
  Slot& found = slot(operation);
  found.paused_until_ms = std::max(found.paused_until_ms, until_ms);
}

bool Worth::pauses(std::uint64_t operation, double now_ms) const {
  const Slot* found = find(operation);
  return found != nullptr && now_ms < found->paused_until_ms;
}

void Worth::ended(std::uint64_t operation, std::uint64_t uses, std::uint64_t wanted, double now_ms) {
  Slot& found = slot(operation);
  const double answered = std::min(static_cast<double>(uses) / static_cast<double>(std::max<std::uint64_t>(wanted, 1)), kAnsweredMost);
  found.answered = found.answered == kNever ? answered : found.answered + kNewestShare * (answered - found.answered);
  found.same = 0;
  found.ended_well = uses >= wanted || found.answered >= 1;
  if (uses >= wanted) found.pause_ms = found.pause_ms > kPauseLeastMs ? found.pause_ms / 2 : 0;
  if (found.ended_well) {
    found.asked_ms = now_ms;
    return;
  }
  found.pause_ms = std::clamp(found.pause_ms * 2, kPauseLeastMs, kPauseMostMs);
  found.paused_until_ms = now_ms + found.pause_ms;
}

void Worth::violated(std::uint64_t operation, double now_ms) {
  Slot& found = slot(operation);
  if (found.violated_ms != kNever) found.lasted_ms += kNewestShare * (now_ms - found.violated_ms - found.lasted_ms);
  found.violated_ms = now_ms;
}

bool Worth::lasts(std::uint64_t operation, double for_ms, double now_ms) const {
  const Slot* found = find(operation);
  if (found == nullptr) return true;
  const double since_ms = found->violated_ms == kNever ? kMinuteMs : now_ms - found->violated_ms;
  return std::max(found->lasted_ms, since_ms) >= kLastsTimes * for_ms;
}

}  // namespace claret
