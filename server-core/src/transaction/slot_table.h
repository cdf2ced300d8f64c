// Which slots a shard owns (docs/decisions/0033-slots-that-move.md). At first those that were dealt to it; later also those that it has
// taken from other shards, without those that it has given away.
//
// A slot has a *version*: 0 when it was dealt, and greater with each move. Of two shards that claim a slot, the one with the greater version
// is right. A slot that was given away, or whose import was dropped, was *emptied* by an entry of the log: no record of it has effects of that
// entry or an earlier one. Not thread-safe.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "wire/slots.h"

namespace claret {

// A run of slots with one version.
struct OwnedRun {
  SlotRun slots;
  std::uint32_t version = 0;

  bool operator==(const OwnedRun&) const = default;
};

class SlotTable {
 public:
  explicit SlotTable(const ShardPlace& place);

  bool owns(std::uint32_t slot) const { return owned_[slot]; }
  // Each lookup of a key asks this first: a shard that owns all slots need not know the key's.
  bool owns_all() const { return owned_count_ == kSlots; }
  std::size_t owned_count() const { return owned_count_; }
  bool owns(const SlotRun& run) const;
  bool owns_none(const SlotRun& run) const;
  // Some of them were dealt to other shards.
  bool owns_taken() const { return taken_count_ != 0; }

  // The newest version of the slot that this shard knows.
  std::uint32_t version(std::uint32_t slot) const { return known_.empty() ? 0 : known_[slot].version; }
  // The greatest version in the run.
  std::uint32_t version(const SlotRun& run) const;
  // The position of the entry that emptied the slot last; 0: none has.
  std::uint64_t emptied_at(std::uint32_t slot) const { return known_.empty() ? 0 : known_[slot].emptied_at; }

  void own(const SlotRun& run, std::uint32_t version);
  // Another shard owns the run from now on, under that version.
  void disown(const SlotRun& run, std::uint32_t version);
  void empty(const SlotRun& run, std::uint64_t position);

  std::vector<OwnedRun> runs() const;

  // The whole table, and back.
  std::vector<SlotSpan> spans() const;
  void restore(const std::vector<SlotSpan>& spans);

 private:
  struct Known {
    std::uint32_t version = 0;
    std::uint64_t emptied_at = 0;
  };

  bool was_dealt(std::uint32_t slot) const { return shard_of_slot(slot, place_.shards) == place_.shard; }
  void set_owned(std::uint32_t slot, bool owned);
  SlotSpan about(std::uint32_t slot) const;
  std::vector<Known>& known();

  ShardPlace place_;
  std::bitset<kSlots> owned_;
  std::size_t owned_count_ = 0;
  std::size_t taken_count_ = 0;  // of these, those that were not dealt to this shard
  std::vector<Known> known_;  // by slot; empty as long as nothing has moved
};

}  // namespace claret
