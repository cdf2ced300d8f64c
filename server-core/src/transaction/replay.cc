#include "transaction/replay.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "gate/record_operations.h"
#include "ground/clock.h"
#include "ground/mutation.h"
#include "transaction/intake.h"
#include "transaction/known_attempts.h"
#include "wire/limits.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

// So few outcomes are not looked through.
constexpr std::size_t kRememberedLeast = 1024;

std::string at_entry(std::uint64_t position, std::string_view problem) {
  return "entry " + std::to_string(position) + " of the log: " + std::string(problem);
}

// Turns a logged operation into a call. False if the operation is invalid.
bool take_logged(LoggedOperation& logged, const composed::TypeTable& types, TakenOperation& taken) {
  OperationMessage message{.key = logged.key, .code = logged.code, .arguments = std::move(logged.arguments)};
  return logged.code != 0 && !take_operation(message, types, nullptr, taken);
}

void keep_answer(NativeAnswers& answers, std::uint64_t position, std::uint64_t number, Timestamp at, const TakenOperation& taken,
                 const Value& result) {
  const Value* results = &result;
  std::string answer;
  server_frame::add_natives_done(answer, number, 1, at, std::span(&results, taken.call.operation->result == Kind::kVoid ? 0 : 1));
  answers.keep(number, position, answer);
}

}  // namespace

std::optional<std::string> Replay::take_entries(std::string_view bytes) {
  if (auto problem = missing_part()) return problem;
  std::vector<std::string_view> entries;
  if (!split_log(bytes, entries)) return "the bytes after entry " + std::to_string(journal_.position()) + " are not a log";
  for (const std::string_view entry_bytes : entries) {
    LogEntry entry;
    if (!decode(entry_bytes, entry)) return "the entry after entry " + std::to_string(journal_.position()) + " of the log is damaged";
    // Entries that the checkpoint covers may be passed along with those behind it.
    if (journal_.position() == told_.checkpoint && entry.position <= told_.checkpoint) continue;
    if (entry.position != journal_.position() + 1) {
      return "entry " + std::to_string(entry.position) + " of the log follows entry " + std::to_string(journal_.position());
    }
    if (auto problem = take(entry)) return problem;
    told_.time_ms = std::max(told_.time_ms, entry.time_ms);
    journal_.resume(entry.position, entry.at);
    if (entry.time_ms != 0) forget_due();
  }
  return std::nullopt;
}

std::optional<std::string> Replay::take(LogEntry& entry) {
  const bool one = entry.ids.size() == 1;
  switch (entry.kind) {
    case LogEntryKind::kStarted:
      return take_started(entry);
    case LogEntryKind::kCeiling:
      return std::nullopt;
    case LogEntryKind::kCommit:
      return take_commit(entry);
    case LogEntryKind::kVote:
      return one ? take_vote(entry) : at_entry(entry.position, "a vote without its attempt");
    case LogEntryKind::kOutcome:
      return one ? take_outcome(entry) : at_entry(entry.position, "an outcome without its attempt");
    case LogEntryKind::kForgotten:
      for (const AttemptId& id : entry.ids) told_.together.erase(id);
      return std::nullopt;
    case LogEntryKind::kAborted:
      for (const AttemptId& id : entry.ids) told_.aborted[id] = entry.expires_wall_ms;
      return std::nullopt;
    case LogEntryKind::kNatives:
      return take_natives(entry);
    case LogEntryKind::kSession:
      native_sessions_.restore(entry.natives.session);
      return std::nullopt;
    case LogEntryKind::kImported:
    case LogEntryKind::kGave:
    case LogEntryKind::kTook:
    case LogEntryKind::kDropped:
    case LogEntryKind::kSettled:
      return take_move(entry);
    case LogEntryKind::kPromised:
      journal_.resume_promise(entry.promised_ms);
      return std::nullopt;
    case LogEntryKind::kType:
      if (!restore_type(entry.type)) return at_entry(entry.position, "a type that cannot be installed");
      return std::nullopt;
    case LogEntryKind::kNone:
      break;
  }
  return at_entry(entry.position, "of unknown kind");
}

bool Replay::restore_type(const LoggedType& logged) {
  const composed::InstalledType type{logged.id, logged.retired, std::string(logged.definition)};
  if (records_.types().problem(type)) return false;
  records_.types().install(type);
  read_unread();
  return true;
}

