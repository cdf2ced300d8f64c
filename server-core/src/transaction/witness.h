// A witness is told what becomes of attempts while somebody watches the shard. It changes nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "gate/witness.h"
#include "transaction/attempt.h"

namespace claret {

class TransactionWitness : public GateWitness {
 public:
  // May set `traced`; joined(), tried(), voted() and forgotten() are for such attempts alone.
  virtual void begun(Attempt&) = 0;
  // Its newest visit is a shared operation that it has joined.
  virtual void joined(const Attempt&) = 0;
  // Its oldest request has been tried. `refused`: the operation that cannot be done, or null.
  virtual void tried(const Request&, const Visit* refused, bool denied, const LockRule&) = 0;
  virtual void voted(const Attempt&) = 0;
  // The attempt has gone, and nothing more is to be told of it.
  virtual void forgotten(const Attempt&) = 0;

  // Before it lets go of anything. `needs`: a position in the log that this may rest on, no smaller than in the call before.
  virtual void committed(const Attempt&, std::uint64_t needs) = 0;
  virtual void aborted(const Attempt&, std::string_view code, std::string_view cause, const LockRule&, std::uint64_t needs) = 0;
};

}  // namespace claret
