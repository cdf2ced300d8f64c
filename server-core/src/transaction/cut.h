// The shard's role in a consistent cut across all shards (docs/decisions/0018-backup.md).
//
// The cut at a timestamp T contains, of each shard's log, the entries logged before its clock passed T. Every shard learns T while T is
// still in the future, so each notices by itself when it passes T: by issuing a timestamp above T, by applying a commit above T, or on
// request.
//
// The timestamp of a vote is not above that of its commit, so a commit inside the cut has all its votes inside. Votes inside without an
// outcome are settled as after a crash. That requires that no shard has forgotten a commit whose outcome another still lacks: from before
// any shard learns T until it has passed T itself, a shard forgets no commit.
//
// A vote for one epoch says nothing of the next, and an epoch may be called off with all its votes inside. So no member of an epoch is
// undecided while a cut is prepared (Engine::prepare_cut).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ground/identifiers.h"
#include "transaction/shard_clock.h"

namespace claret {

class Cut {
 public:
  using Forget = std::function<void(const std::vector<AttemptId>&)>;
  using Over = std::function<void()>;

  // `forget` receives the commits whose forgetting was deferred.
  Cut(ShardClock& clock, const Journal& journal, Forget forget) : clock_(clock), journal_(journal), forget_(std::move(forget)) {}

  // `over`: called each time that a cut has been passed or called off.
  void when_over(Over over) { over_ = std::move(over); }

  // Until the cut is passed or called off, no commit over several shards is forgotten here. Returns the time that the clock has reached.
  // REQUIRES: no cut is prepared.
  Timestamp prepare();
  bool prepared() const { return prepared_; }
  // Entries up to some position will have timestamps up to `at`, and all later entries greater ones. False if the clock has passed `at`.
  // REQUIRES: prepared().
  bool set(Timestamp at);
  bool is_set() const { return at_ != 0 || position_; }
  // Makes the clock pass the cut, unless it has already; returns the position of the cut. REQUIRES: is_set().
  std::uint64_t pass();
  void call_off();

  // True if the forgetting of these commits is deferred until the cut is over.
  bool defers(const std::vector<AttemptId>& forgotten);

 private:
  void passed();

  ShardClock& clock_;
  const Journal& journal_;
  Forget forget_;
  Over over_ = [] {};
  bool prepared_ = false;
  Timestamp at_ = 0;  // still to be passed; 0: none
  std::optional<std::uint64_t> position_;  // where the cut was passed
  std::vector<AttemptId> forgotten_;
};

}  // namespace claret
