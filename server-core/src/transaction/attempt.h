// An attempt (one try of a transaction) as one of its participants sees it, and the session it came by.
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

 protected:
  ~AttemptKeeper() = default;
};

struct Session;

struct Attempt : Party, Pooled<Attempt> {
  explicit Attempt(AttemptKeeper& its_keeper) : keeper(its_keeper) {}

  AttemptKeeper& keeper;
  Session* session = nullptr;  // null once it is lost: only a voted attempt outlives it
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
  Session* session = nullptr;
  std::uint32_t number = 0;  // the session's
  // Within the frame that releases it: how many of the frame's requests have still to join it.
  std::uint32_t joins_to_come = 0;
  bool released = false;

  Visit& visit() { return visits.front(); }

  void tell_wound(std::uint64_t wounder_priority, bool first, bool others) override;
  void end_with(const Error& error) override;
};

inline bool changes(const Visit& visit) { return !visit.intent && visit.call.operation->operation_class != OperationClass::kObserve; }

// Commits of a session that somebody may still ask about. Alone: this shard is the only one to know of it, and its client
// asks until a little after it has expired. Together: another participant may ask for as long as it has no outcome.
struct CommitAlone {
  std::uint64_t number;
  AttemptId id;
  double expires_at_ms;
};
struct CommitTogether {
  std::uint64_t number;
  AttemptId id;
  Timestamp committed_at;
  double expires_at_ms;
  ShardList participants;
  bool logged;
};

// A frame is closed once it is this long; one long message may make it longer.
inline constexpr std::size_t kFrameBytesWanted = 256 * 1024;

struct Session {
  std::uint32_t peer = 0;
  std::string name;
  bool of_shard = false;  // the peer is a shard of the cluster
  bool welcomed = false;
  bool closing = false;  // its last frame is in `out`
  std::uint64_t frames_in = 0;
  std::uint64_t held_from = 0;  // the first frame whose requests are still to run; 0: none
  std::uint64_t frames_out = 0;
  std::uint64_t acknowledged = 0;  // the last number told to the peer
  double last_heard_ms = 0;
  // A frame leaves once the log is durable up to where its content depends on it.
  struct Body {
    std::string bytes;
    std::uint64_t needs;  // position in the log
  };
  std::string out;  // the body of the frame that is being filled
  std::uint64_t out_needs = 0;
  std::deque<Body> full;  // bodies of frames before it
  // Frames with outcomes that are not durable yet: they are not acknowledged before.
  struct Unsafe {
    std::uint64_t frame;
    std::uint64_t position;
  };
  std::deque<Unsafe> unsafe;
  std::size_t full_bytes = 0;
  bool has_output = false;  // known to the caller of process()
  bool overflowed = false;  // output beyond its limit was dropped: it will be closed
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Attempt>> attempts;
  absl::btree_map<std::uint32_t, std::unique_ptr<SharedHolder>> shared;  // by number
  // Above the client's low-water mark, in order of commit.
  std::deque<CommitAlone> committed_alone;
  std::deque<CommitTogether> committed_together;

  std::size_t output_bytes() const { return full_bytes + out.size(); }
  // Between two messages: a frame that is full enough is closed. A peer reads in pieces it can hold.
  void cut() {
    if (out.size() >= kFrameBytesWanted) seal();
  }
  void seal() {
    full_bytes += out.size();
    full.push_back({std::exchange(out, {}), std::exchange(out_needs, 0)});
  }
  // What is written next depends on this entry of the log. What is there already and may leave does not wait for it.
  void depend_on(std::uint64_t position, std::uint64_t durable) {
    if (position > durable) hold_back(position, durable);
  }
  void hold_back(std::uint64_t position, std::uint64_t durable);
  // The last frame of the peer whose content is safe here.
  std::uint64_t safely_taken_in(std::uint64_t durable) {
    while (!unsafe.empty() && unsafe.front().position <= durable) unsafe.pop_front();
    const std::uint64_t run = held_from == 0 ? frames_in : held_from - 1;
    return unsafe.empty() ? run : std::min(run, unsafe.front().frame - 1);
  }
  void drop_output() {
    out.clear();
    out_needs = 0;
    full.clear();
    full_bytes = 0;
  }
};

}  // namespace claret