std::optional<std::string> Replay::take_started(const LogEntry& entry) {
  if (entry.format == 0 || entry.format > kLogFormat) {
    return at_entry(entry.position, "written by another version (format " + std::to_string(entry.format) + ")");
  }
  if (entry.shard != place_.shard || entry.shards != place_.shards) {
    return at_entry(entry.position, "written by shard " + std::to_string(entry.shard) + " of " + std::to_string(entry.shards) +
                                        ", not by shard " + std::to_string(place_.shard) + " of " + std::to_string(place_.shards));
  }
  if (!is_later(entry.incarnation)) {
    return at_entry(entry.position, "written by incarnation " + std::to_string(entry.incarnation) + "; a start needs a greater one");
  }
  return std::nullopt;
}

// Whether this start is later than that one, as far as its incarnation is known yet.
bool Replay::is_later(std::uint64_t incarnation) {
  told_.newest_incarnation = std::max(told_.newest_incarnation, incarnation);
  return context_.incarnation == 0 || context_.incarnation > incarnation;
}

std::optional<std::string> Replay::earlier_incarnation() const {
  if (context_.incarnation > told_.newest_incarnation) return std::nullopt;
  return "the log was written by incarnation " + std::to_string(told_.newest_incarnation) + "; a start needs a greater one than " +
         std::to_string(context_.incarnation);
}

void Replay::forget_due() {
  while (deduplication_.forget_due(static_cast<double>(told_.time_ms))) {
  }
  deduplication_.forget_fresh();
  effects_.take_changed();
  if (told_.outcomes.size() + told_.aborted.size() < 2 * told_.remembered + kRememberedLeast) return;
  std::erase_if(told_.outcomes, [&](const KeptOutcome& outcome) { return outcome.until_wall_ms < told_.time_ms; });
  absl::erase_if(told_.aborted, [&](const auto& aborted) { return aborted.second < told_.time_ms; });
  told_.remembered = told_.outcomes.size() + told_.aborted.size();
}

bool Replay::is_void(const Record& record, std::uint64_t position) const {
  const std::uint64_t emptied = moves_.slots().emptied_at(record.slot);
  return emptied != 0 && record.last_commit != 0 && record.last_position <= emptied && emptied < position;
}

bool Replay::become(Record& record, const DataType& type) {
  if (record.type == &type || is_of_record(type)) return true;
  // Its parts are still to come.
  const auto in_parts = told_.in_parts.find(record.key);
  if (in_parts != told_.in_parts.end() && in_parts->second.come < in_parts->second.parts) return false;
  return effects_.become(record, type);
}

std::optional<std::string> Replay::take_visits(LogEntry& entry, Attempt& attempt) {
  std::uint32_t member = 0;
  std::uint32_t left = 0;  // operations of that member
  for (LoggedOperation& operation : entry.operations) {
    for (; attempt.batch && left == 0; ++member) left = attempt.batch->parts[member].operations;
    if (attempt.batch) --left;
    TakenOperation taken;
    if (!take_logged(operation, records_.types(), taken)) return at_entry(entry.position, "an invalid operation");
    Record& record = records_.find_or_create(operation.key, *taken.type);
    if (is_void(record, entry.position) && record.pins == 0) effects_.clear(record);
    const bool told_late = attempt.member_of_epoch && is_told_late(*taken.call.operation);
    if (told_late) attempt.member_of_epoch->told_late.push_back(nullptr);
    if (!become(record, *taken.type)) {
      // The record had no commit at that time and was created later with another type: the checkpoint has that later record, without this
      // attempt.
      if (contains(record, entry.position)) continue;
      return at_entry(entry.position, "an operation on a record of another type");
    }
    records_.pin(record, *taken.type);
    Visit& visit = attempt.visit(record);
    visit.type = taken.type;
    visit.call = std::move(taken.call);
    visit.result = std::move(operation.result);
    visit.exclusive = operation.exclusive;
    visit.request_number = member;
    visit.executed = attempt.epoch == 0;
    if (told_late) attempt.member_of_epoch->told_late.back() = &visit;
  }
  return std::nullopt;
}

