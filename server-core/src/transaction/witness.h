// A witness is notified of what happens to attempts while the shard is watched. It changes nothing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gate/witness.h"
#include "transaction/chain.h"

namespace claret {

struct StandingWarranty;

// An epoch, as this shard has taken part in it. Times are monotonic.
struct EndedEpoch {
  std::uint32_t manager = 0;
  double gathered_ms = 0;  // since when the member that had waited longest was gathered
  double closed_ms = 0;  // the shard begins to list
  double listed_ms = 0;  // its list is made
  double decided_ms = 0;  // its members are decided, the first of them if they are decided one by one
  double ended_ms = 0;  // the last one has had its turn, or is gathered again
  std::uint64_t reads = 0;  // members that committed, and only observe
  std::uint64_t writes = 0;  // other members that committed
  std::uint64_t read_operations = 0;  // of these
  std::uint64_t write_operations = 0;
  std::uint64_t came_back = 0;  // members that were not listed, or not committed
  bool called_off = false;
  std::vector<std::uint32_t> late;  // the shards whose lists were late then
};

class TransactionWitness : public GateWitness {
 public:
  // May set `traced`; tried(), voted() and forgotten() are called only for traced attempts.
  virtual void begun(Attempt&) = 0;
  // The attempt's oldest request has been tried. `refused`: the operation that was refused, or null.
  virtual void tried(const Request&, const Visit* refused, bool denied, const LockRule&) = 0;
  virtual void voted(const Attempt&) = 0;
  // The attempt is gone, with nothing more to report.
  virtual void forgotten(const Attempt&) = 0;

  // Before the attempt releases anything. `needs`: a log position on which the attempt's end may depend, no smaller than in the previous
  // call.
  virtual void committed(const Attempt&, std::uint64_t needs) = 0;
  virtual void aborted(const Attempt&, std::string_view code, std::string_view cause, const LockRule&, std::uint64_t needs) = 0;

  // The member was executed ahead of its commit: its visits are in runs. It had waited for its turn for that long.
  virtual void ran(const Member&, double waited_ms) = 0;
  // The member, which is traced, is one of so many in a batch that votes.
  virtual void batched(const Attempt& member, std::size_t members) = 0;
  // The batch of the member, which is traced, stands back. `reason`: one of reasons::.
  virtual void stood_back(const Attempt& member, std::string_view reason) = 0;
  // On the record the newcomer, a member, waits for its turn, or was executed again (ConflictPair::again).
  virtual void member_conflict(const ConflictPair&, Record&) = 0;

  // All grants of the warranty are gone; what waited for it is about to be tried. Its record is tracked.
  virtual void warranty_ended(const StandingWarranty&) = 0;

  virtual void epoch_ended(const EndedEpoch&) = 0;
};

}  // namespace claret
