// Shard, continued: the conditions in force, and refusals while entries cannot be made durable.
#include "shard/shard.h"
#include "wire/server_frame.h"

namespace claret {

void Shard::add_conditions(Session& session) { server_frame::add_conditions(session.out, engine_.ground.conditions); }

void Shard::set_conditions(const Conditions& conditions, const Now& now) {
  begin(now);
  engine_.set_conditions(conditions);
  tell_conditions();
}

std::optional<std::string> Shard::change_type(composed::InstalledType wanted, const Now& now) {
  begin(now);
  return engine_.type_changes.request(std::move(wanted));
}

void Shard::refuse_changes(LogTrouble why, const Now& now) {
  begin(now);
  engine_.refuse_changes(why);
  watches_.be_patient(why != LogTrouble::kNone);
  if (why == LogTrouble::kNone) return;
  for (const auto& [peer, session] : sessions_) {
    const bool waits = !session->full.empty() && session->full.back().needs > durable_position();
    if (session->closing || !(waits || session->out_needs > durable_position())) continue;
    session->drop_output();
    close(*session, errors::kSessionLost, "the output that the session waits for cannot be made durable now");
  }
  close_unsafe_sessions();
  door_.refuse_changes();
}

void Shard::close_unsafe_sessions() {
  if (!engine_.ground.clock.refuses_changes()) return;
  for (const auto& [peer, session] : sessions_) {
    if (session->closing || session->unsafe.empty() || session->unsafe.back().position <= durable_position()) continue;
    close(*session, errors::kSessionLost, "an outcome that the session has brought cannot be made durable now");
  }
}

// A change of conditions may take effect later than it was requested.
void Shard::tell_conditions() {
  if (conditions_told_ == engine_.ground.conditions) return;
  conditions_told_ = engine_.ground.conditions;
  for (const auto& [peer, session] : sessions_) {
    if (!session->welcomed || session->closing) continue;
    add_conditions(*session);
    has_output(*session);
  }
}

}  // namespace claret
