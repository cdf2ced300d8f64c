#include "shard/watches.h"

#include <algorithm>
#include <limits>

#include "gate/record_operations.h"
#include "ground/mutation.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

// How many watches a turn looks at, to find those of slots that have moved.
constexpr std::size_t kWatchesPerStep = 4096;

}  // namespace

void Watches::add(Session& session, WatchMessage& message) {
  const auto refuse = [&](const Error& error) { server_frame::add_change(session.out, message.id, 0, {}, &error); };
  Speaker& speaker = speakers_[session.peer];
  if (speaker.watches.size() >= limits::kWatchesPerSessionMax) {
    refuse({.code = errors::kOverloaded, .message = "the session has too many watches"});
    return;
  }
  auto watch = std::make_unique<Watch>();
  watch->id = message.id;
  watch->peer = session.peer;
  watch->session = &session;
  if (message.operation.code == 0 && message.operation.name.empty()) {
    if (const auto error = check_key(message.operation.key, &slots_)) return refuse(*error);
  } else {
    TakenOperation taken;
    if (const auto error = take_operation(message.operation, records_.types(), &slots_, taken)) return refuse(*error);
    if (taken.call.operation->operation_class != OperationClass::kObserve) {
      return refuse({.code = errors::kUnknownOperation, .message = "only an operation that observes can be watched"});
    }
    watch->type = taken.type;
    watch->call = std::move(taken.call);
  }
  watch->key = message.operation.key;
  watch->slot = slot_of(watch->key);
  if (speaker.watches.contains(message.id)) remove(session, message.id);

  Watch& added = *watch;
  speaker.watches.emplace(message.id, std::move(watch));
  by_key_[added.key].push_back(&added);
  ++count_;
  Record* record = records_.find(added.key);
  if (record != nullptr) record->watched = true;
  const Timestamp last_commit = records_.changed_at(record, added.slot);
  if (message.since != 0 && last_commit <= message.since) return;
  if (patient_ && waits_for_log(added)) {
    added.stale = true;
    speaker.stale.push_back(&added);
  } else {
    see(record, [&] { say(session, added); });
  }
}

void Watches::forget(Watch& watch) {
  const auto found = by_key_.find(watch.key);
  std::erase(found->second, &watch);
  if (found->second.empty()) {
    by_key_.erase(found);
    if (Record* record = records_.find(watch.key)) {
      record->watched = false;
      records_.tidy(*record);
    }
  }
  --count_;
}

void Watches::remove(Session& session, std::uint64_t id) {
  Speaker& speaker = speakers_[session.peer];
  const auto found = speaker.watches.find(id);
  if (found == speaker.watches.end()) return;
  std::erase(speaker.stale, found->second.get());
  forget(*found->second);
  speaker.watches.erase(found);
}

void Watches::remove_all(Session& session) {
  const auto found = speakers_.find(session.peer);
  if (found == speakers_.end()) return;
  for (const auto& [id, watch] : found->second.watches) forget(*watch);
  speakers_.erase(found);
}

void Watches::changed(Record& record, std::vector<Session*>& stale) {
  const auto found = by_key_.find(std::string_view(record.key));
  if (found == by_key_.end()) return;
  record.watched = true;
  for (Watch* watch : found->second) {
    if (watch->stale) continue;
    watch->stale = true;
    speakers_[watch->peer].stale.push_back(watch);
    stale.push_back(watch->session);
  }
}

std::vector<Session*> Watches::end_moved() {
  std::vector<Session*> told;
  if (!next_moved_) return told;
  std::size_t left = kWatchesPerStep;
  auto speaker = speakers_.lower_bound(next_moved_->first);
  for (; speaker != speakers_.end(); ++speaker) {
    const bool goes_on = speaker->first == next_moved_->first;
    auto& watches = speaker->second.watches;
    std::vector<std::uint64_t> moved;
    auto watch = goes_on ? watches.lower_bound(next_moved_->second) : watches.begin();
    for (; watch != watches.end() && left > 0; ++watch, --left) {
      if (!slots_.owns(watch->second->slot)) moved.push_back(watch->first);
    }
    const bool more = watch != watches.end();
    if (more) next_moved_ = {speaker->first, watch->first};
    for (const std::uint64_t id : moved) {
      Session& session = *watches.at(id)->session;
      Error error = wrong_shard("the record has moved to another shard");
      error.key = watches.at(id)->key;
      remove(session, id);
      server_frame::add_change(session.out, id, 0, {}, &error);
      told.push_back(&session);
    }
    if (more) return told;
  }
  next_moved_.reset();
  return told;
}

