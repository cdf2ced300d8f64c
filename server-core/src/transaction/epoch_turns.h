// The turns of decided members of epochs: each is executed, commits and lets its records go, in the order of their commits (epochs.h).
#pragma once

#include <absl/container/btree_map.h>
#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "adt/adt.h"
#include "transaction/attempt.h"

namespace claret {

class EpochTurns {
 public:
  explicit EpochTurns(const Context& context) : context_(context) {}

  // The member commits then.
  void add(Attempt& member, Timestamp at);
  bool empty() const { return decided_.empty(); }
  // A turn may be due.
  bool due() const { return due_; }
  void stir() { due_ = true; }
  // Gives turns until `budget`, of operations, is spent. `is_open`: other members of that epoch may still commit. `commit` ends the member, whose
  // operations have been executed.
  void run(std::size_t& budget, absl::FunctionRef<bool(EpochNumber)> is_open, absl::FunctionRef<void(Attempt&)> commit);

 private:
  // Members of its epoch come before it on one of its records: they commit, or may commit, before it.
  static bool is_kept_waiting(const Attempt& member);
  void execute(Attempt& member) const;

  const Context& context_;
  absl::btree_map<std::pair<Timestamp, std::uint64_t>, Attempt*> decided_;  // in the order of their turns
  bool due_ = false;
};

}  // namespace claret
