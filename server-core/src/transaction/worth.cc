#include "transaction/worth.h"

#include <algorithm>
#include <cstring>
#include <protozero/pbf_writer.hpp>
#include <string>

#include "structure/digest.h"
#include "wire/value_codec.h"

namespace claret {

namespace {

constexpr std::size_t kPlaces = 16'384;
constexpr double kAskedAgainWithinMs = 1000;
constexpr float kPauseLeastMs = 50;
constexpr float kPauseMostMs = 5000;
constexpr double kNewestShare = 0.25;
// A promise that is violated makes a change wait for half of it on average, so results should last longer than it.
constexpr double kLastsTimes = 2;

}  // namespace

std::uint64_t Worth::name_of(std::string_view key, const Call& call) {
  std::string text(key);
  protozero::pbf_writer message(text);
  message.add_uint32(2, call.operation->id);
  for (const Value& argument : call.arguments) add_value(message, 3, argument);
  const Digest digest = digest_of(text, {});
  std::uint64_t name;
  std::memcpy(&name, digest.data(), sizeof(name));
  return name;
}

Worth::Slot& Worth::slot(std::uint64_t operation) {
  if (slots_.empty()) slots_.resize(kPlaces);
  return slots_[operation % kPlaces];
}

bool Worth::asked(std::uint64_t operation, double now_ms) {
  Slot& found = slot(operation);
  const auto name = static_cast<std::uint32_t>(operation >> 32);
  const bool again = found.asked_by == name && now_ms - found.asked_ms <= kAskedAgainWithinMs;
  found.asked_by = name;
  found.asked_ms = now_ms;
  return again && now_ms >= found.paused_until_ms;
}

void Worth::pause(std::uint64_t operation, double until_ms) {
  Slot& found = slot(operation);
  found.paused_until_ms = std::max(found.paused_until_ms, until_ms);
}

bool Worth::pauses(std::uint64_t operation, double now_ms) const {
  return !slots_.empty() && now_ms < slots_[operation % kPlaces].paused_until_ms;
}

void Worth::ended(std::uint64_t operation, std::uint64_t uses, std::uint64_t wanted, double now_ms) {
  Slot& found = slot(operation);
  if (uses >= wanted) {
    found.pause_ms = found.pause_ms > kPauseLeastMs ? found.pause_ms / 2 : 0;
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
  if (slots_.empty()) return true;
  const Slot& found = slots_[operation % kPlaces];
  const double since_ms = found.violated_ms == kNever ? kMinuteMs : now_ms - found.violated_ms;
  return std::max(found.lasted_ms, since_ms) >= kLastsTimes * for_ms;
}

}  // namespace claret
