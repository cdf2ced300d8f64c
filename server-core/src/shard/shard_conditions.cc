// Shard, continued: the conditions in force, and refusals while entries cannot be made durable.
#include "shard/shard.h"
#include "wire/server_frame.h"

namespace claret {

void Shard::add_conditions(Session& session) {
  const Conditions& conditions = participant_.conditions();
  server_frame::add_conditions(session.out,
                               {name_of(conditions.locks), conditions.phasing, conditions.combining, natives_name(conditions.natives_pass),
                                name_of(conditions.warranties), name_of(conditions.epochs), conditions.epoch_ms});
}

void Shard::set_conditions(const Conditions& conditions, const Now& now) {
  begin(now);
  participant_.set_conditions(conditions);
  tell_conditions();
}

std::optional<std::string> Shard::change_type(composed::InstalledType wanted, const Now& now) {
  begin(now);
  return participant_.type_changes().request(std::move(wanted));
}

void Shard::refuse_changes(LogTrouble why, const Now& now) {
  begin(now);
  participant_.refuse_changes(why);
  watches_.be_patient(why != LogTrouble::kNone);
  if (why == LogTrouble::kNone) return;
  for (const auto& [peer, session] : sessions_) {
    const bool waits = !session->full.empty() && session->full.back().needs > durable_position();
    if (session->closing || !(waits || session->out_needs > durable_position())) continue;
    session->drop_output();
    close(*session, errors::kSessionLost, "the output that the session waits for cannot be made durable now");
  }
  door_.refuse_changes();
}

// A change of conditions may take effect later than it was requested.
void Shard::tell_conditions() {
  if (conditions_told_ == participant_.conditions()) return;
  conditions_told_ = participant_.conditions();
  epochs_.set_interval(conditions_told_.epoch_ms);
  for (const auto& [peer, session] : sessions_) {
    if (!session->welcomed || session->closing) continue;
    add_conditions(*session);
    has_output(*session);
  }
}

}  // namespace claret
