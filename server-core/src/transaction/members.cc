// Participant, continued: how members of chains begin (chains.h).
#include "transaction/participant.h"

namespace claret {

std::unique_ptr<Member> Participant::begin_member(Coordinator& coordinator, MemberMessage& message, double arrived_ms,
                                                  std::optional<Error>& error) {
  auto member = std::make_unique<Member>(*this);
  RequestMessage& request = message.request;
  if (!request.begin) {
    error = refuse(errors::kInvalidAttempt, "a member begins its attempt");
    return member;
  }
  error = check_begin(coordinator, request);
  const bool taken = conditions_.in_force().combining != "off" && conditions_.in_force().phasing && locks_.rule().kind != LockKind::kNone;
  if (!error && !taken) error = condition_changed();
  if (!error && (request.prepare || !request.begin->transaction.empty())) {
    error = refuse(errors::kInvalidAttempt, "a member has neither a prepare nor an id of its transaction");
  }
  if (!error && request.operations.size() > limits::kOperationsPerMemberMax) {
    error = refuse(errors::kTooManyOperations, "a member has at most " + std::to_string(limits::kOperationsPerMemberMax) + " operations");
  }
  if (error) return member;
  fill_in(*member, coordinator, request, arrived_ms);
  count_begun(*member);
  ++counters_.totals.members;
  Request taking;
  taking.number = 1;
  error = take_visits(*member, request, taking);
  return member;
}

}  // namespace claret
