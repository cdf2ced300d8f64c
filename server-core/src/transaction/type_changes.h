// Changes of a shard's installed data types (composed/type_table.h), in the order in which they were requested.
//
// A change takes effect at one moment, in which it is logged. A type that is new, retired or taken back changes at once. Another version of a
// type waits until the attempts that run have ended, and the promises that were made, as a change to or from `locks: none` does
// (conditions_change.h), so that a transaction runs the operations of one version. If it gives records another form, chains are broken and the past is forgotten first, since nothing that was
// executed before can be undone after it. A change also waits for a checkpoint that is under way: its header has the types as of its position.
#pragma once

#include <cstdint>
#include <deque>

#include "composed/type_table.h"
#include "transaction/chains.h"
#include "transaction/checkpoint.h"
#include "transaction/conditions_change.h"
#include "transaction/journal.h"
#include "transaction/past.h"
#include "transaction/warranties.h"

namespace claret {

class TypeChanges {
 public:
  struct Shard {
    composed::TypeTable& types;
    Journal& journal;
    const Checkpoint& checkpoint;
    ConditionsChange& conditions;
    Chains& chains;
    Past& past;
    const Warranties& warranties;
  };
  explicit TypeChanges(const Shard& shard) : shard_(shard) {}

  // Absent, or why the type cannot be installed.
  std::optional<std::string> request(composed::InstalledType wanted);
  // Makes the changes whose time has come. To be called once a turn.
  void step();
  // All changes that were requested have been made, and are durable.
  bool done() const { return requested_.empty() && position_ <= shard_.journal.durable(); }

 private:
  void make(const composed::InstalledType& change);

  Shard shard_;
  std::deque<composed::InstalledType> requested_;
  std::uint64_t position_ = 0;  // of the last change in the log
};

}  // namespace claret