void Replay::take_effects(Attempt& attempt, Timestamp at, std::uint64_t position) {
  // Decided before the first is applied: an attempt may visit a record several times.
  for (Visit& visit : attempt.visits) visit.admitted = !contains(*visit.record, position);
  for (Visit& visit : attempt.visits) {
    if (visit.admitted && at != 0) effects_.apply(visit, timestamp_of(visit, attempt, at), position);
    Record& record = *visit.record;
    records_.unpin(record, *visit.type);
    records_.tidy(record);
  }
}

std::optional<std::string> Replay::take_commit(LogEntry& entry) {
  Attempt attempt(keeper_);
  if (auto problem = take_visits(entry, attempt)) return problem;
  take_effects(attempt, entry.at, entry.position);
  if (entry.has_transaction) {
    deduplication_.claim(entry.transaction, entry.answer);
    deduplication_.commit(entry.transaction, entry.at, entry.until_wall_ms, entry.position);
  }
  if (entry.ids.empty()) return std::nullopt;
  auto& alone = told_.alone;
  // Not decided by timestamps: restarts and other shards may have moved them far ahead of the wall clock.
  told_.last_expires_wall_ms = std::max(told_.last_expires_wall_ms, entry.expires_wall_ms);
  const double least_wall_ms = static_cast<double>(told_.last_expires_wall_ms) - limits::kAttemptExpiryMsMax;
  const auto is_over = [&](const Told::Alone& commit) { return static_cast<double>(commit.expires_wall_ms) + kAskGraceMs < least_wall_ms; };
  while (!alone.empty() && is_over(alone.front())) alone.pop_front();
  alone.push_back({entry.ids.front(), entry.at, entry.expires_wall_ms});
  return std::nullopt;
}

std::optional<std::string> Replay::take_natives(LogEntry& entry) {
  std::vector<Record*> changed;  // in the order of the log, in which a checkpoint will put them
  absl::flat_hash_set<const Record*> known;  // those in `changed`; looked up, never iterated
  absl::flat_hash_set<const Record*> changed_at_once;  // at the time of the last one; looked up, never iterated
  NativeAnswers* answers = answers_to_keep(entry);
  std::uint64_t number = entry.natives.first;
  Timestamp last = entry.at;
  for (LoggedOperation& operation : entry.operations) {
    TakenOperation taken;
    if (!take_logged(operation, records_.types(), taken)) return at_entry(entry.position, "an invalid operation");
    Record& record = records_.find_or_create(operation.key, *taken.type);
    // Before the first of the record's operations is applied.
    if (is_void(record, entry.position) && record.pins == 0 && !known.contains(&record)) effects_.clear(record);
    const Timestamp at = HybridClock::after(entry.at, operation.ticks);
    if (at != last) changed_at_once.clear();
    last = std::max(last, at);
    number += operation.skipped;
    if (answers != nullptr) keep_answer(*answers, entry.position, number, at, taken, operation.result);
    ++number;
    if (contains(record, entry.position)) {
      records_.tidy(record);  // of an emptied slot
      continue;
    }
    if (!become(record, *taken.type)) {
      return at_entry(entry.position, "an operation on a record of another type");
    }
    effects_.apply(record, *taken.type, taken.call, operation.result, at, changed_at_once.insert(&record).second);
    if (known.insert(&record).second) changed.push_back(&record);
  }
  // Not before: a record that appears several times contains the entry from then on.
  for (Record* record : changed) effects_.logged(*record, entry.position);
  entry.at = last;  // the journal continues above it
  return std::nullopt;
}

std::optional<std::string> Replay::take_move(LogEntry& entry) {
  const LoggedMove& move = entry.move;
  if (move.id.empty() || move.id.size() > kMoveIdBytesMax || !move.slots.valid()) return at_entry(entry.position, "an invalid move");
  if (entry.kind == LogEntryKind::kImported && !importing_.stage(move.pairs, move.slots, entry.position)) {
    return at_entry(entry.position, "an invalid piece of another shard");
  }
  if (entry.position > moves_.position()) {
    moves_.apply(entry.kind, move, entry.at, entry.position);
    moves_.durable(entry.position);
  }
  return std::nullopt;
}

