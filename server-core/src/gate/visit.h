// The classes whose objects come to a gate.
//
//   Party        a visitor of gates: an attempt of a transaction, as a class derived from it.
//   Visit        one operation of a party on one record: waiting, or holding the record's gate.
//   Claim        the visits of one request on one record: granted together or not at all.
//   GateRequest  one request of a party: its claims on all records that it names.
//   Native       one operation outside any transaction: it holds nothing, but may have to wait (gate/native.h).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "adt/adt.h"
#include "gate/table.h"
#include "gate/verdict.h"
#include "ground/errors.h"
#include "ground/identifiers.h"
#include "structure/block_pool.h"

namespace claret {

struct Claim;
struct GateRequest;
struct Party;
struct Record;
struct Warranty;

// The stage of a party's life.
enum class Stage : std::uint8_t {
  kRunning,
  kVoted,  // it keeps all that it holds until its outcome is known: this shard must not end it
  kEntered,  // executed ahead of its commit, in the runs of its chain (gate/run.h): it waits for nothing, and is not wounded
  kLeaving,  // it has ended; its remaining locks are released over several turns
};

// Later than all times.
inline constexpr Timestamp kNeverCommits = std::numeric_limits<Timestamp>::max();

// The mode of an operation that wants a record exclusively, for every type; the types' own modes have smaller numbers.
inline constexpr Mode kExclusiveMode = kModesMax;
inline constexpr std::size_t kAllModes = kModesMax + 1;

struct Visit {
  Party* party = nullptr;
  Record* record = nullptr;  // null once the visit is over
  const DataType* type = nullptr;  // the record's, or record_operations()
  Visit* previous = nullptr;  // the party's visit on this record before this one
  Visit* first = nullptr;  // the party's first visit on this record, perhaps this one; it keeps the count for all of them:
  std::array<std::uint16_t, kAllModes> held_in_mode{};  // number of visits that hold
  Call call;
  Value result;
  Mode mode = 0;
  bool intent = false;  // takes only the lock: no reservation, no effect
  bool exclusive = false;  // wants the record exclusively: its transaction will both observe and change it
  bool observes_at_once = false;  // only observes, and leaves at once: it passes attempts that have yet to vote (gate.h)
  bool executed = false;  // `result` was computed, perhaps on an older state
  bool admitted = false;  // its result is valid and its reservation is taken
  bool held = false;  // it is among the gate's holders
  std::uint32_t holder_index = 0;  // its index there, while held
  // The number of its request among the party's, from 1. A batch that holds locks has no requests: there it is the number of the member.
  std::uint32_t request_number = 0;
  std::uint32_t number = 1;  // among the party's visits on this record, from 1
  Claim* claim = nullptr;  // valid as long as its request

  // True if it holds the gate and only the outcome of its transaction releases it.
  bool voted() const;
};

struct Claim {
  GateRequest* request = nullptr;
  Party* party = nullptr;
  Record* record = nullptr;
  absl::InlinedVector<Visit*, 2> visits;  // in order of issue
  Mode mode = 0;  // the queue in which it waits: the common mode of its visits, or exclusive
  bool holds_elsewhere = false;  // it ends the party's transaction, and other shards hold their branches until it is granted
  bool observes_at_once = false;  // all its visits do
  bool waiting = false;
  bool granted = false;
  bool changed = false;  // it may wait for other parties than before
  Verdict verdict;  // of the last try; a claim of a whole request may wait only for the others
  double waiting_since_ms = 0;
  std::string_view cause;  // of its wait, as it was when that began (counters.h, waits)

  bool blocked() const { return verdict.waits(); }
  // Others pass it. A request that is granted as a whole is next nowhere while one of its claims sleeps.
  bool is_passed() const;
};

struct GateRequest {
  Party* party = nullptr;
  absl::InlinedVector<Visit*, 4> visits;
  absl::InlinedVector<Claim, 4> claims;  // filled when the request is taken, and never grown: gates point to the claims
  std::size_t ungranted = 0;
  std::uint32_t number = 0;  // among the party's requests, from 1
  // The end of the party's attempt, or all that it names beforehand. It is granted as a whole, and until then holds none of its locks.
  bool whole = false;
  bool sleeps = false;  // it is, and one of its claims slept when it was tried last without being held back
  // Executes and commits in one message, and holds nothing before.
  bool ends_here = false;
  // The same, and holds nothing afterwards either: it does not leave in parts.
  bool leaves_at_once = false;
  // The request ends the party's transaction, and other shards hold their branches until it is granted.
  bool holds_elsewhere = false;

