// The door, continued: replies that have to wait for earlier ones, which other doors owe, and what clients leave unread.
#include <utility>

#include "door/door.h"

namespace claret {

// What was written from `begin` on is the reply to a command behind others whose replies have yet to come.
void Door::put_in_place(DoorSession& session, std::size_t begin) {
  if (session.places.empty()) return;
  std::string& output = session.connection.output();
  ReplyPlace& place = session.places.emplace_back();
  place.is_there = true;
  place.reply = output.substr(begin);
  session.placed_bytes += place.reply.size();
  output.resize(begin);
}

// Replies leave in the order of their commands.
void Door::hand_over_places(DoorSession& session) {
  while (!session.places.empty() && session.places.front().is_there) {
    const ReplyPlace place = std::move(session.places.front());
    session.places.pop_front();
    ++session.places_gone;
    session.placed_bytes -= place.reply.size();
    session.connection.reply().raw(place.reply);
    hand_over(session, place.needs);
  }
  if (!session.places.empty()) return;
  if (std::exchange(session.waits_for_answer, false)) {
    answered(session);
  } else {
    session.is_settled = session.is_ready = true;
    ready_.push_back(session.peer);
  }
}

void Door::drop_places(DoorSession& session) {
  session.places_gone += session.places.size();
  session.places.clear();
  session.placed_bytes = 0;
  for (const auto& [address, number] : session.links) links_.at(number)->owed.clear();
}

std::size_t Door::unread_max() const { return unread_bytes_ < kUnreadInAllMax ? kUnreadOutputMax : kUnreadCrowdedMax; }

bool Door::is_unread(const DoorSession& session) const { return session.unread_bytes() >= unread_max(); }

void Door::count_unread(DoorSession& session) {
  unread_bytes_ -= session.counted_bytes;
  session.counted_bytes = session.unread_bytes() + session.leaving_bytes;
  unread_bytes_ += session.counted_bytes;
}

}  // namespace claret
