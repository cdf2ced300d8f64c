// How members of epochs begin, vote and end (epochs.h).
#pragma once

#include <optional>

#include "transaction/endings.h"
#include "transaction/epochs.h"
#include "transaction/votes.h"

namespace claret {

class EpochMembers final : public EpochKeeper {
 public:
  struct Parts {
    Replies& replies;
    Endings& endings;
    Votes& votes;
    Epochs& epochs;
  };
  EpochMembers(Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  // An error if the request cannot begin a member.
  std::optional<Error> check(const RequestMessage& message) const;
  // The attempt, which has one request, waits for an epoch from now on.
  void gather(Attempt& attempt);
  // What another shard is told of a member of that epoch. `at`: set to its commit or its vote.
  AttemptState state_of(const AttemptId& id, EpochNumber epoch, Timestamp& at);

  bool vote_listed(Attempt& member) override;
  bool commit_member_of_epoch(Attempt& member, Timestamp at) override;
  void refuse_member_of_epoch(Attempt& member, const Refusal& refusal, const Visit& refused) override {
    parts_.endings.abort_refused(member, refusal, refused);
  }
  void end_member_of_epoch(Attempt& member, const Error& error) override { parts_.endings.abort(member, error); }

 private:
  Ground& ground_;
  Parts parts_;
};

}  // namespace claret
