#include "transaction/chain_members.h"

namespace claret {

std::optional<Error> ChainMembers::check(const Coordinator& coordinator, const RequestMessage& request) const {
  if (!request.begin) return refuse(errors::kInvalidAttempt, "a member begins its attempt");
  if (auto error = parts_.attempts.check(coordinator, request)) return error;
  if (ground_.conditions.combining == Combining::kOff || !ground_.conditions.phasing) return condition_changed();
  if (request.prepare || !request.begin->transaction.empty()) {
    return refuse(errors::kInvalidAttempt, "a member has neither a prepare nor an id of its transaction");
  }
  if (request.operations.size() <= limits::kOperationsPerMemberMax) return std::nullopt;
  return refuse(errors::kTooManyOperations, "a member has at most " + std::to_string(limits::kOperationsPerMemberMax) + " operations");
}

std::unique_ptr<Member> ChainMembers::begin_member(Coordinator& coordinator, MemberMessage& message, double arrived_ms,
                                                   std::optional<Error>& error) {
  auto member = std::make_unique<Member>(keeper_);
  error = check(coordinator, message.request);
  if (error) return member;
  parts_.attempts.fill_in(*member, coordinator, message.request, arrived_ms);
  parts_.attempts.count_begun(*member);
  ++ground_.counters.totals.members;
  Request taking;
  taking.number = 1;
  error = parts_.intake.take(*member, message.request, taking);
  return member;
}

}  // namespace claret
