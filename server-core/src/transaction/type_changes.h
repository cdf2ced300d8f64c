// Changes of a shard's installed data types (composed/type_table.h), in the order in which they were requested.
//
// A change takes effect at one moment, in which it is logged. A type that is new, retired or taken back changes at once. Another version of a
// type waits until nothing goes by the present one: attempts that have not voted are aborted, and new ones refused, until those that have voted have
// their outcomes; warranties of its records are recalled. A transaction runs the operations of one version, and no client answers by another. If
// the change gives records another form, the past is forgotten, since nothing that was executed before can be undone after it. A change also waits
// for a checkpoint that is under way: its header has the types as of its position.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "composed/type_table.h"
#include "transaction/capability.h"
#include "transaction/ground.h"

namespace claret {

class TypeChanges final : public Capability {
 public:
  explicit TypeChanges(Ground& ground) : ground_(ground) {}

  // Absent, or why the type cannot be installed.
  std::optional<std::string> request(composed::InstalledType wanted);
  // All changes that were requested have been made, and are durable.
  bool done() const { return requested_.empty() && position_ <= ground_.journal.durable(); }

  void watch(TransactionWitness*) override {}
  void lose(Coordinator&) override {}
  // Makes the changes whose time has come.
  bool settle() override;
  void turn() override {}
  double next_due_ms() const override { return kNeverDue; }
  void due() override {}
  bool change(const Change&) override { return true; }
  void trouble(LogTrouble) override {}
  void started() override {}
  bool may_cut() override { return true; }

 private:
  // REQUIRES: nothing goes by the present version.
  void make(Change change, const composed::InstalledType& wanted);

  Ground& ground_;
  std::deque<composed::InstalledType> requested_;
  std::uint64_t position_ = 0;  // of the last change in the log
};

}  // namespace claret
