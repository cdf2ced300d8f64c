// Turns to send wide members (transaction/chain.h). Sessions that send in turn meet in the same order at all shards, so that none of them has
// to give way to another.
//
// A turn has a number, which is greater than those of all turns before. One session has the turn; once others want it, it is *recalled*. A
// session that has not given it back then for kPatienceMs is waited for no longer. Nothing here is durable, and nothing depends on it for
// being right: the turn only says when to send. Not thread-safe.
#pragma once

#include <deque>
#include <functional>

#include "counters/counters.h"
#include "shard/session.h"
#include "transaction/shard_clock.h"

namespace claret {

class Sequencer {
 public:
  // `has_output` is called for every session that gets output.
  Sequencer(ShardClock& clock, Counters& counters, std::function<void(Session&)> has_output)
      : clock_(clock), counters_(counters), has_output_(std::move(has_output)) {}

  // The session wants a turn. One that has it already wants a new one.
  void want(Session& session);
  // The session has no turn any more, and wants none.
  void back(Session& session);

  // Passes the turn on if its holder is waited for no longer. Call it when next_ms() has come.
  void sweep();
  // Infinity if nobody waits.
  double next_ms() const;

 private:
  static constexpr double kPatienceMs = 4;

  void grant_next();
  void tell(bool recalled);

  ShardClock& clock_;
  Counters& counters_;
  std::function<void(Session&)> has_output_;
  Session* holder_ = nullptr;  // null: nobody has the turn
  Timestamp number_ = 0;  // of its turn
  double recalled_ms_ = 0;  // when the turn was recalled; only while others want it
  std::deque<Session*> wanting_;  // in order
};

}  // namespace claret
