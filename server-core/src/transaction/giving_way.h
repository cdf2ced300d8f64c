// Transactions that have ended because of warranties, and come again once these have ended: what they are to change gets no firm promise until then.
// Otherwise they would wait for one after the other, and never find all of them free.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <string>

#include "gate/gate.h"
#include "gate/patience.h"
#include "transaction/attempt.h"

namespace claret {

class GivingWay {
 public:
  // The attempt ends with that error.
  void note(const Attempt& attempt, const Error& error, double now_ms, const Patience& patience);
  // Somebody is to come again for a change of the record.
  bool awaits(const Record& record, double now_ms) const;

 private:
  static constexpr std::size_t kMost = 4096;

  absl::flat_hash_map<std::string, double> until_ms_;  // by key; never iterated but to erase
};

}  // namespace claret
