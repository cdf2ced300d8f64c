// The door, continued: commands that wait until something is at one of their keys, such as BLPOP.
#include <algorithm>
#include <limits>
#include <vector>

#include "door/door.h"
#include "gate/record_operations.h"
#include "ground/check.h"
#include "resp/command_keys.h"

namespace claret {

void Door::block(DoorSession& session, const resp::CommandSpec& spec, resp::Arguments arguments, double for_ms) {
  if (session.blocked != 0) return;  // it waits on, at the place where it was
  session.blocked = ++blocked_made_;
  session.blocked_until_ms = for_ms == 0 ? std::numeric_limits<double>::infinity() : shard_.clock.now_ms() + for_ms;
  session.blocked_keys.clear();
  const auto keys = resp::CommandKeys::of(spec, arguments);
  for (std::size_t n = 0; keys && n < keys->size(); ++n) session.blocked_keys.emplace_back(arguments[keys->place(n)]);
  blocked_.emplace(session.blocked, &session);
}

void Door::end_block(DoorSession& session) {
  if (session.blocked != 0) blocked_.erase(session.blocked);
  session.blocked = 0;
  session.is_over = false;
}

bool Door::has_come(const DoorSession& session) const {
  return std::any_of(session.blocked_keys.begin(), session.blocked_keys.end(), [&](const std::string& key) {
    if (!shard_.slots.owns_all() && !shard_.slots.owns(slot_of(key))) return true;  // it is told that the slot has moved
    const Record* record = shard_.records.find(key);
    return record != nullptr && !is_vacant(*record);
  });
}

void Door::serve_blocked() {
  const LookedAt now{.changes = shard_.records.changes(), .slots = shard_.slots.owned_count()};
  const bool may_have_come = std::exchange(looked_at_, now) != now;
  if (blocked_.empty() || (!may_have_come && !std::exchange(looks_at_blocked_, false) && next_ms() > shard_.clock.now_ms())) return;
  std::vector<std::uint64_t> places;  // what is run changes the map
  for (const auto& [place, session] : blocked_) places.push_back(place);
  for (const std::uint64_t place : places) {
    const auto found = blocked_.find(place);
    if (found == blocked_.end()) continue;
    DoorSession& session = *found->second;
    if (session.natives_waiting != 0) continue;  // it is run again once what holds the record has ended
    session.is_over = session.is_over || session.blocked_until_ms <= shard_.clock.now_ms();
    if (session.is_over || has_come(session)) run_again(session);
  }
}

double Door::next_ms() const {
  double next = std::numeric_limits<double>::infinity();
  for (const auto& [place, session] : blocked_) next = std::min(next, session->blocked_until_ms);
  return next;
}

bool Door::unblock(std::uint64_t client, bool with_error) {
  for (const auto& [place, session] : blocked_) {
    if (session->connection.options().id != client || session->natives_waiting != 0) continue;
    DoorSession& blocked = *session;
    if (with_error) {
      blocked.connection.reply().error("UNBLOCKED client unblocked via CLIENT UNBLOCK");
      hand_over(blocked, 0);
      end_block(blocked);
      answered(blocked);
    } else {
      looks_at_blocked_ = blocked.is_over = true;  // at the end of the turn it is run again, and answers that there was nothing
    }
    return true;
  }
  return false;
}

}  // namespace claret
