// Answers to the requests of attempts.
#pragma once

#include <cstdint>

#include "transaction/attempt.h"
#include "transaction/ground.h"
#include "transaction/warranties.h"

namespace claret {

class Replies {
 public:
  Replies(Ground& ground, Warranties& warranties) : ground_(ground), warranties_(warranties) {}

  // The results of a request, and its vote or commit; 0: there is none. `position`: in the log, on which the answer depends besides the positions
  // on which its results depend.
  void reply(Request& request, Timestamp voted_at, Timestamp committed_at, std::uint64_t position);
  // `number`: of the attempt in its session.
  void error(Coordinator& coordinator, std::uint64_t number, const Error& error, const WaitedMessage& waited = {});
  // The attempt's request was denied, and may be sent again.
  void denied(Attempt& attempt, const Error& error);
  // The completed waits of the attempt that were not reported yet.
  static WaitedMessage take_waited(Attempt& attempt);

 private:
  Ground& ground_;
  Warranties& warranties_;
};

}  // namespace claret
