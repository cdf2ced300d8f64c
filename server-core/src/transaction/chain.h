// A chain: what a session has sent whole and what is executed ahead of its commits (docs/decisions/0028-forecasts-and-chains.md).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "transaction/attempt.h"

namespace claret {

struct Chain;

// An attempt that was sent whole. It waits for its turn in its chain, or has *entered*: its operations are executed, and its effects
// are in the runs of its records.
struct Member final : Attempt {
  using Attempt::Attempt;

  Chain* chain = nullptr;
  std::uint64_t n = 0;  // in its chain
  bool ends = false;  // it depends on none of its results: it commits as soon as all members before it are decided
  Timestamp turn = 0;  // the turn in which it was sent, if it is wide: it has parts at several shards; otherwise 0
  bool timed = false;  // its answers tell the time
  bool above = false;  // it was executed on top of something undecided
  bool leaves = false;  // it is being taken out
  std::uint64_t answer = 0;  // the number of its newest answer among those of its chain; 0: none
  double came_ms = 0;
  double entered_ms = 0;
  Record* awaits = nullptr;  // where it began to wait for its turn; null: it does not wait, or only for members of its own chain
};

struct Chain {
  Coordinator* coordinator = nullptr;
  std::uint64_t owner = 0;  // its number at this shard, as runs name it: the same for all chains of the session
  std::uint64_t number = 0;  // in its session
  bool broken = false;  // nothing more of it is taken
  bool wide = false;  // wide members of it have come
  std::uint64_t last = 0;  // the number of the last member that came
  std::uint64_t decided = 0;  // the number of the last member that committed
  std::uint64_t withdrawals = 0;  // taken in
  std::uint64_t answers = 0;  // sent, without errors and commits
  // Voted and undecided, perhaps of an older chain of the session: in the runs it is below all that has entered. Null if there is none.
  Attempt* batch = nullptr;
  std::deque<std::unique_ptr<Member>> entered;  // undecided and in no batch, in order
  std::deque<std::unique_ptr<Member>> waiting;  // in order; they come after those that have entered
  std::vector<std::uint64_t> gone;  // numbers of members that were withdrawn before they came
};

}  // namespace claret
