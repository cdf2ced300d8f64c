// Deduplication: the answers of transactions with an id whose home is this shard. An id is *claimed* by an attempt of its transaction while
// that attempt is in flight, and *kept* from the attempt's commit on, with the commit timestamp and the answer, for as long as the client
// has requested. A retry of the transaction meets one or the other.
//
// Times are in the shard's own wall time, so that they survive a restart. The table is bounded, in ids and in bytes of answers: when it is
// full no id is claimed, and no entry is forgotten early. Not thread-safe.
#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>
#include <absl/functional/function_ref.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ground/check.h"
#include "ground/slots.h"
#include "wire/kept_answer.h"

namespace claret {

inline constexpr std::size_t kTransactionsKnownMax = 1 << 20;
inline constexpr std::size_t kAnswersBytesMax = 256 * 1024 * 1024;

class Deduplication {
 public:
  struct Entry {
    Timestamp committed_at = 0;  // 0: in flight
    std::uint64_t until_wall_ms = 0;
    std::uint64_t position = 0;  // of the commit in the log
    std::uint32_t keep_ms = 0;
    std::string answer;
  };

  explicit Deduplication(std::size_t known_max = kTransactionsKnownMax, std::size_t bytes_max = kAnswersBytesMax)
      : known_max_(known_max), bytes_max_(bytes_max) {}

  // Null if the id is unknown, or no longer known at this time.
  const Entry* find(const TransactionId& id, double wall_ms) const;
  bool full() const { return entries_.size() >= known_max_ || bytes_ >= bytes_max_; }
  // Replaces what was kept for the id before. `answer` is set for an attempt whose vote is in the log.
  void claim(const TransactionId& id, std::string_view answer = {}, std::uint32_t keep_ms = 0);
  // REQUIRES, here and in the next two: the id is claimed. False if there is no space for the answer.
  bool answer(const TransactionId& id, std::string_view answer, std::uint32_t keep_ms);
  const Entry& claimed(const TransactionId& id) const {
    const auto found = entries_.find(id);
    CLARET_CHECK(found != entries_.end());
    return found->second;
  }
  void commit(const TransactionId& id, Timestamp at, std::uint64_t until_wall_ms, std::uint64_t position);
  // For an attempt that has not committed.
  void release(const TransactionId& id);

  // Drops entries that are due, at most kForgetStep, so that no call takes long. True if more are due.
  bool forget_due(double wall_ms);

  // Keeps known ids alone among those for take_fresh(). Takes as long as there are many; for a restore.
  void forget_fresh();

  // ---- for a checkpoint
  // Selects the entries kept since the previous call for take_fresh().
  void begin_fresh() {
    fresh_ = std::exchange(kept_since_, {});
    next_fresh_ = 0;
  }
  // Takes the next piece of them: of about `bytes_max` bytes, or empty, and the time until which it matters. False if there are no more.
  bool take_fresh(std::size_t bytes_max, std::string& piece, std::uint64_t& until_wall_ms);
  // Takes back a piece from take_fresh(), in any order with others, before the log. False if the bytes are not a piece.
  bool restore(std::string_view piece);

  // ---- slots that move (docs/decisions/0033-slots-that-move.md)
  // From now on take_of_slots() returns the answers with their home in the run, and those that are kept meanwhile.
  void begin_walk(const SlotRun& slots) { walk_ = Walk{.slots = slots}; }
  void end_walk() { walk_.reset(); }
  // Appends answers, about `bytes_max` bytes of them. True while there are more.
  bool take_of_slots(std::size_t bytes_max, double wall_ms, std::string& piece);
  // True if the shard has room for what another one has kept.
  bool has_room_for(std::size_t ids, std::size_t bytes) const {
    return entries_.size() + ids <= known_max_ && bytes_ + bytes <= bytes_max_;
  }
  // Keeps an answer of another shard, in this one's time.
  void adopt(const KeptAnswer& kept, std::uint64_t position);
  // Looks at kept answers from the first on, at most kForgetStep of them in a call, and drops those whose home slot is not wanted. True while
  // there are more.
  void begin_sweep() { swept_ = {}; }
  bool sweep(absl::FunctionRef<bool(std::uint32_t)> wanted);

  std::size_t size() const { return entries_.size(); }
  std::size_t answer_bytes() const { return bytes_; }
  // The number of ids for which memory is reserved.
  std::size_t room() const { return entries_.capacity(); }

 private:
  static constexpr int kForgetStep = 1024;
  static constexpr int kFreshStep = 256;
  using ByTime = std::pair<std::uint64_t, TransactionId>;
  struct Walk {
    SlotRun slots;
    ByTime passed{};  // answers up to it have had their turn
    bool ended = false;
    std::vector<TransactionId> again{};  // kept since the walk began
  };
  void erase(const TransactionId& id);
  void add(const TransactionId& id, const Entry& entry, double wall_ms, std::string& piece) const;

  std::size_t known_max_;
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;  // of all answers
  absl::flat_hash_map<TransactionId, Entry> entries_;  // looked up, never iterated
  absl::btree_set<ByTime> by_time_;  // kept ids, by the time until which they are kept
  std::optional<Walk> walk_;
  ByTime swept_{};
  std::vector<TransactionId> kept_since_;
  std::vector<TransactionId> fresh_;
  std::size_t next_fresh_ = 0;
};

}  // namespace claret
