#include "transaction/slot_giver.h"

#include <algorithm>
#include <utility>

#include "ground/mutation.h"
#include "transaction/move_errors.h"
#include "transaction/requests.h"

namespace claret {

namespace {

// The attempt has something in the run.
bool is_inside(const Attempt& attempt, const SlotRun& slots) {
  if (attempt.transaction && slots.contains(slot_of(*attempt.transaction))) return true;
  bool any = false;
  for_each_visit(attempt, [&](const Visit& visit) {
    const bool holds = visit.held || visit.party != &attempt;  // a batch's members hold nothing, but have run there
    any = any || (holds && visit.record != nullptr && slots.contains(visit.record->slot));
  });
  return any;
}

}  // namespace

std::optional<Error> SlotGiver::begin(Give give) {
  if (!ground_.journal.on()) return refuse(move_errors::kInvalidMove, "a shard without a log gives no slots");
  if (!move_errors::is_valid_id(give.move) || give.to == ground_.place.shard || give.to >= kShardsMax) {
    return refuse(move_errors::kInvalidMove, "a move has an id of 1 to 64 bytes, and leads to another shard");
  }
  if (!give.slots.valid() || !ground_.slots().owns(give.slots))
    return refuse(move_errors::kInvalidMove, "the shard does not own the slots");
  if (copying_.under_way() || ground_.moves.given())
    return refuse(move_errors::kMoveInProgress, "the shard gives a run of slots already", true);
  ground_.set_shards(give.to + 1);
  const std::uint32_t version = ground_.slots().version(give.slots) + 1;
  copying_.begin(std::move(give), version);
  return std::nullopt;
}

std::optional<Error> SlotGiver::check() const {
  if (copying_.under_way()) return std::nullopt;
  return move_errors::unknown();
}

std::optional<Error> SlotGiver::take(std::size_t bytes_max, GivePiece& piece) {
  if (auto error = check()) return error;
  copying_.take(bytes_max, ground_.locks.drain().on && is_drained(), piece);
  return std::nullopt;
}

std::optional<Error> SlotGiver::drain(double wound_after_ms) {
  if (auto error = check()) return error;
  if (ground_.locks.drain().on) return std::nullopt;
  if (ground_.outcomes.cut().prepared()) return refuse(move_errors::kCutInProgress, "a backup is about to cut the shard's log", true);
  if (ground_.locks.mode() == ShardMode::kDraining) {
    return refuse(move_errors::kMoveNotReady, "a type changes its version, for which the shard drains", true);
  }
  if (ground_.locks.rule().quarantined) {
    return refuse(move_errors::kMoveNotReady, "the shard has started, and warranties of the run from before may stand", true);
  }
  ground_.settle();
  const SlotRun run = copying_.give().slots;
  ground_.change({.kind = ChangeKind::kSlots, .step = ChangeStep::kAnnounced, .slots = run});
  inside_.clear();
  for (const auto& [serial, attempt] : parts_.attempts.by_serial()) {
    if (is_inside(*attempt, run)) inside_.push_back(serial);
  }
  ground_.locks.drain() = Drain{.on = true, .slots = run, .inside = {inside_.begin(), inside_.end()}};
  drain_began_ms_ = ground_.clock.now_ms();
  wound_after_ms_ = wound_after_ms;
  next_press_ms_ = drain_began_ms_ + wound_after_ms;
  ground_.settle();
  return std::nullopt;
}

bool SlotGiver::is_drained() {
  const Drain& drain = ground_.locks.drain();
  if (!drain.on) return false;
  return ground_.change({.kind = ChangeKind::kSlots, .step = ChangeStep::kAnnounced, .slots = drain.slots}) ||
         mutated(Mutation::kHolderNotDrained);
}

bool SlotGiver::change(const Change& change) {
  if (change.kind != ChangeKind::kSlots) return true;
  if (change.step == ChangeStep::kAnnounced) return !any_inside();
  if (change.step == ChangeStep::kMade) end_inside(change.slots);
  if (change.step == ChangeStep::kOver) go_on(change.slots);
  return true;
}

bool SlotGiver::any_inside() {
  std::erase_if(inside_, [&](std::uint64_t serial) { return parts_.attempts.find(serial) == nullptr; });
  return !inside_.empty();
}

void SlotGiver::press() {
  const double grace_ms = patience_of(ground_.locks).wound_grace_ms;
  const bool over = ground_.clock.now_ms() >= drain_began_ms_ + wound_after_ms_ + grace_ms;
  next_press_ms_ = ground_.clock.now_ms() + grace_ms;
  for (const std::uint64_t serial : std::vector<std::uint64_t>(inside_)) {
    Attempt* attempt = parts_.attempts.find(serial);
    if (attempt != nullptr && attempt->stage != Stage::kLeaving) ground_.wounds.drain(*attempt, over);
  }
}

bool SlotGiver::holds_up(const Attempt& attempt) const {
  const Drain& drain = ground_.locks.drain();
  return drain.on && attempt.transaction && drain.slots.contains(slot_of(*attempt.transaction)) && !drain.is_inside(attempt);
}

void SlotGiver::hold_back(Attempt& attempt) {
  held_back_.insert(attempt.serial);
  ground_.wounds.waits(attempt);
}

void SlotGiver::end_drain() {
  const SlotRun run = std::exchange(ground_.locks.drain(), {}).slots;
  copying_.not_complete();
  inside_.clear();
  ground_.change({.kind = ChangeKind::kSlots, .step = ChangeStep::kOver, .slots = run});
  ground_.settle();
}

void SlotGiver::go_on(const SlotRun& slots) {
  std::vector<Record*> waited_for;
  for (const auto& [serial, party] : ground_.wounds.waiting()) {
    for (const Claim* claim : party->waiting) {
      if (slots.contains(claim->record->slot)) waited_for.push_back(claim->record);
    }
  }
  for (Record* record : waited_for) ground_.locks.retry_waiters(*record);
  for (const std::uint64_t serial : std::exchange(held_back_, {})) {
    Attempt* attempt = parts_.attempts.find(serial);
    if (attempt != nullptr && !attempt->requests.empty()) parts_.requests.start(*attempt);
  }
}

std::optional<Error> SlotGiver::call_off_drain() {
  if (auto error = check()) return error;
  if (ground_.locks.drain().on) end_drain();
  return std::nullopt;
}

std::optional<Error> SlotGiver::call_off() {
  if (auto error = check()) return error;
  if (ground_.locks.drain().on) end_drain();
  copying_.end();
  return std::nullopt;
}

std::optional<Error> SlotGiver::give() {
  if (auto error = check()) return error;
  if (!ground_.locks.drain().on || !is_drained() || !copying_.complete()) {
    return refuse(move_errors::kMoveNotReady, "the run is not drained, or not copied to the end", true);
  }
  if (ground_.clock.refuses_changes()) return changes_refused(ground_.clock.trouble());
  const Give given = copying_.give();
  const LoggedMove move{.id = given.move, .slots = given.slots, .peer = given.to, .version = copying_.version()};
  const Timestamp at = ground_.clock.next();
  const std::uint64_t position = ground_.journal.move(LogEntryKind::kGave, move, at);
  ground_.moves.apply(LogEntryKind::kGave, move, at, position);
  ground_.set_foreign();
  copying_.end();
  ground_.change({.kind = ChangeKind::kSlots, .step = ChangeStep::kMade, .slots = given.slots});
  end_drain();
  parts_.leftovers.add(given.slots, position);
  return std::nullopt;
}

void SlotGiver::end_inside(const SlotRun& slots) {
  const auto refers = [&](const Visit& visit) { return visit.record != nullptr && slots.contains(visit.record->slot); };
  std::vector<std::uint64_t> concerned;
  for (const auto& [serial, attempt] : parts_.attempts.by_serial()) {
    const bool is_at_home = attempt->transaction && slots.contains(slot_of(*attempt->transaction));
    if (is_at_home || std::any_of(attempt->visits.begin(), attempt->visits.end(), refers)) concerned.push_back(serial);
  }
  for (const std::uint64_t serial : concerned) {
    Attempt* attempt = parts_.attempts.find(serial);
    if (attempt != nullptr && attempt->stage == Stage::kRunning) {
      parts_.endings.abort(*attempt, wrong_shard("a record of the transaction has moved to another shard"));
      attempt = parts_.attempts.find(serial);
    }
    // One that leaves in parts has yet to come to what it has only wanted.
    if (attempt == nullptr || attempt->stage != Stage::kLeaving) continue;
    for (Visit& visit : attempt->visits) {
      if (refers(visit)) ground_.locks.let_go(visit);
    }
  }
}

std::optional<Timestamp> SlotGiver::given(std::string_view move) const {
  const std::optional<KeptMove>& given = ground_.moves.given();
  if (!given || given->id != move) return std::nullopt;
  if (ground_.slots().emptied_at(given->slots.first) > ground_.journal.durable() && !mutated(Mutation::kGaveNotAwaited))
    return std::nullopt;
  return given->at;
}

std::optional<Error> SlotGiver::settle_move(std::string_view move) {
  if (!ground_.moves.given() || ground_.moves.given()->id != move) return move_errors::unknown();
  if (ground_.clock.refuses_changes()) return changes_refused(ground_.clock.trouble());
  const std::string id(move);
  const LoggedMove settled{.id = id};
  ground_.moves.apply(LogEntryKind::kSettled, settled, 0, ground_.journal.move(LogEntryKind::kSettled, settled));
  return std::nullopt;
}

}  // namespace claret
