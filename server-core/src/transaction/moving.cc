// Participant, continued: runs of slots that move between shards (docs/decisions/0033-slots-that-move.md).
//
// The giver copies the run while it serves it, drains it, and logs `gave`. From then on it serves it no more. The taker, told only once that
// is durable, logs `took`, and serves the run once that is durable. If either dies in between, `gave` in the giver's log decides.
#include <algorithm>
#include <limits>
#include <utility>

#include "ground/mutation.h"
#include "transaction/move_errors.h"
#include "transaction/participant.h"

namespace claret {

namespace {

LoggedMove logged(const KeptMove& move) { return {.id = move.id, .slots = move.slots, .peer = move.peer, .version = move.version}; }

Error unknown_move() { return refuse(move_errors::kUnknownMove, "no such move is under way at this shard"); }

bool is_valid_id(std::string_view move) { return !move.empty() && move.size() <= kMoveIdBytesMax; }

}  // namespace

// ---- the giver --------------------------------------------------------------------------------------------------------------

std::optional<Error> Participant::begin_give(Give give) {
  if (!journal_.on()) return refuse(move_errors::kInvalidMove, "a shard without a log gives no slots");
  if (!is_valid_id(give.move) || give.to == options_.place.shard || give.to >= kShardsMax) {
    return refuse(move_errors::kInvalidMove, "a move has an id of 1 to 64 bytes, and leads to another shard");
  }
  if (!give.slots.valid() || !slots().owns(give.slots)) return refuse(move_errors::kInvalidMove, "the shard does not own the slots");
  if (giving_.under_way() || moves_.given()) return refuse(move_errors::kMoveInProgress, "the shard gives a run of slots already", true);
  set_shards(give.to + 1);
  const std::uint32_t version = slots().version(give.slots) + 1;
  giving_.begin(std::move(give), version);
  return std::nullopt;
}

std::optional<Error> Participant::check_give() const {
  if (giving_.under_way()) return std::nullopt;
  return unknown_move();
}

std::optional<Error> Participant::take_give(std::size_t bytes_max, GivePiece& piece) {
  if (auto error = check_give()) return error;
  giving_.take(bytes_max, locks_.drain().on && is_drained(), piece);
  return std::nullopt;
}

bool Participant::is_inside(const Attempt& attempt, const SlotRun& slots) {
  if (attempt.transaction && slots.contains(slot_of(*attempt.transaction))) return true;
  bool any = false;
  for_each_visit(attempt, [&](const Visit& visit) {
    const bool holds = visit.held || visit.party != &attempt;  // a batch's members hold nothing, but have run there
    any = any || (holds && visit.record != nullptr && slots.contains(visit.record->slot));
  });
  return any;
}

std::optional<Error> Participant::drain_give(double wound_after_ms) {
  if (auto error = check_give()) return error;
  if (locks_.drain().on) return std::nullopt;
  if (outcomes_.cut().prepared()) return refuse(move_errors::kCutInProgress, "a backup is about to cut the shard's log", true);
  if (conditions_.in_force().locks == LockKind::kNone || locks_.mode() == ShardMode::kDraining) {
    return refuse(move_errors::kMoveNotReady, "without locks a run cannot be drained", true);
  }
  if (locks_.rule().quarantined) {
    return refuse(move_errors::kMoveNotReady, "the shard has started, and warranties of the run from before may stand", true);
  }
  settle();
  const SlotRun run = giving_.give().slots;
  chains_.leave(run);
  inside_.clear();
  for (const auto& [serial, attempt] : attempts_) {
    if (is_inside(*attempt, run)) inside_.push_back(serial);
  }
  warranties_.recall(run);
  locks_.drain() = Drain{.on = true, .slots = run, .inside = {inside_.begin(), inside_.end()}};
  drain_began_ms_ = clock_.now_ms();
  wound_after_ms_ = wound_after_ms;
  next_press_ms_ = drain_began_ms_ + wound_after_ms;
  settle();
  return std::nullopt;
}

bool Participant::is_drained() {
  if (!locks_.drain().on) return false;
  std::erase_if(inside_, [&](std::uint64_t serial) { return !attempts_.contains(serial); });
  return (inside_.empty() && !warranties_.any(locks_.drain().slots)) || mutated(Mutation::kHolderNotDrained);
}

void Participant::press_drain() {
  const double grace_ms = wounds_.settings().grace_ms;
  const bool over = clock_.now_ms() >= drain_began_ms_ + wound_after_ms_ + grace_ms;
  next_press_ms_ = clock_.now_ms() + grace_ms;
  for (const std::uint64_t serial : std::vector<std::uint64_t>(inside_)) {
    const auto found = attempts_.find(serial);
    if (found != attempts_.end() && found->second->stage != Stage::kLeaving) wounds_.drain(*found->second, over);
  }
}

bool Participant::waits_for_drain(const Attempt& attempt) const {
  const Drain& drain = locks_.drain();
  return drain.on && attempt.transaction && drain.slots.contains(slot_of(*attempt.transaction)) && !drain.is_inside(attempt);
}

void Participant::hold_back(Attempt& attempt) {
  held_back_.insert(attempt.serial);
  wounds_.waits(attempt);
}

void Participant::end_drain() {
  const SlotRun run = std::exchange(locks_.drain(), {}).slots;
  giving_.not_complete();
  inside_.clear();
  std::vector<Record*> waited_for;
  for (const auto& [serial, party] : wounds_.waiting()) {
    for (const Claim* claim : party->waiting) {
      if (run.contains(claim->record->slot)) waited_for.push_back(claim->record);
    }
  }
  for (Record* record : waited_for) locks_.retry_waiters(*record);
  natives_.try_again(run);
  for (const std::uint64_t serial : std::exchange(held_back_, {})) {
    const auto found = attempts_.find(serial);
    if (found != attempts_.end() && !found->second->requests.empty()) start(*found->second);
  }
  settle();
}

std::optional<Error> Participant::call_off_drain() {
  if (auto error = check_give()) return error;
  if (locks_.drain().on) end_drain();
  return std::nullopt;
}

std::optional<Error> Participant::call_off_give() {
  if (auto error = check_give()) return error;
  if (locks_.drain().on) end_drain();
  giving_.end();
  return std::nullopt;
}

std::optional<Error> Participant::give() {
  if (auto error = check_give()) return error;
  if (!locks_.drain().on || !is_drained() || !giving_.complete()) {
    return refuse(move_errors::kMoveNotReady, "the run is not drained, or not copied to the end", true);
  }
  if (clock_.refuses_changes()) return changes_refused(clock_.trouble());
  const Give given = giving_.give();
  const LoggedMove move{.id = given.move, .slots = given.slots, .peer = given.to, .version = giving_.version()};
  const Timestamp at = clock_.next();
  const std::uint64_t position = journal_.move(LogEntryKind::kGave, move, at);
  moves_.apply(LogEntryKind::kGave, move, at, position);
  set_foreign();
  giving_.end();
  leave_slots(given.slots);
  leftovers_.add(given.slots, position);
  return std::nullopt;
}

void Participant::leave_slots(const SlotRun& slots) {
  const auto refers = [&](const Visit& visit) { return visit.record != nullptr && slots.contains(visit.record->slot); };
  std::vector<std::uint64_t> concerned;
  for (const auto& [serial, attempt] : attempts_) {
    const bool is_at_home = attempt->transaction && slots.contains(slot_of(*attempt->transaction));
    if (is_at_home || std::any_of(attempt->visits.begin(), attempt->visits.end(), refers)) concerned.push_back(serial);
  }
  for (const std::uint64_t serial : concerned) {
    auto found = attempts_.find(serial);
    if (found != attempts_.end() && found->second->stage == Stage::kRunning) {
      abort(*found->second, wrong_shard("a record of the transaction has moved to another shard"));
      found = attempts_.find(serial);
    }
    // One that leaves in parts has yet to come to what it has only wanted.
    if (found == attempts_.end() || found->second->stage != Stage::kLeaving) continue;
    for (Visit& visit : found->second->visits) {
      if (refers(visit)) locks_.let_go(visit);
    }
  }
  natives_.leave(slots);
  boards_.leave(slots);
  end_drain();
}

std::optional<Timestamp> Participant::given(std::string_view move) const {
  const std::optional<KeptMove>& given = moves_.given();
  if (!given || given->id != move) return std::nullopt;
  if (slots().emptied_at(given->slots.first) > journal_.durable() && !mutated(Mutation::kGaveNotAwaited)) return std::nullopt;
  return given->at;
}

std::optional<Error> Participant::settle_give(std::string_view move) {
  if (!moves_.given() || moves_.given()->id != move) return unknown_move();
  if (clock_.refuses_changes()) return changes_refused(clock_.trouble());
  const std::string id(move);
  const LoggedMove settled{.id = id};
  moves_.apply(LogEntryKind::kSettled, settled, 0, journal_.move(LogEntryKind::kSettled, settled));
  return std::nullopt;
}

// ---- the taker --------------------------------------------------------------------------------------------------------------

std::optional<Error> Participant::import_piece(std::string_view move, std::uint32_t from, std::string_view piece) {
  if (!journal_.on()) return refuse(move_errors::kInvalidMove, "a shard without a log takes no slots");
  PieceHead head;
  std::string pairs;
  if (!is_valid_id(move) || from == options_.place.shard || from >= kShardsMax || !Importing::open(piece, clock_.wall_ms(), head, pairs)) {
    return refuse(move_errors::kInvalidMove, "the bytes are no piece of a run that another shard gives");
  }
  if (clock_.refuses_changes()) return changes_refused(clock_.trouble());
  if (auto error = check_piece(move, from, head)) return error;
  if (auto error = importing_.check_room(pairs)) return error;
  set_shards(from + 1);
  const LoggedMove imported{.id = move,
                            .slots = head.slots,
                            .peer = from,
                            .version = head.version,
                            .piece = head.number,
                            .complete = head.complete,
                            .pairs = pairs};
  if (importing_.stage(pairs, head.slots, journal_.position() + 1)) {
    moves_.apply(LogEntryKind::kImported, imported, 0, journal_.move(LogEntryKind::kImported, imported));
    return std::nullopt;
  }
  drop(imported);
  return refuse(move_errors::kInvalidMove, "the piece holds what is no record of the run: the import is dropped");
}

std::optional<Error> Participant::check_piece(std::string_view move, std::uint32_t from, const PieceHead& head) const {
  if (const std::optional<KeptMove>& imported = moves_.imported()) {
    if (imported->id != move) return refuse(move_errors::kMoveInProgress, "the shard takes another run of slots", true);
    const bool goes_on = imported->slots == head.slots && imported->version == head.version && imported->peer == from;
    if (goes_on && head.number == imported->pieces + 1) return std::nullopt;
    return refuse(move_errors::kInvalidMove, "a piece that does not follow those before it");
  }
  if (head.number != 1) return unknown_move();
  for (std::uint32_t slot = head.slots.first; slot <= head.slots.last; ++slot) {
    if (moves_.keeps(slot)) return refuse(move_errors::kInvalidMove, "the shard owns a slot of the run already");
  }
  if (head.version <= slots().version(head.slots)) return refuse(move_errors::kInvalidMove, "the run's version is an older one");
  if (!leftovers_.overlap(head.slots)) return std::nullopt;
  return refuse(move_errors::kMoveInProgress, "what was there before is not removed yet", true);
}

std::optional<Error> Participant::take_over(std::string_view move, Timestamp at) {
  if (moves_.takes(move)) return std::nullopt;
  const std::optional<KeptMove>& imported = moves_.imported();
  if (!imported || imported->id != move) return unknown_move();
  if (!imported->complete) return refuse(move_errors::kMoveNotReady, "pieces of the run are missing");
  if (at == 0 || !HybridClock::possible(at)) return refuse(move_errors::kInvalidMove, "a time that no shard can have reached");
  if (clock_.refuses_changes()) return changes_refused(clock_.trouble());
  const KeptMove taken = *imported;
  clock_.pass(at);
  clock_.raise(at);
  moves_.apply(LogEntryKind::kTook, logged(taken), at, journal_.move(LogEntryKind::kTook, logged(taken), at));
  records_.note_deletions(taken.slots, at);  // there may have been some where the slots were before
  set_foreign();
  return std::nullopt;
}

std::optional<Error> Participant::drop_import(std::string_view move) {
  const std::optional<KeptMove>& imported = moves_.imported();
  if (!imported || imported->id != move) return unknown_move();
  if (clock_.refuses_changes()) return changes_refused(clock_.trouble());
  const KeptMove dropped = *imported;
  drop(logged(dropped));
  return std::nullopt;
}

void Participant::drop(const LoggedMove& move) {
  const std::uint64_t position = journal_.move(LogEntryKind::kDropped, move);
  moves_.apply(LogEntryKind::kDropped, move, 0, position);
  leftovers_.add(move.slots, position);
}

void Participant::durable(std::uint64_t position) {
  journal_.durable(position);
  moves_.durable(journal_.durable());
  set_foreign();
}

}  // namespace claret
