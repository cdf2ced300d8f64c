#include "transaction/engine.h"

#include <algorithm>
#include <utility>

#include "ground/mutation.h"

namespace claret {

namespace {

// Records deleted, or dropped, by one turn.
constexpr std::size_t kExpiredPerTurn = 256;

}  // namespace

// A part may be given one that is made after it: it only keeps the reference.
Engine::Engine(const EngineOptions& options, Counters& counters, std::function<void(Coordinator&)> has_output)
    : ground(options, counters, std::move(has_output)),
      attempts(ground),
      departures(ground.locks, ground.effects, attempts, options.visits_leave_at_once),
      native_run({ground.journal, ground.clock, ground.effects}, ground.has_output),
      past_reads({ground.records, ground.locks, ground.clock, ground.effects, ground.past, ground.counters, ground.context, native_run}),
      natives({ground.records, ground.locks, ground.journal, ground.clock, ground.effects, ground.counters, ground.context, ground.slots(),
               native_run, past_reads}),
      warranties({ground.records, ground.locks, ground.journal, ground.clock, ground.counters}, options.warranties, ground.has_output),
      boards({ground.records, ground.journal, ground.clock, ground.context, ground.slots(), ground.locks, options.heat_hot},
             ground.has_output),
      chains({ground.locks, ground.journal, ground.clock, ground.effects, ground.log, ground.outcomes, ground.counters, ground.context,
              boards, warranties},
             chain_members, ground.has_output),
      epochs({ground.place.shard, ground.locks, ground.journal, ground.clock, ground.log, ground.doubts, ground.counters, ground.context},
             epoch_members),
      replies(ground, warranties),
      endings(ground, {attempts, replies, departures, chains, epochs, warranties}),
      votes(ground, replies, endings),
      intake(ground, natives, warranties),
      retried(ground, replies),
      requests(ground, {attempts, replies, endings, votes, retried, intake, departures, epoch_members, slot_giver, warranties}),
      chain_members(ground, requests, {attempts, intake, endings}),
      epoch_members(ground, {replies, endings, votes, epochs}),
      batch_votes(ground, requests, {attempts, replies, votes, chains}),
      inquiries(ground, endings, epoch_members),
      type_changes(ground),
      checkpointing(ground.place, ground.context, ground.checkpoint,
                    {attempts.by_serial(), ground.outcomes.known(), ground.journal, ground.clock, ground.log, ground.moves, ground.records},
                    ground.deduplication, departures, ground.effects, ground.native_sessions),
      importing(ground.records, ground.deduplication, ground.checkpoint, ground.moves),
      leftovers(ground.records, ground.deduplication, ground.checkpoint, ground.moves),
      slot_giver(ground, {attempts, endings, requests, leftovers}),
      slot_taker(ground, {importing, leftovers}),
      restart(ground, requests, {attempts, epochs, importing, leftovers}) {
  // What leaves its records comes first: others may wait for these. Whoever gives a run of slots ends attempts there before natives learn that it is
  // gone. What can only be decided once nothing changes any more comes last.
  ground.capabilities = {&departures, &requests, &ground.past, &slot_giver, &past_reads, &natives,
                         &warranties, &chains,   &boards,      &epochs,     &endings,    &type_changes};
  ground.locks.set_conflict_listener(boards);
  ground.outcomes.cut().when_over([this] { epochs.go_on(); });
  warranties.when_quarantine_over([this] { ground.change({.kind = ChangeKind::kQuarantine, .step = ChangeStep::kOver}); });
  if (!options.logged) ground.past.begin();
}

void Engine::watch(TransactionWitness* witness) {
  ground.witness = witness;
  ground.locks.watch(witness);
  for (Capability* one : ground.capabilities) one->watch(witness);
}

void Engine::at(double monotonic_ms, double wall_ms) {
  ground.clock.at(monotonic_ms, wall_ms);
  ground.wounds.at(monotonic_ms);
  ground.past.at(monotonic_ms);
}

bool Engine::number_natives(Coordinator& coordinator, std::uint64_t session) {
  coordinator.native_session = ground.native_sessions.begin(session, coordinator);
  if (coordinator.native_session == nullptr) return false;
  // While the disk is full the entry of the first native names the session.
  if (ground.journal.on() && !ground.clock.refuses_changes()) ground.journal.session(session);
  return true;
}

void Engine::lose(Coordinator& coordinator) {
  std::erase(ground.coordinators, &coordinator);
  for (Capability* one : ground.capabilities) one->lose(coordinator);
}

void Engine::expire_due() {
  if (!ground.journal.on()) ground.effects.drop_vacant(kExpiredPerTurn);
  if (ground.records.expiries().due(ground.clock.wall_ms()) == nullptr) return;
  natives.expire_due(kExpiredPerTurn);
  settle();
}

void Engine::turn() {
  for (Capability* one : ground.capabilities) one->turn();
}

void Engine::due() {
  for (Capability* one : ground.capabilities) {
    if (one->next_due_ms() > ground.clock.now_ms()) continue;
    one->due();
    settle();
  }
}

double Engine::next_due_ms() const {
  double next = kNeverDue;
  for (const Capability* one : ground.capabilities) next = std::min(next, one->next_due_ms());
  return next;
}

void Engine::set_conditions(const Conditions& conditions) {
  const Conditions before = ground.conditions;
  Change change{.kind = ChangeKind::kConditions, .step = ChangeStep::kMaking, .before = &before, .after = &conditions};
  ground.change(change);
  ground.conditions = conditions;
  change.step = ChangeStep::kMade;
  ground.change(change);
  settle();
}

void Engine::refuse_changes(LogTrouble why) {
  for (Capability* one : ground.capabilities) one->trouble(why);
  ground.clock.refuse_changes(why);
}

void Engine::durable(std::uint64_t position) {
  ground.journal.durable(position);
  ground.moves.durable(ground.journal.durable());
  ground.set_foreign();
}

std::optional<std::string> Engine::begin_checkpoint() {
  for (Coordinator* coordinator : ground.coordinators) ground.outcomes.publish(*coordinator);
  return checkpointing.begin(attempts.next_serial());
}

Timestamp Engine::prepare_cut() {
  Cut& cut = ground.outcomes.cut();
  cut.call_off();
  const auto may_cut = [](Capability* one) { return one->may_cut(); };
  return std::all_of(ground.capabilities.begin(), ground.capabilities.end(), may_cut) ? cut.prepare() : 0;
}

}  // namespace claret
