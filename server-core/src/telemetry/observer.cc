#include "telemetry/observer.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "transaction/coordinator.h"

namespace claret {

Observer::Observer(const Counters& counters, double now_ms)
    : counters_(counters), before_(counters.totals), samples_(counters), last_frame_ms_(now_ms) {
  at(now_ms);
}

void Observer::at(double now_ms) {
  hot_records_.at(now_ms);
  phases_.at(now_ms);
  samples_.at(now_ms);
}

void Observer::conflict(const ConflictPair& pair, const Claim& claim) {
  conflicts_.add(pair);
  hot_records_.conflict(*claim.record);
  phases_.waits(*claim.record, claim.verdict.is_turn() && claim.verdict.why != Why::kNative);
}

void Observer::native_conflict(const ConflictPair& pair, Record& record) {
  conflicts_.add(pair);
  hot_records_.native_conflict(record, pair.broke);
  if (!pair.broke) phases_.waits(record, false);
}

void Observer::waited(const Claim& claim, double ms) {
  hot_records_.waited(*claim.record, ms);
  samples_.waited(claim, ms);
}

void Observer::passed(const GateRequest& request, const LockRule& rule) {
  for (const Claim& claim : request.claims) {
    if (claim.record->hot != 0) phases_.passed(claim, rule.name_of(*claim.record->type, claim.mode));
  }
}

void Observer::ran(const Member& member, double waited_ms) {
  if (member.awaits != nullptr && waited_ms > 0) hot_records_.waited(*member.awaits, waited_ms);
  for (const Visit& visit : member.visits) {
    hot_records_.operation(*visit.record);
    if (visit.record->hot != 0) phases_.ran(visit, shown_session(member.chain->coordinator->name));
  }
  if (member.traced) samples_.ran(member, waited_ms);
}

void Observer::member_conflict(const ConflictPair& pair, Record& record) {
  conflicts_.add(pair);
  if (pair.again) return;  // nobody waits
  hot_records_.conflict(record);
  phases_.waits(record, false);
}

void Observer::take_conflicts(TelemetryFrame& frame) {
  std::vector<ConflictPairs::Row> rows = conflicts_.rows();
  frame.conflicts_left_out = conflicts_.dropped();
  conflicts_.clear();
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  for (const auto& [pair, count] : rows) {
    if (frame.conflicts.size() == telemetry::kConflictPairsShown) {
      frame.conflicts_left_out += count;
      continue;
    }
    frame.conflicts.push_back({counters_.label(pair.holder_label),
                               counters_.label(pair.comer_label),
                               {pair.type, pair.holder_operation},
                               {pair.type, pair.comer_operation},
                               pair.outcome(),
                               count});
  }
}

namespace {

using ByMode = std::array<std::uint64_t, kAllModes>;

// Members that wait for their turn: at the first record at which another chain is in their way.
absl::flat_hash_map<const Record*, ByMode> waiting_for_turns(const Waiting& waiting, const LockRule& rule) {
  absl::flat_hash_map<const Record*, ByMode> at;  // looked up, never iterated
  for (const TurnWait& wait : waiting.turns) {
    if (wait.visit->record->hot != 0) ++at[wait.visit->record][rule.mode_of(*wait.visit)];
  }
  return at;
}

std::uint64_t sum(const ByMode& by_mode) { return std::accumulate(by_mode.begin(), by_mode.end(), std::uint64_t{0}); }

// `waiting`: members that wait for their turn.
std::vector<ShownMode> modes_of(const Record& record, ByMode waiting, const LockRule& rule) {
  std::vector<ShownMode> shown;
  if (record.gate == nullptr) return shown;
  ByMode running{};
  if (const Run* run = record.run()) {
    for (const Run::Entry& entry : run->entries) ++running[rule.mode_of(*entry.visit)];
  }
  const auto waiters = record.gate->waiters();
  for (const Claim* claim : waiters.first(std::min(waiters.size(), telemetry::kWaitersCounted))) ++waiting[claim->mode];
  for (Mode mode = 0; mode < kAllModes; ++mode) {
    const std::uint64_t holders = record.gate->holders_in_mode(mode) + running[mode];
    if (holders + waiting[mode] != 0) shown.push_back({rule.name_of(*record.type, mode), holders, waiting[mode]});
  }
  return shown;
}

ShownPhase shown_phase(const OpenPhase& phase, double now_ms) {
  return {phase.mode, phase.session, now_ms - phase.began_ms, now_ms - phase.began_ms, phase.let_in, phase.capped};
}

}  // namespace

void Observer::take_hot_records(TelemetryFrame& frame, const Waiting& waiting, const LockRule& rule) {
  Phases::Told told = phases_.take();
  frame.phases_left_out = told.dropped;
  frame.records_tracked = hot_records_.tracked();
  const auto turns = waiting_for_turns(waiting, rule);
  // By place: the index of its record in this frame, or -1 if the record is not shown.
  std::array<std::int32_t, telemetry::kHotRecordsTracked> index;
  index.fill(-1);
  for (const HotRecord* hot : hot_records_.hottest(telemetry::kHotRecordsShown)) {
    const Record& record = *hot->record;
    const auto found = turns.find(&record);
    const ByMode members = found == turns.end() ? ByMode{} : found->second;
    index[hot_records_.place_of(*hot)] = static_cast<std::int32_t>(frame.hot_records.size());
    ShownRecord shown{.key = shown_key(record.key),
                      .type = record.type->name(),
                      .heat = hot_records_.heat(*hot),
                      .tracked_ms = frame.monotonic_ms - hot->since_ms,
                      .operations = hot->operations,
                      .conflicts = hot->conflicts,
                      .waits = hot->waits,
                      .wait_ms = hot->wait_ms,
                      .natives = hot->natives,
                      .native_waits = hot->native_waits,
                      .native_breaks = hot->native_breaks,
                      .waiting = (record.gate == nullptr ? 0 : record.gate->waiters().size()) + sum(members),
                      .modes = modes_of(record, members, rule)};
    if (hot->phase.open && hot->phase.contended) shown.phase = shown_phase(hot->phase, frame.monotonic_ms);
    frame.hot_records.push_back(std::move(shown));
  }
  for (const PhaseEvent& event : told.events) {
    const std::int32_t at = index[event.place];
    if (at < 0 || hot_records_.tenancy(event.place) != event.tenancy) {
      ++frame.phases_left_out;
      continue;
    }
    frame.hot_records[at].phases.push_back(
        {event.mode, event.session, frame.monotonic_ms - event.began_ms, event.length_ms, event.let_in, event.capped});
  }
  take_warranties(frame, index);
}

void Observer::take_warranties(TelemetryFrame& frame, std::span<const std::int32_t> index) {
  const WarrantyEvents::Told told = warranties_.take();
  frame.warranties_left_out = told.dropped;
  for (const WarrantyEvent& event : told.events) {
    const std::int32_t at = index[event.place];
    if (at < 0 || hot_records_.tenancy(event.place) != event.tenancy) {
      ++frame.warranties_left_out;
      continue;
    }
    frame.hot_records[at].warranties.push_back(shown_warranty(event, frame.monotonic_ms));
  }
  for (const HotRecord* hot : hot_records_.hottest(telemetry::kHotRecordsShown)) {
    ShownRecord& shown = frame.hot_records[index[hot_records_.place_of(*hot)]];
    for (ShownWarranty& standing : standing_warranties(*hot->record, frame.monotonic_ms)) shown.warranties.push_back(std::move(standing));
  }
}

TelemetryFrame Observer::take(const Waiting& waiting, const std::optional<KeptTurn>& turn, const LockRule& rule, std::uint64_t durable,
                              double now_ms) {
  at(now_ms);
  TelemetryFrame frame;
  frame.monotonic_ms = now_ms;
  frame.elapsed_ms = now_ms - std::exchange(last_frame_ms_, now_ms);
  frame.number = ++frames_;
  frame.totals = counters_.totals.since(std::exchange(before_, counters_.totals));
  take_conflicts(frame);
  take_hot_records(frame, waiting, rule);
  turns_.take(frame, turn);
  epochs_.take(frame);
  frame.waiters = longest_waits(waiting, rule, counters_, now_ms);
  samples_.take(frame, durable);
  hot_records_.next_frame(frame.elapsed_ms);
  return frame;
}

}  // namespace claret
