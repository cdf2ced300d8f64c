#include "transaction/chain_replies.h"

#include <absl/container/inlined_vector.h>

#include <algorithm>

#include "wire/server_frame.h"

namespace claret {

namespace {

absl::InlinedVector<const Value*, 8> results_of(const Member& member) {
  absl::InlinedVector<const Value*, 8> results;
  for (const Visit& visit : member.visits) {
    if (has_result(visit)) results.push_back(&visit.result);
  }
  return results;
}

}  // namespace

Error member_denied(const Visit& visit, std::string message) {
  Error error{.code = errors::kDenied, .message = std::move(message), .retryable = true, .cause = causes::kLockWait};
  error.key = visit.record->key;
  error.operation = operation_name(*visit.type, visit.call);
  return error;
}

void ChainReplies::answer(Member& member) {
  member.answer = member.chain->answers + 1;
  tell(member);
}

void ChainReplies::tell(Member& member) {
  Chain& chain = *member.chain;
  const absl::InlinedVector<const Value*, 8> results = results_of(member);
  ++chain.answers;
  const WaitedMessage waited{static_cast<std::uint32_t>(std::exchange(member.waited_ms, 0) * 1000),
                             std::exchange(member.locks_waited_for, 0)};
  server_frame::add_member(chain.coordinator->at_once, {.chain = chain.number,
                                                        .n = member.n,
                                                        .withdrawals = chain.withdrawals,
                                                        .results = results,
                                                        .waited = waited,
                                                        .above = member.above,
                                                        .at = !member.timed ? 0 : std::min(clock_.reached(), clock_.kept())});
  has_output_(*chain.coordinator);
}

void ChainReplies::refuse(const Member& member, const Error& error, std::uint64_t needs) {
  const Chain& chain = *member.chain;
  Coordinator& coordinator = *chain.coordinator;
  const MemberReplyMessage reply{.chain = chain.number, .n = member.n, .withdrawals = chain.withdrawals, .error = &error};
  // Its client tells nobody of a refusal of what it has guessed, and must not hold up the members above for the log.
  if (!member.ends || error.code == errors::kDenied) {
    server_frame::add_member(coordinator.at_once, reply);
  } else {
    coordinator.depend_on(needs, journal_.durable());
    server_frame::add_member(coordinator.out, reply);
  }
  has_output_(coordinator);
}

// It lay in the backlog when its chain ended, so what was told of that chain did not count it.
void ChainReplies::refuse_late(Coordinator& coordinator, const MemberMessage& message) {
  const Error error = chain_broken("the member's chain is over");
  server_frame::add_member(coordinator.at_once, {.chain = message.chain, .n = message.n, .error = &error});
  has_output_(coordinator);
}

void ChainReplies::committed(const Member& member, Timestamp at, std::uint64_t needs) {
  const Chain& chain = *member.chain;
  Coordinator& coordinator = *chain.coordinator;
  coordinator.depend_on(needs, journal_.durable());
  if (!member.ends) {
    committed_.push_back(member.n);
    committed_at_.push_back(at);
    return;
  }
  const absl::InlinedVector<const Value*, 8> results = results_of(member);
  const WaitedMessage waited{static_cast<std::uint32_t>(member.waited_ms * 1000), member.locks_waited_for};
  clock_.tell(coordinator, at);
  server_frame::add_member(coordinator.out, {.chain = chain.number,
                                             .n = member.n,
                                             .withdrawals = chain.withdrawals,
                                             .results = results,
                                             .waited = waited,
                                             .above = member.above,
                                             .committed_at = at});
  has_output_(coordinator);
}

void ChainReplies::tell_committed(Chain& chain) {
  if (committed_.empty()) return;
  clock_.tell(*chain.coordinator, committed_at_.back());
  server_frame::add_members_committed(chain.coordinator->out, chain.number, committed_, committed_at_);
  has_output_(*chain.coordinator);
  committed_.clear();
  committed_at_.clear();
}

void ChainReplies::broken(Chain& chain, std::string_view reason, const Error& error) {
  server_frame::add_chain_broken(chain.coordinator->at_once, chain.number, chain.decided, reason, error);
  has_output_(*chain.coordinator);
}

}  // namespace claret
