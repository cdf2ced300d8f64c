// Answers those who ask how an attempt has ended: clients, and other participants (docs/rules.md, section 6).
#pragma once

#include "transaction/endings.h"
#include "transaction/epoch_members.h"
#include "transaction/ground.h"
#include "wire/client_frame.h"

namespace claret {

class Inquiries {
 public:
  Inquiries(Ground& ground, Endings& endings, EpochMembers& epoch_members)
      : ground_(ground), endings_(endings), epoch_members_(epoch_members) {}

  void take(Coordinator& coordinator, const InquiryMessage& message);

 private:
  // The asker knows that the attempt has committed, and is to be told once this shard knows it for good.
  void confirm(Coordinator& coordinator, const InquiryMessage& message, const AttemptId& id);
  // What is known here. An attempt that is not known is refused from now on.
  AttemptState state_of(const Coordinator& coordinator, const AttemptId& id, Timestamp& at);
  // The answer must hold across a restart.
  void answer(Coordinator& coordinator, const InquiryMessage& message, const AttemptId& id, AttemptState state, Timestamp at,
              EpochNumber epoch = 0);

  Ground& ground_;
  Endings& endings_;
  EpochMembers& epoch_members_;
};

}  // namespace claret
