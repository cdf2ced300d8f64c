// What the log says of a shard's slots, and of the moves of runs that are not settled (docs/decisions/0033-slots-that-move.md). It changes with
// the entries about moves only, the same whether they are appended or replayed.
//
// The giver decides: with its entry `gave` the run is no longer its own. The taker owns the run once its entry `took` is durable. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "transaction/slot_table.h"
#include "wire/log_entry.h"

namespace claret {

class Moves {
 public:
  explicit Moves(const ShardPlace& place) : slots_(place) {}

  const SlotTable& slots() const { return slots_; }
  // The run that the shard gave last, until it is settled.
  const std::optional<KeptMove>& given() const { return given_; }
  // Of which the shard has pieces, until it has taken it or dropped them.
  const std::optional<KeptMove>& imported() const { return imported_; }
  // The move that the shard took last, if that is durable.
  bool has_taken(std::string_view move) const { return taken_ == move && !taking_; }
  bool takes(std::string_view move) const { return taken_ == move; }
  // The shard has something to keep of the slot: it owns it, takes it, or has pieces of it.
  bool keeps(std::uint32_t slot) const;

  // The entry of that kind was appended, or is replayed.
  void apply(LogEntryKind kind, const LoggedMove& move, Timestamp at, std::uint64_t position);
  // The log is durable up to there.
  void durable(std::uint64_t position);
  // The position of the last entry about moves; 0: there is none.
  std::uint64_t position() const { return position_; }

  // ---- for a checkpoint
  // Something has changed since the last `put`.
  bool to_put() const { return to_put_; }
  KeptSlots put();
  void restore(KeptSlots kept);

 private:
  struct Taking {
    SlotRun slots;
    std::uint32_t version;
    std::uint64_t position;  // of `took`
  };

  SlotTable slots_;
  std::optional<KeptMove> given_;
  std::optional<KeptMove> imported_;
  std::optional<Taking> taking_;
  std::string taken_;
  std::uint64_t position_ = 0;
  bool to_put_ = false;
};

}  // namespace claret
