// What comes to a gate.
//
//   Party        a visitor of gates: an attempt of a transaction, or an operation that a session shares among its attempts. Another
//                kind is another class that derives from it.
//   Visit        one operation of a party on one record: waiting, or holding the record's gate.
//   Claim        the visits of one request on one record: granted together or not at all.
//   GateRequest  what a party asks for at once: the claims on all records that it names.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "adt/adt.h"
#include "ground/errors.h"
#include "ground/identifiers.h"
#include "structure/block_pool.h"

namespace claret {

struct Claim;
struct GateRequest;
struct Party;
struct Record;

// How far a party has come.
enum class Stage : std::uint8_t {
  kRunning,
  kVoted,  // it keeps all that it holds until it learns its outcome: nothing at this shard may end it
  kLeaving,  // it has ended; what it still holds goes turn by turn
};

// The mode of an operation that wants a record to itself, whatever the type; types number theirs below it.
inline constexpr Mode kExclusiveMode = kModesMax;
inline constexpr std::size_t kAllModes = kModesMax + 1;

struct Visit {
  Party* party = nullptr;
  Record* record = nullptr;  // null once it is over
  const DataType* type = nullptr;
  Visit* previous = nullptr;  // the party's visit on this record before this one
  Visit* first = nullptr;  // the party's first visit on this record, perhaps this one; it counts for all of them:
  std::array<std::uint16_t, kAllModes> held_in_mode{};  // those that hold
  Call call;
  Value result;
  Mode mode = 0;
  bool intent = false;  // only the lock: it reserves nothing and has no effect
  bool exclusive = false;  // wants the record to itself: its transaction will both observe and change it
  bool executed = false;  // `result` was computed, perhaps on a state that has changed since
  bool admitted = false;  // its result stands and its reservation is taken
  bool held = false;  // it is among the gate's holders
  std::uint32_t holder_index = 0;  // where, while held
  std::uint32_t request_number = 0;  // of the party's requests, from 1
  std::uint32_t number = 1;  // of the party's visits on this record, from 1
  Claim* claim = nullptr;  // lives as long as its request

  // It holds the gate, and only the outcome of its transaction makes it let go.
  bool voted() const;
};

struct Claim {
  GateRequest* request = nullptr;
  Party* party = nullptr;
  Record* record = nullptr;
  absl::InlinedVector<Visit*, 2> visits;  // in order of issue
  Mode mode = 0;  // the queue it waits in: its visits' common mode, or exclusive
  bool holds_elsewhere = false;  // it ends the party's transaction, and other shards hold their part until it is granted
  bool waiting = false;
  bool granted = false;
  bool blocked = false;  // when it was last tried; a claim of a whole request may wait for the others only
  bool awaits_sum = false;  // when it was last tried, the holders' reservations together were in the way
  bool mode_blocked = false;  // by holders or older waiters that go with none of its mode
  bool changed = false;  // and its result became another: it may wait for others than before
  bool held_back = false;  // when it was last tried, nothing was in its way but its turn (the gate's rule 2)
  double waiting_since_ms = 0;
  bool began_held_back = false;  // held_back, as it was then
};

struct GateRequest {
  Party* party = nullptr;
  absl::InlinedVector<Visit*, 4> visits;
  absl::InlinedVector<Claim, 4> claims;  // filled when its turn comes, and never grown: gates point to them
  std::size_t ungranted = 0;
  std::uint32_t number = 0;  // of the party's, from 1
  // Holds nothing while it waits, is granted whole or not at all: all that the party does here, or all that it is going to do.
  bool whole = false;
  // Executes and commits in one message: never holds anything.
  bool ends_here = false;
  // It ends the party's transaction, and other shards hold their part until it is granted.
  bool holds_elsewhere = false;

  virtual ~GateRequest() = default;

  // What waiting has brought; Locks::settle calls one of them. The request may be gone afterwards.
  virtual void granted() {}
  virtual void refused(const Refusal&, const Visit& /*refused*/) {}
  // It waits still, but holds more than before, or waits for others: that may have closed a cycle.
  virtual void moved() {}
};

enum class PartyKind : std::uint8_t {
  kAttempt,
  kShared,  // an operation that a session shares among its attempts: waits for nothing, has no effect
};

struct Party {
  PartyKind kind = PartyKind::kAttempt;
  Stage stage = Stage::kRunning;
  std::uint64_t serial = 0;  // in order of arrival at this shard; 0: it never waits
  std::uint64_t priority = 0;  // smaller is older
  AttemptId id{};  // breaks ties, alike on every shard
  std::uint32_t label = 0;  // number of the transaction's label
  std::deque<Visit, BlockAllocator<Visit>> visits;  // in order of issue
  std::vector<Claim*> waiting;
  double expires_at_ms = std::numeric_limits<double>::infinity();

  // Wounds (wounds.h): an older party waits for this one, so it may not wait itself.
  bool wounded = false;
  double wound_told_ms = -1;  // when its other participants were told of the wound; never: negative

  // Waits that have ended, since its client was last told.
  double waited_ms = 0;
  std::uint32_t locks_waited_for = 0;

  virtual ~Party() = default;

  // ---- what the wound rules ask of it
  // The request that it is at the gates with, null where there is none.
  virtual const GateRequest* asking() const { return nullptr; }
  // It runs, has asked for nothing since then, and nothing that it has asked for is under way.
  virtual bool silent_since(double /*ms*/) const { return false; }
  // `first`: its client is to be told. `others`: so are its other participants, where it has voted.
  virtual void tell_wound(std::uint64_t /*wounder_priority*/, bool /*first*/, bool /*others*/) {}
  // It ends without a trace, for that reason. REQUIRES: it runs. The party may be gone afterwards.
  virtual void end_with(const Error&) {}

  // A new visit, linked to the one before it on the same record.
  Visit& visit(Record& record);
  // Takes the newest visit out as if it had never been. REQUIRES: it neither holds nor waits.
  void drop_newest_visit();
  // Its last visit on the record, null where it has none.
  Visit* latest(const Record& record);

 private:
  static constexpr std::size_t kSearchedMax = 16;  // more visits than these are looked up by record
  absl::flat_hash_map<const Record*, Visit*> latest_;  // only asked, never walked
};

inline bool Visit::voted() const { return held && party->stage == Stage::kVoted; }

inline bool older(const Party& first, const Party& second) {
  return first.priority != second.priority ? first.priority < second.priority : first.id < second.id;
}

}  // namespace claret
