#include "transaction/past.h"

#include <algorithm>
#include <utility>

namespace claret {

namespace {

// Changes are forgotten together, so that a shard does not wake up for each.
constexpr double kTogetherMs = 50;

std::size_t bytes_of(const Value& value) {
  if (value.is_text()) return value.text().size();
  if (!value.is_list()) return 0;
  std::size_t bytes = value.list().size() * sizeof(Value);
  for (const Value& item : value.list()) bytes += bytes_of(item);
  return bytes;
}

std::size_t bytes_of(const Past::Version& version) {
  std::size_t bytes = sizeof(Past::Version) + bytes_of(version.result) + bytes_of(version.kept);
  for (const Value& argument : version.call.arguments) bytes += sizeof(Value) + bytes_of(argument);
  return bytes;
}

}  // namespace

void Past::keep(const Record& record, Timestamp last_commit, Version version) {
  const auto [of, is_new] = records_.try_emplace(&record);
  Kept& kept = of->second;
  if (is_new) {
    kept.gone_up_to = last_commit;
    kept.slot = record.slot;
  }
  version.serial = ++serials_;
  version.bytes = bytes_of(version);
  bytes_ += version.bytes;
  ++count_;
  due_.push_back({&record, version.serial, now_ms_});
  kept.versions.push_back(std::move(version));
  if (kept.versions.size() > kVersionsPerRecordMax) forget_first(of);
  while (bytes_ > settings_.bytes_max) forget_oldest();
}

const Past::Versions* Past::of(const Record& record) const {
  const auto found = records_.find(&record);
  return found == records_.end() ? nullptr : &found->second.versions;
}

bool Past::reaches(const Record& record, Timestamp at) const {
  const auto found = records_.find(&record);
  return (found == records_.end() ? record.last_commit : found->second.gone_up_to) <= at;
}

void Past::leave(const SlotRun& slots) {
  absl::erase_if(records_, [&](const auto& one) {
    const Kept& kept = one.second;
    if (!slots.contains(kept.slot)) return false;
    for (const Version& version : kept.versions) bytes_ -= version.bytes;
    count_ -= kept.versions.size();
    return true;
  });
}

void Past::forget_first(Records::iterator of) {
  Kept& kept = of->second;
  const Version& first = kept.versions.front();
  kept.gone_up_to = std::max(kept.gone_up_to, first.at);
  bytes_ -= first.bytes;
  --count_;
  kept.versions.pop_front();
  if (kept.versions.empty()) records_.erase(of);
}

// Another record may be where one was that is gone; its changes are later.
void Past::forget_oldest() {
  const Due oldest = due_.front();
  due_.pop_front();
  const auto found = records_.find(oldest.record);
  if (found != records_.end() && found->second.versions.front().serial <= oldest.serial) forget_first(found);
}

void Past::sweep() {
  while (!due_.empty() && due_.front().kept_ms + settings_.keep_ms <= now_ms_) forget_oldest();
}

double Past::next_sweep_ms() const {
  return due_.empty() ? std::numeric_limits<double>::infinity() : due_.front().kept_ms + settings_.keep_ms + kTogetherMs;
}

}  // namespace claret
