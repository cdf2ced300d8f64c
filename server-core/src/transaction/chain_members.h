// How members of chains begin and commit (chains.h).
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "transaction/chains.h"
#include "transaction/endings.h"
#include "transaction/visit_intake.h"

namespace claret {

class ChainMembers final : public MemberKeeper {
 public:
  struct Parts {
    Attempts& attempts;
    VisitIntake& intake;
    Endings& endings;
  };
  ChainMembers(Ground& ground, AttemptKeeper& keeper, const Parts& parts) : ground_(ground), keeper_(keeper), parts_(parts) {}

  std::unique_ptr<Member> begin_member(Coordinator& coordinator, MemberMessage& message, double arrived_ms,
                                       std::optional<Error>& error) override;
  void member_committed(Member& member, Timestamp at, std::uint64_t position) override { parts_.endings.note_commit(member, at, position); }
  void put_in_doubt(Attempt& batch, std::string_view reason) override { parts_.endings.put_in_doubt(batch, reason); }

 private:
  std::optional<Error> check(const Coordinator& coordinator, const RequestMessage& request) const;

  Ground& ground_;
  AttemptKeeper& keeper_;
  Parts parts_;
};

}  // namespace claret