  virtual ~GateRequest() = default;

  // Notifications of what waiting has led to; called by Locks::settle. The request may be destroyed by them.
  virtual void granted() {}
  virtual void refused(const Refusal&, const Visit& /*refused*/) {}
  // The request still waits, but holds more than before or waits for other parties: that may have closed a cycle.
  virtual void moved() {}
};

inline bool Claim::is_passed() const { return verdict.sleeps() || request->sleeps; }

struct Party {
  Stage stage = Stage::kRunning;
  std::uint64_t serial = 0;  // in order of arrival at this shard; 0: never waits
  std::uint64_t priority = 0;  // smaller is older
  AttemptId id{};  // breaks ties, in the same way on every shard
  std::uint32_t label = 0;  // number of the transaction's label
  std::deque<Visit, BlockAllocator<Visit>> visits;  // in order of issue
  std::vector<Claim*> waiting;
  double expires_at_ms = std::numeric_limits<double>::infinity();
  double waits_until_ms = std::numeric_limits<double>::infinity();  // then warranties of other shards end on which it relies
  Timestamp voted_at = 0;  // what it changes here commits at this time or later; 0: at any. kNeverCommits: it has ended without effects
  EpochNumber epoch = 0;  // in which it is listed: it passes the other members of that epoch (Locks::list)
  bool guarded = false;  // natives have broken earlier attempts of its transaction: they wait for it for a while (gate/native.h)

  // Wounds (wounds.h): an older party waits for this one, so this one may not wait.
  bool wounded = false;
  double wound_told_ms = -1;  // when its other participants were last notified of the wound; negative: never

  // Completed waits that have not been reported to its client yet.
  double waited_ms = 0;
  std::uint32_t locks_waited_for = 0;
  std::uint32_t runs_waited_for = 0;  // of these locks, those of records on which a chain ran

  virtual ~Party() = default;

  // ---- used by the wound rules
  // The request that is at the gates, or null.
  virtual const GateRequest* asking() const { return nullptr; }
  // True if the party runs, has sent nothing since then, and has no request in flight.
  virtual bool silent_since(double /*ms*/) const { return false; }
  // `first`: notify its client. `others`: notify its other participants too, since it has voted.
  virtual void tell_wound(std::uint64_t /*wounder_priority*/, bool /*first*/, bool /*others*/) {}
  // Aborts the party with this error. REQUIRES: it runs. The party may be destroyed.
  virtual void end_with(const Error&) {}

  // Adds a visit, linked to the previous one on the same record.
  Visit& visit(Record& record);
  // Removes the newest visit without a trace. REQUIRES: it neither holds nor waits.
  void drop_newest_visit();
  // The party's last visit on the record, or null.
  Visit* latest(const Record& record);

 private:
  static constexpr std::size_t kSearchedMax = 16;  // above this number, visits are looked up by record
  absl::flat_hash_map<const Record*, Visit*> latest_;  // looked up, never iterated
};

struct Native {
  Record* record = nullptr;
  const DataType* type = nullptr;  // the record's, or record_operations()
  Call call;
  bool sleeps = false;  // as a claim does
  std::string_view command_name{};  // of the command that executes it; empty: it was sent as it is

  bool observes() const { return call.operation->operation_class == OperationClass::kObserve; }
  Asker asker() const { return observes() ? Asker::kLook : Asker::kNative; }
};

struct WaitingNative : Native {
  double since_ms = 0;
  std::uint64_t serial = 0;  // in order of arrival at this shard
};

inline bool changes(const Visit& visit) { return !visit.intent && visit.call.operation->operation_class != OperationClass::kObserve; }

// A holder's column in the table.
inline Standing standing_of(const Visit& holder) { return holder.party->stage == Stage::kRunning ? Standing::kSoft : Standing::kHard; }

inline bool Visit::voted() const { return held && party->stage == Stage::kVoted; }

// "Type.operation", as errors name it.
inline std::string operation_name(const DataType& type, const Call& call) {
  std::string name(type.name());
  name += '.';
  name += call.operation->name;
  return name;
}

inline bool older(const Party& first, const Party& second) {
  return first.priority != second.priority ? first.priority < second.priority : first.id < second.id;
}

}  // namespace claret