// Null if the natives are not numbered, or if the checkpoint has their answers.
NativeAnswers* Replay::answers_to_keep(const LogEntry& entry) {
  if (entry.natives.session == 0) return nullptr;
  NativeAnswers& answers = native_sessions_.restore(entry.natives.session).answers;
  answers.forget_below(entry.natives.below);
  return entry.position > answers.position() ? &answers : nullptr;
}

// A batch continues as an ordinary attempt, but a checkpoint names its members again. False if it does not consist of them.
bool Replay::take_members(const LogEntry& entry, Attempt& attempt) {
  if (entry.members.empty()) return true;
  attempt.batch = std::make_unique<Batch>();
  std::size_t operations = 0;
  for (const LoggedMember& member : entry.members) {
    attempt.batch->ticks = std::max(attempt.batch->ticks, member.ticks);
    attempt.batch->parts.push_back({member.id, member.ticks, member.operations, counters_.label_number(member.label)});
    operations += member.operations;
  }
  return operations == entry.operations.size();
}

std::optional<std::string> Replay::take_vote(LogEntry& entry) {
  auto attempt = std::make_unique<Attempt>(keeper_);
  attempt->id = entry.ids.front();
  attempt->priority = entry.priority;
  attempt->label = counters_.label_number(entry.label);
  attempt->stage = Stage::kVoted;
  attempt->logged = true;
  attempt->vote_position = entry.position;
  attempt->voted_at = entry.at;
  attempt->voted_ms = -std::numeric_limits<double>::infinity();
  attempt->participants = entry.participants;
  if (entry.epoch != 0) {
    attempt->epoch = entry.epoch;
    attempt->member_of_epoch = std::make_unique<EpochMember>();
    attempt->member_of_epoch->manager = manager_of(entry.epoch);
    attempt->member_of_epoch->shards = entry.epoch_shards;
    told_.aborted.erase(attempt->id);  // an epoch before has not taken it
  }
  if (entry.has_transaction) {
    attempt->transaction = std::make_unique<TransactionId>(entry.transaction);
    deduplication_.claim(entry.transaction, entry.answer, entry.keep_ms);
  }
  if (!told_.position_of.emplace(attempt->id, entry.position).second) {
    return at_entry(entry.position, "a second vote of one attempt");
  }
  if (!take_members(entry, *attempt)) return at_entry(entry.position, "the members of a batch do not have all its operations");
  if (auto problem = take_visits(entry, *attempt)) return problem;
  told_.voted.emplace(entry.position, Told::Voted{std::move(attempt), entry.expires_wall_ms});
  return std::nullopt;
}

bool Replay::take_late_results(LogEntry& entry, Attempt& attempt) {
  const std::vector<Visit*>& visits = attempt.member_of_epoch->told_late;
  if (visits.size() != entry.results.size()) return false;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (visits[i] != nullptr) visits[i]->result = std::move(entry.results[i]);
  }
  return true;
}

std::optional<std::string> Replay::take_outcome(LogEntry& entry) {
  const auto position = told_.position_of.find(entry.ids.front());
  if (position == told_.position_of.end()) return at_entry(entry.position, "the outcome of an attempt that has not voted");
  const auto voted = told_.voted.find(position->second);
  Attempt& attempt = *voted->second.attempt;
  if (entry.at != 0 && entry.at < attempt.voted_at) return at_entry(entry.position, "a commit before its vote");
  const Timestamp last = last_timestamp(attempt, entry.at);
  if (attempt.epoch != 0 && entry.at != 0 && !take_late_results(entry, attempt))
    return at_entry(entry.position, "an outcome without its results");
  take_effects(attempt, entry.at, entry.position);
  if (attempt.transaction && entry.at != 0) {
    deduplication_.commit(*attempt.transaction, entry.at, entry.until_wall_ms, entry.position);
  } else if (attempt.transaction) {
    deduplication_.release(*attempt.transaction);
  }
  const std::uint64_t expires_wall_ms = voted->second.expires_wall_ms;
  if (entry.at != 0) {
    told_.together[attempt.id] = {entry.at, expires_wall_ms, attempt.participants};
  } else {
    told_.aborted[attempt.id] = expires_wall_ms;
  }
  told_.position_of.erase(position);
  told_.voted.erase(voted);
  entry.at = last;  // the journal continues above it
  return std::nullopt;
}

}  // namespace claret
