// Who comes to a gate, and with what.
//
//   Party   whoever visits gates: an attempt of a transaction, or a session by what its attempts share. Later kinds (a
//           native operation, a warranty) are parties too.
//   Visit   one operation of a party on one record: waiting, or holding the record's gate.
//   Claim   the visits of one request on one record: granted together or not at all.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "adt/adt.h"
#include "structure/block_pool.h"
#include "wire/client_frame.h"

namespace claret {

struct Claim;
struct Party;
struct Record;
struct Request;

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
};

struct Claim {
  Request* request = nullptr;
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

enum class PartyKind : std::uint8_t {
  kAttempt,
  kShared,  // an operation that a session shares among its attempts: waits for nothing, has no effect
};

struct Party {
  PartyKind kind = PartyKind::kAttempt;
  std::uint64_t priority = 0;  // smaller is older
  AttemptId id{};  // breaks ties, alike on every shard
  std::uint32_t label = 0;  // number of the transaction's label
  std::deque<Visit, BlockAllocator<Visit>> visits;  // in order of issue
  std::vector<Claim*> waiting;

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

inline bool older(const Party& first, const Party& second) {
  return first.priority != second.priority ? first.priority < second.priority : first.id < second.id;
}

}  // namespace claret
