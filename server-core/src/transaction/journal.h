// Journal: the end of the log that this shard writes. Entries are appended as events occur, taken by the keeper of the log, and *durable*
// once the keeper reports them so; output that depends on an entry does not leave earlier (docs/rules.md, section 9).
//
// Positions count entries, from 1, over all starts of the shard. A journal that is off appends nothing: its position stays 0, and nothing
// ever waits for it. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "transaction/attempt.h"
#include "transaction/intake.h"
#include "wire/log_entry.h"

namespace claret {

class Journal {
 public:
  explicit Journal(bool on) : on_(on) {}

  bool on() const { return on_; }
  // True once this start is logged: entries may follow.
  bool started() const { return start_ != 0; }
  // The position of this start's entry; no output leaves before it is durable.
  std::uint64_t start() const { return start_; }
  // The position of the last entry appended or replayed.
  std::uint64_t position() const { return position_; }
  // Every entry up to here is durable.
  std::uint64_t durable() const { return durable_; }
  void durable(std::uint64_t position) { durable_ = std::max(durable_, std::min(position, position_)); }

  // No entry has a timestamp above this one.
  Timestamp highest() const { return highest_; }
  // An entry has this timestamp.
  void reached(Timestamp at) { highest_ = std::max(highest_, at); }
  // Continues an existing log with entries up to `position` and timestamps up to `highest`.
  void resume(std::uint64_t position, Timestamp highest) {
    position_ = durable_ = position;
    reached(highest);
  }

  // Each appends an entry and returns its position. REQUIRES: on().
  void start(const ShardPlace& place, std::uint64_t incarnation, std::uint64_t time_ms);
  void ceiling(Timestamp ceiling, std::uint64_t time_ms) {
    reached(ceiling);
    log_entry::add_ceiling(entries_, ++position_, ceiling, time_ms);
  }
  // A commit at this shard alone, with the operations that change something. `answer` (here and below): null except for a transaction with
  // an id.
  std::uint64_t commit(const Attempt& attempt, Timestamp at, std::uint64_t expires_wall_ms, const AnswerToLog* answer);
  std::uint64_t vote(const Attempt& attempt, const VoterToLog& voter, std::uint64_t expires_wall_ms, const AnswerToLog* answer);
  // Native operations, each at its ticks after `at`. `last`: the timestamp of the last one.
  std::uint64_t natives(Timestamp at, Timestamp last, std::span<const OperationToLog> operations, const NumberedNatives& numbers);
  void session(std::uint64_t session) { log_entry::add_session(entries_, ++position_, session); }
  std::uint64_t outcome(const Attempt& attempt, Timestamp at, std::uint64_t until_wall_ms = 0);
  // `kind`: one of those of moves.
  std::uint64_t move(LogEntryKind kind, const LoggedMove& move, Timestamp at = 0) {
    reached(at);
    log_entry::add_move(entries_, ++position_, kind, move, at);
    return position_;
  }
  // Grants of warranties may stand for so long from now on; 0: none stands.
  std::uint64_t promise(std::uint64_t promised_ms) {
    promised_ms_ = promised_ms;
    log_entry::add_promised(entries_, ++position_, promised_ms);
    return position_;
  }
  std::uint64_t type(const composed::InstalledType& type) {
    log_entry::add_type(entries_, ++position_, {type.id, type.retired, type.definition});
    return position_;
  }
  // As the log says it.
  std::uint64_t promised_ms() const { return promised_ms_; }
  void resume_promise(std::uint64_t promised_ms) { promised_ms_ = promised_ms; }
  void forgotten(const std::vector<AttemptId>& ids) { log_entry::add_forgotten(entries_, ++position_, ids); }
  void aborted(const AttemptId& id, std::uint64_t until_wall_ms) { log_entry::add_aborted(entries_, ++position_, id, until_wall_ms); }

  // The entries appended since the last call; false if there are none.
  bool take(std::string& entries);
  bool any_to_take() const { return !entries_.empty(); }

  // Appends the entry of a vote to any log.
  static void add_vote(std::string& log, std::uint64_t position, const Attempt& attempt, const VoterToLog& voter,
                       std::uint64_t expires_wall_ms, const AnswerToLog* answer);

 private:
  bool on_;
  std::uint64_t start_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t durable_ = 0;
  Timestamp highest_ = 0;
  std::uint64_t promised_ms_ = 0;
  std::string entries_;
};

}  // namespace claret
