#include "telemetry/phases.h"

#include <algorithm>

namespace claret {

void Phases::open(HotRecord& hot, std::string_view mode, double began_ms) {
  // While a session holds the record, some claims may have passed since the session took it.
  began_ms = std::max(began_ms, hot.phase_ended_ms);
  hot.phase = {.open = true, .mode = mode, .began_ms = began_ms, .last_ms = began_ms};
}

void Phases::close(HotRecord& hot) {
  const OpenPhase phase = std::exchange(hot.phase, {});
  if (!phase.open) return;
  hot.phase_ended_ms = phase.passing ? phase.last_ms : now_ms_;
  if (!phase.contended || phase.let_in == 0) return;
  if (events_.size() == telemetry::kPhaseEventsMax) {
    events_.pop_front();
    ++dropped_;
  }
  events_.push_back({hot_records_.place_of(hot), hot.tenancy, phase.mode, phase.session, phase.began_ms,
                     hot.phase_ended_ms - phase.began_ms, phase.let_in, phase.capped});
}

void Phases::entered(const Visit& visit, std::string_view mode) {
  HotRecord* hot = hot_records_.find(*visit.record);
  if (hot == nullptr) return;
  const Gate& gate = *visit.record->gate;
  if (hot->phase.passing) close(*hot);
  if (!hot->phase.open) open(*hot, mode, gate.phase_began_ms());
  if (!gate.waiters().empty()) hot->phase.contended = true;
  ++hot->phase.let_in;
}

void Phases::ran(const Visit& visit, std::string_view session) {
  HotRecord* hot = hot_records_.find(*visit.record);
  if (hot == nullptr) return;
  if (hot->phase.passing) close(*hot);
  if (!hot->phase.open) {
    open(*hot, kRunMode, now_ms_);
    hot->phase.session = session;
  }
  const Gate& gate = *visit.record->gate;
  if (!gate.waiters().empty() || gate.run()->entries.front().visit->party != visit.party) hot->phase.contended = true;
  ++hot->phase.let_in;
}

void Phases::turn(const Claim& claim, std::string_view mode) {
  HotRecord* hot = hot_records_.find(*claim.record);
  if (hot == nullptr) return;
  const auto came = static_cast<std::uint32_t>(claim.visits.size());
  OpenPhase& phase = hot->phase;
  const bool opened_it = phase.open && phase.let_in == came && phase.began_ms == now_ms_;
  if (!opened_it) {
    phase.let_in -= std::min(phase.let_in, came);  // they belong to the next phase
    close(*hot);
    open(*hot, mode, now_ms_);
    phase.let_in = came;
  }
  phase.contended = true;
}

void Phases::passed(const Claim& claim, std::string_view mode) {
  HotRecord* hot = hot_records_.find(*claim.record);
  if (hot == nullptr) return;
  OpenPhase& phase = hot->phase;
  if (phase.passing && phase.mode != mode) close(*hot);
  if (!phase.open) {
    open(*hot, mode, now_ms_);
    phase.passing = true;
  }
  phase.let_in += static_cast<std::uint32_t>(claim.visits.size());
  phase.last_ms = now_ms_;
  phase.contended = true;
}

void Phases::left(const Record& record) {
  HotRecord* hot = hot_records_.find(record);
  if (hot == nullptr || !hot->phase.open || hot->phase.passing) return;
  if (record.gate->holders().empty() && record.run() == nullptr) close(*hot);
}

void Phases::waits(const Record& record, bool capped) {
  HotRecord* hot = hot_records_.find(record);
  if (hot == nullptr || !hot->phase.open || hot->phase.passing) return;
  hot->phase.contended = true;
  hot->phase.capped |= capped;
}

Phases::Told Phases::take() {
  for (HotRecord* hot : hot_records_.hottest(telemetry::kHotRecordsTracked)) {
    if (hot->phase.passing) close(*hot);
  }
  return {std::exchange(events_, {}), std::exchange(dropped_, 0)};
}

}  // namespace claret
