// Changes of a shard's installed data types (composed/type_table.h), in the order in which they were requested.
//
// A change takes effect at one moment, in which it is logged. A type that is new, retired or taken back changes at once. Another version of a
// type waits until the attempts that run have ended, as a change to or from `locks: none` does (conditions_change.h), so that a transaction runs
// the operations of one version. A change also waits for a checkpoint that is under way: its header has the types as of its position.
#pragma once

#include <cstdint>
#include <deque>

#include "composed/type_table.h"
#include "transaction/checkpoint.h"
#include "transaction/conditions_change.h"
#include "transaction/journal.h"

namespace claret {

class TypeChanges {
 public:
  TypeChanges(composed::TypeTable& types, Journal& journal, const Checkpoint& checkpoint, ConditionsChange& conditions)
      : types_(types), journal_(journal), checkpoint_(checkpoint), conditions_(conditions) {}

  // Absent, or why the type cannot be installed.
  std::optional<std::string> request(composed::InstalledType wanted);
  // Makes the changes whose time has come. To be called once a turn.
  void step();
  // All changes that were requested have been made, and are durable.
  bool done() const { return requested_.empty() && position_ <= journal_.durable(); }

 private:
  composed::TypeTable& types_;
  Journal& journal_;
  const Checkpoint& checkpoint_;
  ConditionsChange& conditions_;
  std::deque<composed::InstalledType> requested_;
  std::uint64_t position_ = 0;  // of the last change in the log
};

}  // namespace claret
