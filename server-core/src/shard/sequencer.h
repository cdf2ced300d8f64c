// Turns to send wide members (transaction/chain.h). Sessions that send in turn meet in the same order at all shards, so that none of them has
// to give way to another.
//
// A turn has a number, which is greater than those of all turns before. One session has the turn; once others want it, it is *recalled*. A
// session that has not given it back then for 4 ms is waited for no longer; where turns usually take longer, for four times as long as they do, up
// to 64 ms. Sessions that send at the same time undo each other. Nothing here is durable, and nothing depends on it for being right: the turn
// only says when to send. Not thread-safe.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "counters/counters.h"
#include "ground/learnt_patience.h"
#include "shard/session.h"
#include "telemetry/turns.h"
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

  // Null: not watched.
  void watch(Turns* turns) { turns_ = turns; }
  // The turn that goes on, if there is one.
  std::optional<KeptTurn> turn() const;

  // Passes the turn on if its holder is waited for no longer. Call it when next_ms() has come.
  void sweep();
  // Infinity if nobody waits.
  double next_ms() const;

 private:
  // A session that waits for a turn.
  struct Wish {
    Session* session;
    double since_ms;
  };

  void learn_late(const Session& session);
  // The turn, if there is one, ends, and the next one begins.
  void pass_on(bool timed_out);
  void tell(bool recalled);

  ShardClock& clock_;
  Counters& counters_;
  std::function<void(Session&)> has_output_;
  Session* holder_ = nullptr;  // null: nobody has the turn
  Timestamp number_ = 0;  // of its turn
  double began_ms_ = 0;
  double recalled_ms_ = 0;  // when the turn was recalled; only while others want it
  LearntPatience patience_{4, 64, 4};  // from the recall of a turn
  const Session* late_ = nullptr;  // the last session that was waited for no longer, and has not given its turn back yet
  double late_recalled_ms_ = 0;
  std::size_t waiting_most_ = 0;  // the most sessions that wanted one at once, since it began
  std::deque<Wish> wishes_;  // in order
  Turns* turns_ = nullptr;
};

}  // namespace claret
