#include "transaction/worth.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace claret {

namespace {

constexpr std::size_t kBuckets = 8'192;
constexpr double kAskedAgainWithinMs = 30'000;
constexpr float kPauseLeastMs = 50;
constexpr float kPauseMostMs = 5000;
constexpr double kNewestShare = 0.25;
// One that answered far more than enough makes up for few that did not.
constexpr double kAnsweredMost = 2;
// A promise that is violated makes a change wait for half of it on average, so results should last longer than it.
constexpr double kLastsTimes = 2;

// A warranty that answered too seldom weighs as much as so many better ones.
constexpr std::uint32_t kDoubtOfOne = 8;
constexpr std::uint32_t kDoubtMost = 3 * kDoubtOfOne;

// ---- prints: the same in each process, and cheap. Two things with one print are taken for the same, which only misjudges them.

std::uint64_t mixed(std::uint64_t print, std::uint64_t word) {
  const unsigned __int128 product = static_cast<unsigned __int128>(print ^ 0x9e3779b97f4a7c15) * (word ^ 0xd1b54a32d192ed03);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

std::uint64_t mixed(std::uint64_t print, std::string_view text) {
  print = mixed(print, text.size());
  for (std::uint64_t word = 0; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof(word)))) {
    word = 0;
    std::memcpy(&word, text.data(), std::min(text.size(), sizeof(word)));
    print = mixed(print, word);
  }
  return print;
}

std::uint64_t mixed(std::uint64_t print, const Value& value) {
  if (value.is_integer()) return mixed(mixed(print, 1), static_cast<std::uint64_t>(value.integer()));
  if (value.is_boolean()) return mixed(mixed(print, 2), value.boolean() ? 1 : 0);
  if (value.is_number()) return mixed(mixed(print, 3), std::bit_cast<std::uint64_t>(value.number()));
  if (value.is_text()) return mixed(mixed(print, 4), std::string_view(value.text()));
  if (value.absent()) return mixed(print, 5);
  print = mixed(mixed(print, 6), value.list().size());
  for (const Value& item : value.list()) print = mixed(print, item);
  return print;
}

}  // namespace

Worth::Operation Worth::named(std::string_view key, const Call& call) {
  std::uint64_t name = mixed(mixed(0, key), call.operation->id);
  for (const Value& argument : call.arguments) name = mixed(name, argument);
  return {.name = std::max<std::uint64_t>(name, 1), .kind = call.operation};  // 0 is a free place
}

const Worth::Slot* Worth::find(const Operation& operation) const {
  if (buckets_.empty()) return nullptr;
  const Bucket& bucket = buckets_[operation.name % kBuckets];
  const auto* found = std::find(bucket.names.begin(), bucket.names.end(), operation.name);
  return found == bucket.names.end() ? nullptr : &bucket.slots[static_cast<std::size_t>(found - bucket.names.begin())];
}

Worth::Slot& Worth::slot(const Operation& operation) {
  if (buckets_.empty()) buckets_.resize(kBuckets);
  Bucket& bucket = buckets_[operation.name % kBuckets];
  std::size_t oldest = 0;
  for (std::size_t way = 0; way < kWays; ++way) {
    if (bucket.names[way] == operation.name) return bucket.slots[way];
    if (bucket.slots[way].asked_ms < bucket.slots[oldest].asked_ms) oldest = way;
  }
  bucket.names[oldest] = operation.name;
  return bucket.slots[oldest] = {};
}

bool Worth::counts(const OperationSpec& kind) {
  Kind& known = kinds_[&kind];
  const std::uint64_t share = (std::uint64_t{1} << (known.doubt / kDoubtOfOne)) - 1;
  // At random: operations may be asked for in the same order each time.
  return (mixed(0, ++known.askings) & share) == 0;
}

bool Worth::asked(const Operation& operation, const Value& result, std::uint64_t wanted, double now_ms) {
  Slot& found = slot(operation);
  const std::uint64_t print = mixed(0, result);
  const bool is_same = found.result == print;
  if (found.same > 0 && !is_same) changed(found, now_ms, now_ms);
  const bool again = found.asked_ms != kNever && now_ms - found.asked_ms <= kAskedAgainWithinMs;
  found.same = again && is_same ? found.same + 1 : 1;
  found.ended_well = found.ended_well && again;
  found.result = print;
  found.asked_ms = now_ms;
  return now_ms >= found.paused_until_ms && (found.ended_well || found.same >= wanted);
}

void Worth::pause(const Operation& operation, double until_ms) {
  Slot& found = slot(operation);
  found.paused_until_ms = std::max(found.paused_until_ms, until_ms);
}

void Worth::ended(const Operation& operation, std::uint64_t uses, std::uint64_t wanted, double now_ms) {
  Slot& found = slot(operation);
  const double answered = std::min(static_cast<double>(uses) / static_cast<double>(std::max<std::uint64_t>(wanted, 1)), kAnsweredMost);
  found.answered = found.answered == kNever ? answered : found.answered + kNewestShare * (answered - found.answered);
  found.same = 0;
  found.ended_well = uses >= wanted || found.answered >= 1;
  std::uint32_t& doubt = kinds_[operation.kind].doubt;
  doubt = uses < wanted ? std::min(doubt + kDoubtOfOne, kDoubtMost) : std::max(doubt, 1U) - 1;
  if (uses >= wanted) found.pause_ms = found.pause_ms > kPauseLeastMs ? found.pause_ms / 2 : 0;
  if (found.ended_well) {
    found.asked_ms = now_ms;
    return;
  }
  found.pause_ms = std::clamp(found.pause_ms * 2, kPauseLeastMs, kPauseMostMs);
  found.paused_until_ms = now_ms + found.pause_ms;
}

void Worth::violated(const Operation& operation, double came_ms, double now_ms) {
  Slot& found = slot(operation);
  changed(found, came_ms, now_ms);
  found.same = 0;
}

// The time that a change waits is none that the result would have lasted.
void Worth::changed(Slot& slot, double came_ms, double now_ms) {
  if (slot.changed_ms != kNever) {
    const double lasted_ms = came_ms - slot.changed_ms;
    slot.lasted_ms = slot.lasted_ms == kNever ? lasted_ms : slot.lasted_ms + kNewestShare * (lasted_ms - slot.lasted_ms);
  }
  slot.changed_ms = now_ms;
}

bool Worth::lasts(const Operation& operation, double for_ms, double now_ms) const {
  const Slot* found = find(operation);
  if (found == nullptr || found->changed_ms == kNever) return true;
  return std::max(found->lasted_ms, now_ms - found->changed_ms) >= kLastsTimes * for_ms;
}

}  // namespace claret
