#include "transaction/replies.h"

#include <algorithm>
#include <limits>

#include "wire/server_frame.h"

namespace claret {

namespace {

constexpr double kMicrosecondsMost = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void Replies::reply(Request& request, Timestamp voted_at, Timestamp committed_at, std::uint64_t position) {
  Attempt& attempt = *request.attempt;
  absl::InlinedVector<const Value*, 8> results;
  auto asked = request.asked.begin();
  for (std::uint32_t index = 0; index < request.visits.size(); ++index) {
    const Visit& visit = *request.visits[index];
    const bool is_asked = asked != request.asked.end() && asked->index == index;
    const bool is_left_out = is_asked && asked->expects;
    if (is_asked) ++asked;
    if (visit.call.operation->result == Kind::kVoid) continue;
    if (!is_left_out) results.push_back(&visit.result);
    position = std::max(position, visit.record->last_position);
  }
  Warranties::Answers granted;
  if (!request.asked.empty()) position = std::max(position, warranties_.answer(request, granted));
  const auto is_grant = [](const GrantedMessage& one) { return one.grant != 0; };
  if (std::any_of(granted.begin(), granted.end(), is_grant)) warranties_.tell_standing_now(*attempt.coordinator);
  ground_.depends(*attempt.coordinator, position);
  if (const Timestamp told = std::max(voted_at, committed_at); told != 0) ground_.clock.tell(*attempt.coordinator, told);
  ReplyMessage reply{.attempt = attempt.number, .results = results, .granted = granted, .voted_at = voted_at, .committed_at = committed_at};
  if (voted_at != 0) reply.holds_until = attempt.holds_until;
  reply.waited = take_waited(attempt);
  server_frame::add_reply(attempt.coordinator->out, reply);
  ground_.has_output(*attempt.coordinator);
}

void Replies::error(Coordinator& coordinator, std::uint64_t number, const Error& error, const WaitedMessage& waited) {
  server_frame::add_reply(coordinator.out, {.attempt = number, .error = &error, .waited = waited});
  ground_.has_output(coordinator);
}

void Replies::denied(Attempt& attempt, const Error& error) {
  server_frame::add_reply(attempt.coordinator->out, {.attempt = attempt.number, .denied = &error, .waited = take_waited(attempt)});
  ground_.has_output(*attempt.coordinator);
}

WaitedMessage Replies::take_waited(Attempt& attempt) {
  const double microseconds = std::min(std::exchange(attempt.waited_ms, 0) * 1000, kMicrosecondsMost);
  return {static_cast<std::uint32_t>(microseconds), std::exchange(attempt.locks_waited_for, 0), std::exchange(attempt.runs_waited_for, 0)};
}

}  // namespace claret
