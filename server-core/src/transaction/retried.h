// Transactions with an id (Begin.transaction), at their home shard.
//
// An attempt of such a transaction is begun only if no other attempt of it is in flight here, and none has committed. It keeps the id
// claimed until it ends, voted or not, so only one attempt at a time can get this shard's vote, whichever clients run them. Its commit and the
// keeping of its answer are atomic: both are in the same entry of the log.
#pragma once

#include <optional>

#include "transaction/ground.h"
#include "transaction/replies.h"
#include "wire/client_frame.h"

namespace claret {

class Retried {
 public:
  Retried(Ground& ground, Replies& replies) : ground_(ground), replies_(replies) {}

  // False if the transaction cannot begin here now; the reply has been written then.
  bool claim(Coordinator& coordinator, const RequestMessage& message);
  // Takes the answer that comes with the prepare. An error if it cannot be kept.
  std::optional<Error> take_answer(const Attempt& attempt, const PrepareMessage& prepare);

 private:
  Ground& ground_;
  Replies& replies_;
};

}  // namespace claret
