#include "transaction/journal.h"

#include <utility>

#include "gate/gate.h"
#include "ground/check.h"

namespace claret {

namespace {

OperationToLog to_log(const Visit& visit) {
  const std::uint32_t code = std::uint32_t{visit.type->id()} << 8 | visit.call.operation->id;
  return {visit.record->key, code, &visit.call, &visit.result, visit.exclusive};
}

OperationsToLog operations_of(const Attempt& attempt, bool reads_too) {
  OperationsToLog operations;
  for_each_visit(attempt, [&](const Visit& visit) {
    if (changes(visit) || (reads_too && !visit.intent)) operations.push_back(to_log(visit));
  });
  return operations;
}

}  // namespace

void Journal::start(const ShardPlace& place, std::uint64_t incarnation, std::uint64_t time_ms) {
  CLARET_CHECK(on_);
  start_ = ++position_;
  log_entry::add_started(entries_, start_, place.shard, place.shards, incarnation, time_ms);
}

std::uint64_t Journal::commit(const Attempt& attempt, Timestamp at, std::uint64_t expires_wall_ms, const AnswerToLog* answer) {
  CLARET_CHECK(on_);
  reached(at);
  log_entry::add_commit(entries_, ++position_, &attempt.id, at, expires_wall_ms, operations_of(attempt, false), answer);
  return position_;
}

std::uint64_t Journal::vote(const Attempt& attempt, const VoterToLog& voter, std::uint64_t expires_wall_ms, const AnswerToLog* answer) {
  CLARET_CHECK(on_);
  reached(attempt.voted_at);
  add_vote(entries_, ++position_, attempt, voter, expires_wall_ms, answer);
  return position_;
}

void Journal::add_vote(std::string& log, std::uint64_t position, const Attempt& attempt, const VoterToLog& voter,
                       std::uint64_t expires_wall_ms, const AnswerToLog* answer) {
  log_entry::add_vote(log, position, attempt.id, attempt.voted_at, expires_wall_ms, operations_of(attempt, true), voter, answer);
}

std::uint64_t Journal::outcome(const Attempt& attempt, Timestamp at, std::uint64_t until_wall_ms) {
  CLARET_CHECK(on_);
  reached(at);
  absl::InlinedVector<const Value*, 8> results;
  if (attempt.member_of_epoch && at != 0) {
    for (const Visit& visit : attempt.visits) {
      if (is_told_late(*visit.call.operation)) results.push_back(&visit.result);
    }
  }
  log_entry::add_outcome(entries_, ++position_, attempt.id, at, until_wall_ms, results);
  return position_;
}

std::uint64_t Journal::natives(Timestamp at, Timestamp last, std::span<const OperationToLog> operations, const NumberedNatives& numbers) {
  CLARET_CHECK(on_ && !operations.empty());
  reached(last);
  log_entry::add_natives(entries_, ++position_, at, operations, numbers);
  return position_;
}

bool Journal::take(std::string& entries) {
  if (entries_.empty()) return false;
  entries = std::exchange(entries_, {});
  return true;
}

}  // namespace claret
