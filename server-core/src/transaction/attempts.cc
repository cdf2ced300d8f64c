#include "transaction/attempts.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "ground/check.h"
#include "ground/utf8.h"
#include "transaction/conditions.h"

namespace claret {

std::optional<Error> Attempts::check(const Coordinator& coordinator, const RequestMessage& message) const {
  const BeginMessage& begin = *message.begin;
  if (begin.id.size() != kIdBytes) return refuse(errors::kInvalidAttempt, "an attempt's id has 16 bytes");
  if (begin.label.size() > limits::kLabelBytesMax)
    return refuse(errors::kArgumentTooLarge, "a label has at most " + std::to_string(limits::kLabelBytesMax) + " bytes");
  if (!is_valid_utf8(begin.label)) return refuse(errors::kInvalidUtf8, "the label is not valid UTF-8");
  if (coordinator.attempts.size() >= limits::kAttemptsPerSessionMax) {
    return refuse(errors::kOverloaded, "the session has too many attempts in flight", true);
  }
  if (ground_.outcomes.kept() >= kKnownAttemptsMax) return refuse(errors::kOverloaded, "the shard remembers too many attempts", true);
  if (ground_.locks.mode() == ShardMode::kDraining) return condition_changed();
  AttemptId id;
  std::copy(begin.id.begin(), begin.id.end(), id.begin());
  if (const KnownAttempts::Known* known = ground_.outcomes.known().find(id)) {
    if (known->attempt != nullptr) return refuse(errors::kInvalidAttempt, "an attempt with this id is already in flight");
    return refuse(errors::kInvalidAttempt, "this attempt has already ended", true);
  }
  return std::nullopt;
}

Attempt& Attempts::begin(AttemptKeeper& keeper, Coordinator& coordinator, const RequestMessage& message, double arrived_ms) {
  begun_ = std::make_unique<Attempt>(keeper);
  fill_in(*begun_, coordinator, message, arrived_ms);
  return *begun_;
}

void Attempts::fill_in(Attempt& attempt, Coordinator& coordinator, const RequestMessage& message, double arrived_ms) {
  const BeginMessage& begin = *message.begin;
  std::copy(begin.id.begin(), begin.id.end(), attempt.id.begin());
  attempt.priority = begin.priority;
  attempt.label = ground_.counters.label_number(begin.label);
  attempt.serial = next_serial_++;
  attempt.coordinator = &coordinator;
  attempt.number = message.attempt;
  attempt.retries = begin.retries;
  attempt.guarded = begin.breaks >= kBreaksBeforeGuard;
  attempt.at_home = begin.home == ground_.place.shard;
  attempt.begun_ms = ground_.clock.now_ms();
  attempt.age_ms = begin.age_us / 1000.0;
  attempt.before = {begin.thrown_away_us / 1000.0, begin.backing_off_us / 1000.0, begin.queued_us / 1000.0};
  const std::uint32_t expires_in_ms = begin.expires_in_ms == 0 ? limits::kAttemptExpiryMsDefault : begin.expires_in_ms;
  attempt.expires_at_ms = arrived_ms + std::min(expires_in_ms, limits::kAttemptExpiryMsMax);
  for (const std::string_view key : begin.exclusive) attempt.exclusive_keys.emplace(key);
  if (begin.epoch_manager_plus_one != 0) {
    attempt.member_of_epoch = std::make_unique<EpochMember>();
    attempt.member_of_epoch->manager = begin.epoch_manager_plus_one - 1;
  }
  if (!begin.transaction.empty()) {
    attempt.transaction = std::make_unique<TransactionId>();
    std::copy(begin.transaction.begin(), begin.transaction.end(), attempt.transaction->begin());
  }
}

void Attempts::count_begun(Attempt& attempt) {
  ++ground_.counters.totals.begun;
  if (attempt.retries != 0) ++ground_.counters.totals.retries;
  if (ground_.witness) ground_.witness->begun(attempt);
}

void Attempts::enlist(Attempt& attempt) {
  CLARET_CHECK(begun_.get() == &attempt);
  attempt.enlisted = true;
  by_serial_.emplace(attempt.serial, &attempt);
  ground_.outcomes.known().begun(attempt);
  attempt.coordinator->attempts.emplace(attempt.number, std::move(begun_));
}

void Attempts::refuse_id(const BeginMessage& begin) {
  if (begin.id.size() != kIdBytes || ground_.outcomes.kept() >= kKnownAttemptsMax) return;
  AttemptId id;
  std::copy(begin.id.begin(), begin.id.end(), id.begin());
  if (ground_.outcomes.known().find(id) == nullptr)
    ground_.outcomes.known().aborted(id, ground_.clock.now_ms() + limits::kAttemptExpiryMsMax);
}

std::unique_ptr<Attempt> Attempts::take(Attempt& attempt) {
  if (!attempt.enlisted) return std::move(begun_);
  if (attempt.coordinator != nullptr) return std::move(attempt.coordinator->attempts.extract(attempt.number).mapped());
  return std::move(orphans_.extract(attempt.serial).mapped());
}

void Attempts::orphan(Attempt& attempt) {
  auto orphan = attempt.coordinator->attempts.extract(attempt.number);
  attempt.coordinator = nullptr;
  orphans_.emplace(attempt.serial, std::move(orphan.mapped()));
}

void Attempts::adopt(std::unique_ptr<Attempt> attempt, std::uint64_t expires_wall_ms) {
  attempt->serial = next_serial_++;
  attempt->enlisted = true;
  attempt->begun_ms = ground_.clock.now_ms();
  attempt->expires_at_ms = ground_.clock.monotonic_ms(expires_wall_ms);
  by_serial_.emplace(attempt->serial, attempt.get());
  ground_.outcomes.known().forget(attempt->id);  // a very old outcome, or a damaged one: the vote counts
  ground_.outcomes.known().begun(*attempt);
  ground_.doubts.add(*attempt, ground_.clock.now_ms());
  orphans_.emplace(attempt->serial, std::move(attempt));
}

Attempt* Attempts::find(const Coordinator& coordinator, std::uint64_t number) {
  const auto found = coordinator.attempts.find(number);
  return found == coordinator.attempts.end() ? nullptr : found->second.get();
}

Attempt* Attempts::find(std::uint64_t serial) const {
  const auto found = by_serial_.find(serial);
  return found == by_serial_.end() ? nullptr : found->second;
}

std::vector<Attempt*> Attempts::running() const {
  std::vector<Attempt*> running;
  for (const auto& [serial, attempt] : by_serial_) {
    if (attempt->stage == Stage::kRunning) running.push_back(attempt);
  }
  return running;
}

std::vector<Record*> Attempts::gated() const {
  std::vector<Record*> gated;
  absl::flat_hash_set<const Record*> seen;  // looked up, never iterated
  const auto add = [&](const Party& party) {
    for (const Visit& visit : party.visits) {
      Record* record = visit.record;
      if (record == nullptr || record->gate == nullptr) continue;
      if (seen.insert(record).second) gated.push_back(record);
    }
  };
  for (const auto& [serial, attempt] : by_serial_) add(*attempt);
  return gated;
}

}  // namespace claret
