// Shard, continued: output, and what it waits for: the log, or, while nothing can be logged, the wall clock.
#include <algorithm>
#include <limits>

#include "shard/shard.h"
#include "wire/server_frame.h"

namespace claret {

bool Shard::drain(std::uint32_t peer, std::string& frame) {
  if (recovery_.bound(peer)) return recovery_.drain(peer, frame);
  if (door_.has(peer)) return door_.drain(peer, frame);
  const auto found = sessions_.find(peer);
  if (found == sessions_.end()) return false;
  Session& session = *found->second;
  session.has_output = false;
  if (!session.closing && !session.overflowed) watches_.speak(session, now_.monotonic_ms);
  const std::uint64_t durable = durable_position();
  // The body is sealed here, once a turn: later output depends on later entries, and must not delay this body.
  const ShardClock& clock = engine_.ground.clock;
  if (session.full.empty() && (session.out_needs > durable || !clock.covers(session.out_tells))) session.seal();
  const std::uint64_t taken_in = session.safely_taken_in(clock, durable);
  std::string body = std::exchange(session.at_once, {});
  if (session.full.empty()) {
    if (body.empty() && session.out.empty() && session.acknowledged == taken_in) return false;
    body += std::exchange(session.out, {});
    session.out_tells = 0;
  } else if (may_leave(session.full.front())) {
    session.full_bytes -= session.full.front().bytes.size();
    body += session.full.front().bytes;
    session.full.pop_front();
  } else if (body.empty()) {
    return false;
  }
  session.acknowledged = taken_in;
  // The acknowledgement comes first in the frame, so that a peer finds it without reading the rest.
  frame.clear();
  server_frame::add_header(frame, ++session.frames_out, taken_in);
  frame += body;
  ++counters_.totals.frames_out;
  return true;
}

bool Shard::may_leave(const Outbox::Body& body) const {
  return body.needs <= durable_position() && engine_.ground.clock.covers(body.tells);
}

bool Shard::may_leave(Session& session) const {
  if (!session.full.empty()) return may_leave(session.full.front());
  return session.safely_taken_in(engine_.ground.clock, durable_position()) != session.acknowledged;
}

std::vector<std::uint32_t> Shard::durable(std::uint64_t position, const Now& now) {
  begin(now);
  engine_.durable(position);
  for (const auto& [peer, session] : sessions_) {
    if (!session->has_output && may_leave(*session)) has_output(*session);
  }
  door_.durable();
  return std::exchange(outputs_, {});
}

bool Shard::closed(std::uint32_t peer) const {
  if (recovery_.bound(peer)) return recovery_.broken(peer);
  if (door_.has(peer)) return door_.closed(peer);
  const auto found = sessions_.find(peer);
  return found != sessions_.end() && found->second->closing && found->second->output_bytes() == 0;
}

double Shard::next_told_ms() const {
  const ShardClock& clock = engine_.ground.clock;
  double next = std::numeric_limits<double>::infinity();
  for (const auto& [peer, session] : sessions_) {
    const Timestamp at = session->has_output ? 0 : session->waits_to_tell(durable_position());
    if (at != 0) next = std::min(next, clock.covers(at) ? now_.monotonic_ms : clock.covers_at_ms(at));
  }
  return next;
}

}  // namespace claret
