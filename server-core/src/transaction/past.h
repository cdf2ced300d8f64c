// Past: what commits have changed lately, kept so that records can be seen as they were.
//
// Each change that commits is kept with what undoing it needs (adt/adt.h). A record is seen as of a time by taking back in place what has
// committed since, and applying it again afterwards (effects.h): nothing is copied. A change is kept for `keep_ms`. Beyond `bytes_max` the
// oldest changes of the shard go, and beyond kVersionsPerRecordMax those of the record. Nothing is known of changes from before the shard's
// start. Not thread-safe.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "adt/adt.h"
#include "gate/records.h"
#include "ground/clock.h"
#include "ground/slots.h"

namespace claret {

struct PastSettings {
  double keep_ms = 0;  // 0: nothing is kept
  std::size_t bytes_max = 64U << 20U;
};

class Past {
 public:
  // A committed change.
  struct Version {
    Timestamp at = 0;
    Call call;
    Value result;
    Value kept;  // what undoing it needs
    std::uint64_t serial = 0;  // in order of commit at this shard
    std::size_t bytes = 0;
  };
  using Versions = std::deque<Version>;  // of one record, in the order in which they took effect

  static constexpr std::size_t kVersionsPerRecordMax = 4096;

  explicit Past(const PastSettings& settings) : settings_(settings) {}

  // Sets the time for the calls that follow.
  void at(double now_ms) { now_ms_ = now_ms; }
  // The shard has its contents: what commits from now on is kept.
  void begin() { begun_ = true; }
  bool keeps() const { return begun_ && settings_.keep_ms > 0; }

  // The change has committed. `last_commit`: of the record, before it.
  void keep(const Record& record, Timestamp last_commit, Version version);
  // Null: none.
  const Versions* of(const Record& record) const;
  // All changes of the record after that time are kept.
  bool reaches(const Record& record, Timestamp at) const;
  // The records of the slots are another shard's.
  void leave(const SlotRun& slots);

  // Forgets what has been kept for long enough.
  void sweep();
  double next_sweep_ms() const;

  std::size_t bytes() const { return bytes_; }
  std::size_t versions() const { return count_; }

 private:
  struct Kept {
    Versions versions;  // never empty
    Timestamp gone_up_to = 0;  // changes up to this time are not kept
    std::uint32_t slot = 0;
  };
  using Records = absl::flat_hash_map<const Record*, Kept>;
  struct Due {
    const Record* record;  // perhaps no longer there
    std::uint64_t serial;
    double kept_ms;
  };

  void forget_oldest();
  // The record may be forgotten with it.
  void forget_first(Records::iterator of);

  PastSettings settings_;
  bool begun_ = false;
  double now_ms_ = 0;
  Records records_;  // looked up; iterated only to forget
  std::deque<Due> due_;  // in order of commit
  std::uint64_t serials_ = 0;
  std::size_t bytes_ = 0;
  std::size_t count_ = 0;
};

}  // namespace claret
