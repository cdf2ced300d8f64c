#include "transaction/ground.h"

#include <algorithm>

namespace claret {

Ground::Ground(const GroundOptions& options, Counters& its_counters, std::function<void(Coordinator&)> on_output)
    : place(options.place),
      counters(its_counters),
      has_output(std::move(on_output)),
      context{options.incarnation},
      journal(options.logged),
      clock(options.place.shard, journal, options.stopwatch),
      locks(records, counters, context, lock_settings({}, options.patience)),
      wounds(locks),
      moves(options.place),
      past(options.past),
      effects(checkpoint, copy, records, past, options.logged),
      outcomes(clock, journal, checkpoint, doubts),
      log(journal, checkpoint, deduplication, counters, clock),
      shards(std::max(options.place.shards, options.place.shard + 1)) {}

void Ground::set_shards(std::uint32_t count) { shards = std::max(shards, std::min(count, kShardsMax)); }

void Ground::settle() {
  const auto any_goes_on = [&] {
    return std::any_of(capabilities.begin(), capabilities.end(), [](Capability* one) { return one->stirred && one->settle(); });
  };
  do {
    locks.settle(clock.now_ms());
  } while (any_goes_on());
}

bool Ground::change(const Change& change) {
  bool rests = true;
  for (Capability* one : capabilities) rests = one->change(change) && rests;
  return rests;
}

}  // namespace claret
