// An attempt (one try of a transaction) as one of its participants sees it.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counters/time_before.h"
#include "gate/visit.h"
#include "structure/block_pool.h"
#include "structure/text_hash.h"

namespace claret {

struct Attempt;

struct Prepare {
  ShardList participants;  // without this shard alone: empty
  Timestamp not_after = 0;
  bool observes_only = false;  // the whole attempt, on every shard
};

// A request that has not been answered yet. Requests of one attempt are taken in order.
struct Request : GateRequest, Pooled<Request> {
  Attempt* attempt = nullptr;  // the party
  struct Share {
    Visit* visit;
    std::uint32_t number;
  };
  absl::InlinedVector<Share, 1> shares;  // to be held by the session too, once granted
  std::optional<Prepare> prepare;

  void granted() override;
  void refused(const Refusal& refusal, const Visit& visit) override;
  void moved() override;
};

// What attempts tell their participant.
class AttemptKeeper {
 public:
  virtual void granted(Request& request) = 0;
  virtual void refused(Request& request, const Refusal& refusal, const Visit& visit) = 0;
  virtual void moved(Request& request) = 0;
  virtual void tell_wound(Attempt& attempt, std::uint64_t wounder_priority, bool first, bool others) = 0;
  virtual void abort(Attempt& attempt, const Error& error) = 0;
  // Phasing is off, and it waits.
  virtual void deny(Attempt& attempt) = 0;

 protected:
  ~AttemptKeeper() = default;
};

struct Coordinator;

struct Attempt : Party, Pooled<Attempt> {
  explicit Attempt(AttemptKeeper& its_keeper) : keeper(its_keeper) {}

  AttemptKeeper& keeper;
  Coordinator* coordinator = nullptr;  // null once it is lost: only a voted attempt outlives it
  std::uint64_t number = 0;  // the session's
  std::uint32_t requests_taken = 0;
  std::uint32_t operations_taken = 0;
  std::uint32_t joins_taken = 0;  // visits that are not operations of its own, but joined
  absl::flat_hash_set<std::string, TextHash, std::equal_to<>> exclusive_keys;  // only asked, never walked
  absl::InlinedVector<std::unique_ptr<Request>, 1> requests;  // oldest first; hardly ever more than one
  std::uint32_t retries = 0;  // attempts of its transaction before it
  bool at_home = false;  // its transaction began at this shard
  bool traced = false;  // somebody watches what becomes of it
  double begun_ms = 0;
  double age_ms = 0;  // of its transaction, when it began; as the client says
  TimeBefore before;  // of that
  double last_heard_ms = 0;

  Timestamp voted_at = 0;
  // A vote that is not logged: it holds for commit timestamps up to here, whatever becomes of the shard. Whoever lets go of its
  // locks without the outcome passes this first; so does a start.
  Timestamp holds_until = 0;
  ShardList participants;
  std::unique_ptr<TransactionId> transaction;  // it has an id, and its home is here (Deduplication)
  bool applied = false;  // without locks: each operation when it ran
  bool logged = false;  // its vote is in the log, and so will be its outcome
  std::uint64_t vote_position = 0;  // of that entry
  bool in_doubt = false;  // its coordinator is gone or late: the participants are asked

  const GateRequest* asking() const override { return requests.empty() ? nullptr : requests.front().get(); }
  bool silent_since(double ms) const override { return stage == Stage::kRunning && requests.empty() && last_heard_ms <= ms; }
  void tell_wound(std::uint64_t wounder_priority, bool first, bool others) override {
    keeper.tell_wound(*this, wounder_priority, first, others);
  }
  void end_with(const Error& error) override { keeper.abort(*this, error); }
};

inline void Request::granted() { attempt->keeper.granted(*this); }
inline void Request::refused(const Refusal& refusal, const Visit& visit) { attempt->keeper.refused(*this, refusal, visit); }
inline void Request::moved() { attempt->keeper.moved(*this); }

class SharedOperations;

// An operation that a session holds, for its attempts to join. One visit, without an effect or a reservation of its own.
struct SharedHolder : Party {
  explicit SharedHolder(SharedOperations& its_keeper) : keeper(its_keeper) {}

  SharedOperations& keeper;
  Coordinator* coordinator = nullptr;
  std::uint32_t number = 0;  // the session's
  // Within the frame that releases it: how many of the frame's requests have still to join it.
  std::uint32_t joins_to_come = 0;
  bool released = false;

  Visit& visit() { return visits.front(); }

  void tell_wound(std::uint64_t wounder_priority, bool first, bool others) override;
  void end_with(const Error& error) override;
};

inline bool changes(const Visit& visit) { return !visit.intent && visit.call.operation->operation_class != OperationClass::kObserve; }

}  // namespace claret
