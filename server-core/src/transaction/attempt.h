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
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counters/time_before.h"
#include "gate/visit.h"
#include "ground/clock.h"
#include "structure/block_pool.h"
#include "structure/digest.h"
#include "structure/text_hash.h"

namespace claret {

struct Attempt;

struct Prepare {
  ShardList participants;  // empty if only this shard takes part
  Timestamp not_after = 0;
  bool observes_only = false;  // the whole attempt, on all shards
  Timestamp not_before = 0;  // see PrepareMessage
  std::uint64_t not_after_us = 0;
  Timestamp snapshot = 0;
};

// What a request wants to know of an operation besides its result (warranties.h).
struct Asked {
  std::uint32_t index = 0;  // of the operation in its request
  std::uint32_t warrant = 0;  // as in OperationMessage
  bool expects = false;
  Digest expected{};
};
inline constexpr std::uint32_t kDigestInAnyCase = 2;

// A request that has not been answered yet. The requests of an attempt are processed in order.
struct Request : GateRequest, Pooled<Request> {
  Attempt* attempt = nullptr;  // the party
  std::optional<Prepare> prepare;
  std::vector<Asked> asked;  // in order of the operations

  void granted() override;
  void refused(const Refusal& refusal, const Visit& visit) override;
  void moved() override;
};

// Notifications of attempts to their participant.
class AttemptKeeper {
 public:
  virtual void granted(Request& request) = 0;
  virtual void refused(Request& request, const Refusal& refusal, const Visit& visit) = 0;
  virtual void moved(Request& request) = 0;
  virtual void tell_wound(Attempt& attempt, std::uint64_t wounder_priority, bool first, bool others) = 0;
  virtual void abort(Attempt& attempt, const Error& error) = 0;
  // The attempt waits although phasing is off.
  virtual void deny(Attempt& attempt) = 0;

 protected:
  ~AttemptKeeper() = default;
};

struct Chain;
struct Coordinator;

// What an attempt has that consists of members of a chain (batches.cc). Each member has a commit timestamp of its own: the attempt's, and as many
// ticks more as the member's number is after that of the first one.
struct Batch {
  // A member, as the log tells it.
  struct Part {
    AttemptId id;
    std::uint64_t ticks;  // its commit timestamp is so many after the attempt's
    std::uint32_t operations;  // those that are logged
    std::uint32_t label;
  };

  Chain* chain = nullptr;  // its session's, as long as the effects are in the runs of that chain
  std::uint64_t number = 0;  // of the chain when the batch voted
  std::uint64_t first = 0;  // in the chain: the numbers of the batch's first and last member here
  std::uint64_t last = 0;
  std::uint64_t ticks = 0;  // those that its timestamps take up; of a vote from before this start, those of the members here
  std::vector<Part> parts;  // in order
  std::vector<std::unique_ptr<Attempt>> members;  // the same; none if the vote is from before this start
};

// What an attempt has that is a member of an epoch (epochs.h). Its Party::epoch says in which it is listed.
struct EpochMember {
  std::uint32_t manager = 0;  // the shard that says when an epoch is
  Prepare prepare;
  double gathered_ms = 0;
  double considered_ms = 0;  // when an epoch last could have taken it
  std::uint32_t misses = 0;  // epochs that have not committed it; one in which locks were in its way counts more (Epochs)
  ShardList shards;  // those that take part in the epoch in which it is listed
  Timestamp decided_at = 0;  // when it commits; 0: that is not known
  bool dropped = false;  // its client wants nothing of it any more
  // A replayed vote's visits whose results are in the outcome's entry, in order. Null: the replay passes the visit over.
  std::vector<Visit*> told_late;
};

struct Attempt : Party, Pooled<Attempt> {
  explicit Attempt(AttemptKeeper& its_keeper) : keeper(its_keeper) {}

  AttemptKeeper& keeper;
  Coordinator* coordinator = nullptr;  // null once lost: only a voted attempt outlives its coordinator
  std::uint64_t number = 0;  // in its session
  std::uint32_t requests_taken = 0;
  std::uint32_t operations_taken = 0;
  absl::flat_hash_set<std::string, TextHash, std::equal_to<>> exclusive_keys;  // looked up, never iterated
  absl::InlinedVector<std::unique_ptr<Request>, 1> requests;  // oldest first; rarely more than one
  std::uint32_t retries = 0;  // earlier attempts of its transaction
  std::uint32_t warranted = 0;  // readings that its client has answered from memory, as it says at the end
  bool at_home = false;  // its transaction began at this shard
  bool enlisted = false;  // it is among the shard's attempts; not so one that ends within the call that begins it
  bool traced = false;  // telemetry follows the attempt
  double begun_ms = 0;
  double age_ms = 0;  // age of its transaction when the attempt began, as reported by the client
  TimeBefore before;  // parts of age_ms
  double last_heard_ms = 0;

  double voted_ms = std::numeric_limits<double>::infinity();  // steady time of its vote; of a vote from before this start, before all times
  // For a vote that is not logged: the vote holds for commit timestamps up to here, even across a restart of the shard. The clock passes
  // this timestamp before the locks are released without an outcome, and at a start.
  Timestamp holds_until = 0;
  ShardList participants;
  std::unique_ptr<TransactionId> transaction;  // its transaction has an id, and this shard is its home (Deduplication)
  bool logged = false;  // its vote is in the log, and its outcome will be
  std::uint64_t outcome_position = 0;  // of the entry that an epoch has not taken a member that was listed; 0: none
  std::uint64_t vote_position = 0;  // position of that entry
  bool in_doubt = false;  // its coordinator is gone or late: the other participants are asked
  std::unique_ptr<Batch> batch;  // null for all others
  std::unique_ptr<EpochMember> member_of_epoch;  // null for all others

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

// The last timestamp of the attempt if it commits at that one.
inline Timestamp last_timestamp(const Attempt& attempt, Timestamp at) {
  return attempt.batch == nullptr || at == 0 ? at : HybridClock::after(at, attempt.batch->ticks);
}

// The timestamp of the visit if its attempt commits at that one: each member of a batch has its own.
inline Timestamp timestamp_of(const Visit& visit, const Attempt& attempt, Timestamp at) {
  return attempt.batch == nullptr ? at : HybridClock::after(at, attempt.batch->parts[visit.request_number - 1].ticks);
}

// In order of issue. A batch's operations are its members' as long as their effects are in runs.
template <typename Each>
void for_each_visit(const Attempt& attempt, const Each& each) {
  for (const Visit& visit : attempt.visits) each(visit);
  if (attempt.batch == nullptr || attempt.batch->chain == nullptr) return;
  for (const auto& member : attempt.batch->members) {
    for (const Visit& visit : member->visits) each(visit);
  }
}

// The result is not known before the member's turn, and its effect depends on it.
inline bool is_told_late(const OperationSpec& operation) {
  return operation.result != Kind::kVoid && !operation.reserves && operation.operation_class != OperationClass::kObserve;
}

inline bool has_result(const Visit& visit) { return visit.call.operation->result != Kind::kVoid; }

}  // namespace claret
