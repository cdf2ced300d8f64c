// Past: what commits have changed lately, kept so that records can be seen as they were.
//
// Each change that commits is kept with what undoing it needs (adt/adt.h). A record is seen as of a time by taking back in place what has
// committed since, and applying it again afterwards (effects.h): no state is copied.
//
// Versions are bytes, written one after the other in order of commit into chunks, which are forgotten as a whole, the oldest first: what is
// kept for `keep_ms` and within `bytes_max` costs no allocation, and forgetting it touches neither versions nor records. A record has the
// position of its newest version (Record::past), and each version that of the one before it. A position before the oldest chunk is of a
// version that is gone. While snapshot transactions read here, changes are kept although `keep_ms` is 0 (`lease`). Nothing is known of
// changes from before the shard's start. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

#include "adt/adt.h"
#include "gate/records.h"
#include "ground/clock.h"
#include "transaction/capability.h"

namespace claret {

struct PastSettings {
  double keep_ms = 0;  // 0: nothing is kept, unless snapshot transactions read here
  std::size_t bytes_max = 64U << 20U;
};

class Past final : public Capability {
 public:
  // A committed change.
  struct Version {
    Timestamp at = 0;
    Timestamp before = 0;  // the record's last commit before it: no earlier change of the record has a greater timestamp
    double voted_ms = 0;  // when this shard voted for it; if it was alone, when it committed
    const DataType* type = nullptr;  // of the operation
    bool made = false;  // Record::made before it
    Call call;
    Value result;
    Value kept;  // what undoing it needs
  };
  using Versions = std::vector<Version>;

  // A read goes back no further.
  static constexpr std::size_t kVersionsPerReadMax = 4096;
  // What a snapshot transaction has begun to read stays readable for so long, and changes are kept until none has read for the second time.
  static constexpr double kSnapshotKeepMs = 2'000;
  static constexpr double kLeaseMs = 10'000;
  // Of a change that had no vote before its commit.
  static constexpr double kAtCommit = std::numeric_limits<double>::infinity();

  explicit Past(const PastSettings& settings);

  // Sets the time for the calls that follow.
  void at(double now_ms) {
    now_ms_ = now_ms;
    if (leased_ && now_ms >= leased_until_ms_) end_lease();
  }
  // The shard has its contents: what commits from now on is kept.
  void begin() { begun_ = true; }
  // A snapshot transaction reads here.
  void lease() {
    leased_ = true;
    leased_until_ms_ = now_ms_ + kLeaseMs;
  }
  bool keeps() const { return begun_ && (settings_.keep_ms > 0 || leased_); }

  // The change commits. To be called before the record notes that. `before`: when the record, or what was there, changed before. REQUIRES: keeps().
  void keep(Record& record, Timestamp at, Timestamp before, double voted_ms, const DataType& type, const Call& call, const Value& result,
            const Value& kept);
  // The record's newest change may still be undone.
  bool holds(const Record& record) const { return record.past >> kOffsetBits >= first_chunk_ && !chunks_.empty(); }
  // The record's changes from the newest one back, until all that come before are from that time or earlier. False if not all of these are
  // kept, or if they are more than kVersionsPerReadMax.
  bool since(const Record& record, Timestamp at, Versions& newest_first) const;

  // Forgets everything.
  void forget();

  void watch(TransactionWitness*) override {}
  void lose(Coordinator&) override {}
  bool settle() override { return false; }
  void turn() override {}
  void trouble(LogTrouble) override {}
  bool may_cut() override { return true; }
  double next_due_ms() const override;
  // Forgets what has been kept for long enough.
  void due() override;
  bool change(const Change& change) override;
  void started() override { begin(); }

  // The memory of the versions, and their number.
  std::size_t bytes() const { return bytes_; }
  std::size_t versions() const { return count_; }

 private:
  // A position is the number of a chunk and an offset in it.
  static constexpr unsigned kOffsetBits = 20;

  struct Chunk {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t capacity = 0;
    std::size_t used = 0;
    std::size_t count = 0;
    double first_ms = 0;
    double last_ms = 0;
  };

  double keep_ms() const { return leased_ ? std::max(settings_.keep_ms, kSnapshotKeepMs) : settings_.keep_ms; }
  void end_lease();
  // Room for a version of that size at the end of the newest chunk; null: it is too large to be kept.
  std::byte* take(std::size_t bytes);
  bool begin_chunk(std::size_t bytes);
  void forget_oldest();

  PastSettings settings_;
  std::size_t chunk_bytes_;
  bool begun_ = false;
  bool leased_ = false;
  double leased_until_ms_ = 0;
  double now_ms_ = 0;
  std::deque<Chunk> chunks_;  // the oldest first
  std::uint64_t first_chunk_ = 1;  // the number of the oldest
  Chunk spare_;
  std::size_t bytes_ = 0;
  std::size_t count_ = 0;
};

}  // namespace claret
