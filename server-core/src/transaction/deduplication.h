// Deduplication: what became of transactions with an id whose home is this shard. An id is *claimed* while an attempt of its
// transaction is under way, by that attempt alone, and *kept* from its commit on, with the commit timestamp and the answer,
// for as long as its client has asked for. Whoever begins the transaction again meets the one or the other.
//
// Wall time counts, so that a restart takes nothing from it. The table is bounded, in ids and in bytes of answers: where it
// is full nothing is claimed, and nothing is forgotten early.
// Thread safety: none needed.
#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ground/check.h"
#include "wire/client_frame.h"

namespace claret {

inline constexpr std::size_t kTransactionsKnownMax = 1 << 20;
inline constexpr std::size_t kAnswersBytesMax = 256 * 1024 * 1024;

class Deduplication {
 public:
  struct Entry {
    Timestamp committed_at = 0;  // 0: under way
    std::uint64_t until_wall_ms = 0;
    std::uint64_t position = 0;  // of the commit in the log
    std::uint32_t keep_ms = 0;
    std::string answer;
  };

  explicit Deduplication(std::size_t known_max = kTransactionsKnownMax, std::size_t bytes_max = kAnswersBytesMax)
      : known_max_(known_max), bytes_max_(bytes_max) {}

  // Null where nothing is known of it, or no longer at this time.
  const Entry* find(const TransactionId& id, double wall_ms) const;
  bool full() const { return entries_.size() >= known_max_ || bytes_ >= bytes_max_; }
  // Takes the place of what was kept of it before. With an answer where its attempt has voted, and the log says so.
  void claim(const TransactionId& id, std::string_view answer = {}, std::uint32_t keep_ms = 0);
  // REQUIRES, here and in the next two: it is claimed. False where there is no room for the answer.
  bool answer(const TransactionId& id, std::string_view answer, std::uint32_t keep_ms);
  const Entry& claimed(const TransactionId& id) const {
    const auto found = entries_.find(id);
    CLARET_CHECK(found != entries_.end());
    return found->second;
  }
  void commit(const TransactionId& id, Timestamp at, std::uint64_t until_wall_ms, std::uint64_t position);
  // Of an attempt that has not committed.
  void release(const TransactionId& id);

  // Drops what need not be kept by now, but no more than kForgetStep: no call runs long. True if more is due.
  bool forget_due(double wall_ms);

  // ---- for a checkpoint
  // What has been kept since the call before is what take_fresh() gives from now on.
  void begin_fresh() {
    fresh_ = std::exchange(kept_since_, {});
    next_fresh_ = 0;
  }
  // The next of it: a piece of about so many bytes, or none, and until when any of it matters. False when there is no more.
  bool take_fresh(std::size_t bytes_max, std::string& piece, std::uint64_t& until_wall_ms);
  // A piece that was taken before, in any order with others, ahead of the log. False when it is none.
  bool restore(std::string_view piece);

  std::size_t size() const { return entries_.size(); }
  std::size_t answer_bytes() const { return bytes_; }
  // For how many ids room is reserved.
  std::size_t room() const { return entries_.capacity(); }

 private:
  static constexpr int kForgetStep = 1024;
  static constexpr int kFreshStep = 256;
  void erase(const TransactionId& id);

  std::size_t known_max_;
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;  // of all answers
  absl::flat_hash_map<TransactionId, Entry> entries_;  // only asked, never walked
  absl::btree_set<std::pair<std::uint64_t, TransactionId>> by_time_;  // those that are kept: until when
  std::vector<TransactionId> kept_since_;
  std::vector<TransactionId> fresh_;
  std::size_t next_fresh_ = 0;
};

}  // namespace claret
