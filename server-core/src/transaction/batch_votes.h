// Votes on batches: members of a chain that commit over several shards, as one attempt (chains.h, batches.cc).
#pragma once

#include <optional>

#include "transaction/chains.h"
#include "transaction/votes.h"

namespace claret {

class BatchVotes {
 public:
  struct Parts {
    Attempts& attempts;
    Replies& replies;
    Votes& votes;
    Chains& chains;
  };
  BatchVotes(Ground& ground, AttemptKeeper& keeper, const Parts& parts) : ground_(ground), keeper_(keeper), parts_(parts) {}

  // Votes on it at once, or refuses it, and breaks its chain.
  void take(Coordinator& coordinator, const BatchMessage& message);

 private:
  std::optional<Error> vote(Coordinator& coordinator, const BatchMessage& message);

  Ground& ground_;
  AttemptKeeper& keeper_;
  Parts parts_;
};

}  // namespace claret