bool Watches::waits_for_log(const Watch& watch) const {
  const Record* record = records_.find(watch.key);
  return record != nullptr && record->last_position > journal_.durable();
}

void Watches::see(Record* record, absl::FunctionRef<void()> say_all) {
  if (record == nullptr || mutated(Mutation::kWatchOfTip)) {
    say_all();
  } else {
    effects_.on_committed(*record, say_all);
  }
}

void Watches::say(Session& session, Watch& watch) {
  const Record* record = records_.find(watch.key);
  if (record != nullptr && record->last_commit == 0) record = nullptr;  // no commit has created the record yet
  const Timestamp at = records_.changed_at(record, watch.slot);
  if (record != nullptr) session.depend_on(record->last_position, journal_.durable());
  if (watch.type == nullptr) {
    server_frame::add_change(session.out, watch.id, at, {}, nullptr);
    return;
  }
  if (record != nullptr && is_vacant(*record) && record->type != watch.type) record = nullptr;
  if (record != nullptr && record->type != watch.type && !is_of_record(*watch.type)) {
    const Error error{.code = errors::kWrongType, .message = "the record is a " + std::string(record->type->name()), .key = watch.key};
    server_frame::add_change(session.out, watch.id, at, {}, &error);
    return;
  }
  const bool needs_state = record == nullptr && !is_of_record(*watch.type);
  const std::unique_ptr<State> empty = needs_state ? watch.type->create() : nullptr;
  const Outcome outcome = record == nullptr ? execute_on_nothing(empty.get(), *watch.type, watch.call, context_)
                                            : execute(*record, *watch.type, watch.call, {}, context_);
  if (outcome.refused()) {
    const Error error{.code = outcome.refusal().code, .message = outcome.refusal().message, .key = watch.key};
    server_frame::add_change(session.out, watch.id, at, {}, &error);
    return;
  }
  server_frame::add_change(session.out, watch.id, at, outcome.result(), nullptr);
}

void Watches::speak(Session& session, double now_ms) {
  const auto found = speakers_.find(session.peer);
  if (found == speakers_.end()) return;
  Speaker& speaker = found->second;
  if (speaker.stale.empty() || now_ms < speaker.quiet_until_ms) return;
  std::vector<Watch*> waiting;
  std::size_t next = 0;
  const auto record_of = [&](const Watch* watch) { return records_.find(watch->key); };
  const auto has_run = [&](const Watch* watch) {
    const Record* record = record_of(watch);
    return record != nullptr && record->run() != nullptr;
  };
  // A run is undone and applied again to see the committed state: once for all watches of its record.
  const bool by_record = std::any_of(speaker.stale.begin(), speaker.stale.end(), has_run);
  if (by_record) {
    std::stable_sort(speaker.stale.begin(), speaker.stale.end(), [](const Watch* a, const Watch* b) { return a->key < b->key; });
  }
  while (next < speaker.stale.size() && session.full.empty()) {
    if (!slots_.owns(speaker.stale[next]->slot)) {
      speaker.stale[next++]->stale = false;
      continue;
    }
    std::size_t end = next + 1;
    while (by_record && end < speaker.stale.size() && speaker.stale[end]->key == speaker.stale[next]->key) ++end;
    see(record_of(speaker.stale[next]), [&] {
      for (; next < end; ++next) {
        Watch& watch = *speaker.stale[next];
        if (patient_ && waits_for_log(watch)) {
          waiting.push_back(&watch);
          continue;
        }
        watch.stale = false;
        say(session, watch);
        session.cut();
      }
    });
  }
  if (next == speaker.stale.size()) speaker.quiet_until_ms = now_ms + kWatchIntervalMs;
  speaker.stale.erase(speaker.stale.begin(), speaker.stale.begin() + static_cast<std::ptrdiff_t>(next));
  speaker.stale.insert(speaker.stale.begin(), waiting.begin(), waiting.end());
}

double Watches::speaks_at_ms(const Session& session) const {
  const auto found = speakers_.find(session.peer);
  if (found == speakers_.end() || found->second.stale.empty()) return std::numeric_limits<double>::infinity();
  return found->second.quiet_until_ms;
}

}  // namespace claret
