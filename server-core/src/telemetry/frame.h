// TelemetryFrame: the report of a shard about the time since the last frame. client/telemetry/shard.ts explains each member.
//
// Times are milliseconds before the frame (`ago_ms`); lists are bounded (counters/bounds.h). Views into the shard are valid until
// the next call of the shard. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adt/adt.h"
#include "counters/conflict_pairs.h"
#include "counters/counters.h"
#include "wire/client_frame.h"

namespace claret {

// An operation of a transaction, by name.
struct ShownOperation {
  const DataType* type = nullptr;
  const OperationSpec* operation = nullptr;
};

struct ShownConflict {
  std::string_view holder_label;
  std::string_view comer_label;
  ShownOperation holder;
  ShownOperation comer;
  std::string_view outcome;  // ConflictPair::outcome()
  std::uint64_t count;
};

struct ShownMode {
  std::string_view mode;
  std::uint64_t holders;  // operations
  std::uint64_t waiting;  // claims, among the first kWaitersCounted
};

struct ShownPhase {
  std::string_view mode;
  std::string session;  // of a run: the name of the session whose run it is
  double began_ago_ms;
  double length_ms;
  std::uint32_t let_in;
  bool capped;
};

// A promised result that stands, or has stood.
struct ShownWarranty {
  ShownOperation operation;
  std::uint64_t holders;  // sessions that have it
  double began_ago_ms;
  double length_ms;  // so far, if it stands
  double recalled_ms;  // of that, the last part, in which something waited for its end
  bool ended;
  bool lapsed;  // a session that had it did not return it
};

struct ShownRecord {
  std::string key;
  std::string_view type;
  double heat;
  double tracked_ms;  // the time that the counts cover, where that is less than the frame's
  std::uint64_t operations;
  std::uint64_t conflicts;
  std::uint64_t waits;  // ended
  double wait_ms;  // summed over the ended waits
  std::uint64_t natives;  // executed, among `operations`
  std::uint64_t native_waits;  // begun
  std::uint64_t native_breaks;
  std::uint64_t waiting;  // claims, now
  std::vector<ShownMode> modes;
  std::vector<ShownPhase> phases;  // ended, oldest first
  std::optional<ShownPhase> phase;  // the current one, if an operation has waited in it
  std::vector<ShownWarranty> warranties;  // ended, oldest first, and then standing ones
};

// A turn that the shard has granted, or several short ones of one session.
struct ShownTurns {
  std::string session;  // its name
  std::uint32_t peer = 0;  // the number of the session: names may be equal
  double began_ago_ms = 0;
  double length_ms = 0;  // of all of them
  std::uint64_t turns = 0;
  std::size_t waiting = 0;  // the most sessions that waited for one at once
  std::uint64_t recalled = 0;  // turns that another session wanted
  std::uint64_t timed_out = 0;  // of these, those that were waited for no longer
};

// An epoch at this shard, or several: their times and counts are added up.
struct ShownEpochs {
  std::uint32_t manager = 0;
  double closed_ago_ms = 0;  // the first close
  double gather_ms = 0;  // before that, since when the member that had waited longest was gathered
  double list_ms = 0;  // from the close to the list
  double held_ms = 0;  // from the list to the decision
  double turn_ms = 0;  // from the decision to the last turn
  std::uint64_t epochs = 0;
  std::uint64_t reads = 0;  // members that committed, and only observe
  std::uint64_t writes = 0;  // other members that committed
  std::uint64_t read_operations = 0;  // of these
  std::uint64_t write_operations = 0;
  std::uint64_t came_back = 0;  // times that a member was not listed, or not committed
  std::uint64_t called_off = 0;  // epochs
  std::vector<std::uint32_t> late;  // the shards whose lists were late for those
};

struct ShownBlocker {
  std::uint64_t transaction;
  std::string_view label;
  ShownOperation operation;
  bool holds;  // false: it waits in front
  bool voted;
  bool waits;  // the blocker itself, anywhere at this shard
};

// A session for which a change waits.
struct ShownHolder {
  std::string session;
  bool lost;
  double silent_ms;  // of one that is not lost
};

// What stands in the way of a change that sleeps.
struct ShownObstacle {
  ShownOperation operation;  // none: the shard has started, and warranties from before may stand
  std::vector<ShownHolder> holders;
  bool more_holders = false;
};

struct ShownWaiter {
  std::uint64_t transaction;  // of a native: a number of its own
  std::string_view label;
  std::string key;
  ShownOperation operation;
  std::string_view mode;
  std::string_view cause;
  double waited_ms;
  std::vector<ShownBlocker> blockers;
  bool more_blockers;
  std::optional<ShownObstacle> warranty;  // of one that sleeps
};

enum class Course : std::uint8_t {
  kGranted,  // at once
  kWaited,  // and then granted
  kWaiting,  // when the attempt ended
  kDenied,
  kRefused,
  kAhead,  // a member's: executed ahead of its commit
  kUntried,
};

struct OperationSlice {
  std::string key;
  ShownOperation operation;
  Course course = Course::kUntried;
  std::uint32_t beside = 0;  // operations of other transactions that held the record then; kAhead: that were undecided below
  double waited_ms = 0;
  std::string_view blocker_label;  // of the first transaction in its way
  ShownOperation blocker;
};

struct RequestSlice {
  double at_ms = -1;  // monotonic; negative: unknown
  std::uint32_t number = 0;
  std::vector<OperationSlice> operations;
};

struct Sample {
  std::uint64_t transaction;
  std::string_view label;
  std::uint32_t retries;
  bool traced;  // from its beginning; false: put together at its end, so that earlier waits are unknown
  double began_ms;
  double voted_ms = -1;  // negative: it did not vote, or commits at this shard alone
  double ended_ms = 0;
  bool committed = false;
  std::string_view code;  // of the abort
  std::string_view cause;
  std::uint32_t warranted = 0;  // readings that the client has answered from memory
  std::size_t batch_members = 0;  // of the batch in which the member voted; 0: of none
  std::string_view stood_back;  // why that batch stood back; empty: it did not
  std::uint32_t operations_left_out = 0;
  std::uint64_t needs = 0;  // the log position that must be durable before the sample is reported; not reported itself
  std::vector<RequestSlice> requests;
};

struct TelemetryFrame {
  double wall_ms = 0;
  double monotonic_ms = 0;
  double elapsed_ms = 0;  // since the last frame
  std::uint64_t number = 0;  // from 1, since the shard is observed
  Totals totals;
  std::size_t in_flight = 0;
  std::size_t waiting = 0;
  std::size_t in_doubt = 0;
  std::size_t records = 0;
  std::size_t sessions = 0;
  std::size_t undecided_members = 0;
  std::size_t clocks_apart = 0;  // shards whose clocks are too far from this one's
  std::size_t grants_standing = 0;
  std::size_t members_of_epochs = 0;  // gathered, or listed
  std::vector<ShownConflict> conflicts;  // most frequent first
  std::uint64_t conflicts_left_out = 0;
  std::vector<ShownRecord> hot_records;  // hottest first
  std::size_t records_tracked = 0;
  std::uint64_t phases_left_out = 0;
  std::uint64_t warranties_left_out = 0;
  std::vector<ShownTurns> turns;  // ended, oldest first; they do not overlap
  std::optional<ShownTurns> turn;  // the current one
  std::uint64_t turns_left_out = 0;
  std::vector<ShownEpochs> epochs;  // ended, oldest first
  std::uint64_t epochs_left_out = 0;
  std::vector<ShownWaiter> waiters;  // longest wait first
  std::vector<Sample> samples;  // in order of their ends
  std::uint64_t commits_sampled_one_in = 1;
  std::uint64_t aborts_left_out = 0;
};

// The frame as JSON: `ShardTelemetry` of client/telemetry/shard.ts.
std::string to_json(const TelemetryFrame& frame);

// A key for a report: the whole key, or its beginning and a digest of all of it.
std::string shown_key(std::string_view key);
// A session's name for a report, cut like a key; empty if it is not text.
std::string shown_session(std::string_view name);
// Identifies a transaction, the same on every shard and for every attempt: derived from the priority, which a retry keeps. (The
// attempt's id is not reported: a client that knows it may ask for the outcome, and wound.)
std::uint64_t shown_transaction(std::uint64_t priority);
inline ShownOperation shown(const DataType& type, const Call& call) { return {&type, call.operation}; }

}  // namespace claret
