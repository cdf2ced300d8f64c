// The shard's part in a consistent cut over all shards (docs/decisions/0018-backup.md).
//
// The cut at a timestamp T holds of each shard's log what was logged before its clock went beyond T. Every shard is told T while T is
// still to come, so each sees by itself when it is passed: by a timestamp of its own, by a commit's that it is told of, or because it is
// asked to pass it.
//
// A vote's timestamp is not above its commit's, so a commit inside the cut has all its votes inside. Votes inside without an outcome are
// settled as after a crash. That asks shards which have forgotten nothing that others still lack: from before any shard is told T until
// it has passed it, a shard forgets no commit.
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

  // `forget` is given the commits that were to be forgotten meanwhile.
  Cut(ShardClock& clock, const Journal& journal, Forget forget) : clock_(clock), journal_(journal), forget_(std::move(forget)) {}

  // From now on, until the cut is passed or called off, no commit over several shards is forgotten here. The time that the clock has
  // reached.
  Timestamp prepare();
  bool prepared() const { return prepared_; }
  // Entries up to some position will have timestamps up to `at`, all later ones greater ones. False where the clock has gone beyond
  // `at`. REQUIRES: prepared().
  bool set(Timestamp at);
  bool is_set() const { return at_ != 0 || position_; }
  // The clock passes the cut, unless it has; that position. REQUIRES: is_set().
  std::uint64_t pass();
  void call_off();

  // True where they are kept in mind until the cut is over.
  bool defers(const std::vector<AttemptId>& forgotten);

 private:
  void passed();

  ShardClock& clock_;
  const Journal& journal_;
  Forget forget_;
  bool prepared_ = false;
  Timestamp at_ = 0;  // to be passed; 0: none
  std::optional<std::uint64_t> position_;  // it has been passed there
  std::vector<AttemptId> forgotten_;
};

}  // namespace claret
