// Changes of a shard's installed data types (composed/type_table.h), in the order in which they were requested.
//
// A change takes effect at one moment, in which it is logged. A type that is new, retired or taken back changes at once. Another version of a
// type waits until the attempts that run have ended, as a change to or from `locks: none` does (conditions_change.h), and the warranties of its
// records, which are recalled: a transaction runs the operations of one version, and no client answers by another. Chains are broken, and natives that
// wait go by the new version. If the change gives records another form, the past is forgotten, since nothing that was executed before can be undone
// after it. A change also waits for a checkpoint that is under way: its header has the types as of its position.
#pragma once

#include <cstdint>
#include <deque>

#include "composed/type_table.h"
#include "gate/locks.h"
#include "transaction/chains.h"
#include "transaction/checkpoint.h"
#include "transaction/conditions_change.h"
#include "transaction/journal.h"
#include "transaction/natives.h"
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
    Warranties& warranties;
    const Locks& locks;
    Natives& natives;
  };
  explicit TypeChanges(const Shard& shard) : shard_(shard) {}

  // Absent, or why the type cannot be installed.
  std::optional<std::string> request(composed::InstalledType wanted);
  // Makes the changes whose time has come. To be called once a turn.
  void step();
  // All changes that were requested have been made, and are durable.
  bool done() const { return requested_.empty() && position_ <= shard_.journal.durable(); }

 private:
  // Brings to an end whatever goes by the present version. True once nothing does.
  bool ends(const DataType& type);
  void make(const composed::InstalledType& change);

  Shard shard_;
  std::deque<composed::InstalledType> requested_;
  std::uint64_t position_ = 0;  // of the last change in the log
};

}  // namespace claret
