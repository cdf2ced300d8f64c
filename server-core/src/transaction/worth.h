// Worth: whether a warranty of an operation is likely to answer more often than it costs.
//
// No rates are guessed. An operation gets a warranty when it was asked for so often in a row with the same result, each time within half a minute of
// the one before, as a warranty has to answer to be worth while: what has lasted for so long is likely to last for as long again. After a
// warranty that was worth while, it gets the next one at once. One that answered too seldom in its life, where those before it did not answer
// more than enough, makes the operation pause, twice as long each time; a better one halves the pause. The table has a fixed size: of the operations
// that share a bucket, those are remembered that were asked for last. A forgotten one begins anew.
//
// What is learned of one operation helps with the others of its kind: the same operation of the data type on any record. Each warranty that answered
// too seldom halves the share of the kind's askings that count, down to an eighth; eight better ones double it. Otherwise ten thousand
// records that change often would each have to be tried, and asking for what is never promised would cost something. Deterministic. Not
// thread-safe.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <vector>

#include "adt/adt.h"

namespace claret {

class Worth {
 public:
  // An operation on a record.
  struct Operation {
    std::uint64_t name = 0;
    const OperationSpec* kind = nullptr;
  };
  static Operation named(std::string_view key, const Call& call);

  // An operation of that kind is asked for with a wish for a warranty. Does this asking count?
  bool counts(const OperationSpec& kind);
  // The operation is asked for in an asking that counts. True if a warranty is worth while. `wanted`: askings in a row.
  bool asked(const Operation& operation, const Value& result, std::uint64_t wanted, double now_ms);
  // A warranty of the operation has ended. `uses`: operations that it has answered; `wanted`: as many would have been enough.
  void ended(const Operation& operation, std::uint64_t uses, std::uint64_t wanted, double now_ms);

  // Nothing is worth a warranty of the operation until then.
  void pause(const Operation& operation, double until_ms);
  // A change has waited for the end of a warranty of the operation, from `came_ms` to `now_ms`.
  void violated(const Operation& operation, double came_ms, double now_ms);
  // Is the result likely to last for so long? It is if it was never seen to change.
  bool lasts(const Operation& operation, double for_ms, double now_ms) const;

 private:
  static constexpr double kNever = -1;

  static constexpr std::size_t kWays = 8;

  struct Slot {
    std::uint64_t result = 0;  // a print of the last one
    std::uint32_t same = 0;  // askings in a row with that result
    float pause_ms = 0;
    bool ended_well = false;  // the last warranty was worth while
    double asked_ms = kNever;
    double paused_until_ms = 0;
    double changed_ms = kNever;  // the last change that was seen
    double answered = kNever;  // of what would have been enough, on average; recent warranties count more
    double lasted_ms = kNever;  // from one change until the next one comes, on average; recent times count more
  };
  struct Bucket {
    std::array<std::uint64_t, kWays> names{};  // 0: free
    std::array<Slot, kWays> slots{};
  };
  // What is known of the operation; null: nothing.
  const Slot* find(const Operation& operation) const;
  // Takes the place of the operation of its bucket that was asked for longest ago, if it has none.
  Slot& slot(const Operation& operation);
  // A change came at `came_ms`, and went in at `now_ms`.
  static void changed(Slot& slot, double came_ms, double now_ms);

  std::vector<Bucket> buckets_;  // none before the first asking
  struct Kind {
    std::uint64_t askings = 0;
    std::uint32_t doubt = 0;  // in eighths of a halving
  };
  absl::flat_hash_map<const OperationSpec*, Kind> kinds_;  // never iterated
};

}  // namespace claret
