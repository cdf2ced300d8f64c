#include "shard/shard.h"

#include <algorithm>
#include <limits>

#include "ground/check.h"
#include "ground/mutation.h"
#include "telemetry/observer.h"

namespace claret {

namespace {

// After a gap this long between two calls the shard may have been paused: sessions that look silent get one more tick.
constexpr double kStallMs = 250;

}  // namespace

Shard::~Shard() = default;

Shard::Shard(const ShardOptions& options)
    : options_(options),
      engine_(options.engine, counters_, [this](Coordinator& coordinator) { has_output(static_cast<Session&>(coordinator)); }),
      watches_(engine_.ground.records, engine_.ground.effects, engine_.ground.context, engine_.ground.journal, engine_.ground.slots()),
      epochs_(engine_, options.engine.place.shard, [this](Session& session) { has_output(session); }),
      recovery_(engine_, epochs_, options.engine.place.shard),
      door_({engine_.natives, engine_.ground.records, engine_.ground.clock, engine_.ground.journal, engine_.ground.slots(),
             engine_.ground.context, counters_},
            [this](std::uint32_t peer) { outputs_.push_back(peer); }),
      sequencer_(engine_.ground.clock, counters_, [this](Session& session) { has_output(session); }) {}

void Shard::has_output(Session& session) {
  session.cut();
  if (session.output_bytes() > options_.output_bytes_max) {
    session.drop_output();
    session.overflowed = true;
  }
  if (session.has_output) return;
  session.has_output = true;
  outputs_.push_back(session.peer);
}

std::optional<std::string> Shard::restored(const Now& now, std::uint64_t incarnation) {
  now_ = now;
  engine_.at(now.monotonic_ms, now.wall_ms);
  return engine_.restart.restored(incarnation);
}

void Shard::connect(std::uint32_t peer, const Now& now) {
  begin(now);
  disconnect(peer, now);  // a session with the same number is gone
  auto session = std::make_unique<Session>();
  session->peer = peer;
  session->last_heard_ms = now.monotonic_ms;
  engine_.attach(*session);
  sessions_.insert_or_assign(peer, std::move(session));
}

void Shard::connect_resp(std::uint32_t peer, std::string address, std::string local_address, const Now& now) {
  begin(now);
  door_.connect(peer, std::move(address), std::move(local_address));
}

bool Shard::connect_link(std::uint32_t peer, std::uint32_t link, const Now& now) {
  begin(now);
  return door_.connect_link(peer, link);
}

void Shard::bind_shard(std::uint32_t peer, std::uint32_t shard) {
  if (const auto found = sessions_.find(peer); found != sessions_.end()) {
    lose(*found->second);
    sessions_.erase(found);
  }
  recovery_.bind(peer, shard);
}

void Shard::lose(Session& session) {
  backlog_.drop(session.peer);
  engine_.lose(session);
  sequencer_.back(session);
  epochs_.session_lost(session);
  watches_.remove_all(session);
}

void Shard::disconnect(std::uint32_t peer, const Now& now) {
  begin(now);
  recovery_.unbind(peer);
  if (door_.has(peer)) {
    door_.disconnect(peer);
    std::erase(outputs_, peer);
    engine_.settle();
    return;
  }
  const auto found = sessions_.find(peer);
  if (found == sessions_.end()) return;
  lose(*found->second);
  std::erase(outputs_, peer);
  sessions_.erase(found);
  engine_.settle();
}

void Shard::close(Session& session, std::string_view code, std::string message) {
  if (session.closing) return;
  const Error error{.code = code, .message = std::move(message)};
  lose(session);
  server_frame::add_closing(session.out, error);
  session.closing = true;
  has_output(session);
}

// ---- input ----------------------------------------------------------------------------------------------------------------

void Shard::begin(const Now& now) {
  now_ = now;
  operations_left_ = options_.operations_per_turn;
  engine_.at(now.monotonic_ms, now.wall_ms);
  if (observer_) observer_->at(now.monotonic_ms);
  const Journal& journal = engine_.ground.journal;
  const bool may_start = journal.on() && !journal.started() && engine_.ground.context.incarnation != 0;
  if (may_start && journal.position() == 0) engine_.restart.restored();  // the log is empty
  if (!journal.on() || journal.started()) engine_.expire_due();
}

void Shard::take(std::uint32_t peer, std::string_view bytes) {
  ++counters_.totals.frames_in;
  if (engine_.ground.journal.on() && !engine_.ground.journal.started()) return;  // the log is still being restored
  if (recovery_.bound(peer)) {
    recovery_.take(peer, bytes);
    return;
  }
  if (door_.has(peer)) {
    door_.take(peer, bytes);
    engine_.settle();
    return;
  }
  const auto found = sessions_.find(peer);
  if (found == sessions_.end() || found->second->closing || found->second->overflowed) return;
  Session& session = *found->second;
  if (bytes.size() > options_.frame_bytes_max) {
    close(session, errors::kFrameTooLarge, "a frame has at most " + std::to_string(options_.frame_bytes_max) + " bytes");
    return;
  }
  ClientFrame frame;
  const bool decoded = decode(bytes, frame);
  if (decoded && frame.sequence != 0 && frame.sequence <= session.frames_in) return;  // a duplicate
  if (!decoded || frame.sequence != session.frames_in + 1) {
    close(session, errors::kMalformedFrame, "the bytes are not the session's next frame");
    return;
  }
  session.last_heard_ms = now_.monotonic_ms;
  take_session_frame(session, frame, bytes);
}

void Shard::take_session_frame(Session& session, ClientFrame& frame, std::string_view bytes) {
  has_output(session);  // at least the acknowledgement
  if (!session.welcomed) {
    if (!greet(session, frame)) return;
  } else if (frame.incarnation != engine_.ground.context.incarnation) {
    close(session, errors::kWrongIncarnation, "the shard has restarted");
    return;
  }
  for (const Timestamp at : frame.committed_at) {
    if (mutated(Mutation::kRefuseFarOutcome) &&
        HybridClock::wall_ms(at) > std::max(now_.wall_ms, HybridClock::wall_ms(engine_.ground.clock.reached())) + 60'000) {
      session.frames_in = frame.sequence;
      close(session, errors::kClockSkew, "a commit timestamp is too far ahead of this shard's clock");
      return;
    }
    if (!HybridClock::possible(at)) {
      close(session, errors::kMalformedFrame, "a commit timestamp that no shard can have issued");
      return;
    }
  }
  for (const PeekMessage& peek : frame.peeks) {
    if (HybridClock::possible(peek.at)) continue;
    close(session, errors::kMalformedFrame, "a peek of a time that no shard can have reached");
    return;
  }
  // From here on no part of the frame is refused. A frame that ends its session counts as not received, and is not acknowledged.
  session.frames_in = frame.sequence;
  if (frame.used) engine_.warranties.used(session, *frame.used);
  for (const ReturnedMessage& returned : frame.returned) engine_.warranties.returned(session, returned);
  for (const FirmWantedMessage& wanted : frame.firm_wanted) engine_.warranties.make_firm(session, wanted);
  take_outcomes(session, frame);
  const std::uint64_t executed_before = engine_.chains.executed_again();
  if (frame.chain != 0) engine_.chains.renew(session, frame.chain);
  for (const WithdrawnMessage& withdrawn : frame.withdrawn) engine_.chains.withdraw(session, withdrawn);
  for (const WordMessage& word : frame.words) engine_.chains.word(session, word);
  for (const BatchMessage& batch : frame.batches) engine_.batch_votes.take(session, batch);
  operations_left_ -= static_cast<std::int64_t>(engine_.chains.executed_again() - executed_before);
  if (frame.boards) engine_.boards.want(session, *frame.boards);
  if (frame.forgotten_below != 0) engine_.ground.outcomes.forgotten_below(session, frame.forgotten_below);
  epochs_.take(session, frame);
  for (const InquiryMessage& inquiry : frame.inquiries) {
    if (inquiry.epoch != 0 && session.of_shard) epochs_.asked(inquiry.epoch);
    engine_.inquiries.take(session, inquiry);
  }
  engine_.settle();
  if (!backlog_.empty()) {
    backlog_.drop(session.peer, frame.aborted);
    backlog_.drop(session.peer, frame.abandoned);
  }
  Progress progress{.arrived_ms = now_.monotonic_ms};
  // The frame's requests run after those of earlier frames.
  if (!backlog_.empty() || !run_requests(session, frame, progress)) {
    backlog_.hold(session.peer, bytes, progress);
    session.held_from = backlog_.first_of(session.peer);
  }
}

bool Shard::greet(Session& session, const ClientFrame& frame) {
  if (!frame.hello || frame.hello->protocol != limits::kProtocol) {
    close(session, errors::kUnsupportedProtocol, "the first frame must say hello, with protocol 1");
    return false;
  }
  const HelloMessage& hello = *frame.hello;
  const std::optional<ResumedMessage> resumed = hello.resumes == 0 ? std::nullopt : std::optional(resume(hello.resumes, session));
  if (hello.session != 0 && !engine_.number_natives(session, hello.session)) {
    close(session, errors::kMalformedFrame, "the session's id is taken");
    return false;
  }
  session.welcomed = true;
  session.of_shard = hello.shard_plus_one != 0;
  session.shard = session.of_shard ? hello.shard_plus_one - 1 : 0;
  session.takes_warranties = hello.warranties;
  session.depend_on(engine_.ground.journal.start(), durable_position());
  session.name = hello.name.substr(0, limits::kLabelBytesMax);
  server_frame::add_welcome(session.out, {.shard = options_.engine.place.shard,
                                          .incarnation = engine_.ground.context.incarnation,
                                          .session_lease_ms = static_cast<std::uint32_t>(options_.session_lease_ms),
                                          .warranty_term_ms = static_cast<std::uint32_t>(engine_.warranties.settings().term_ms),
                                          .warranty_evidence = static_cast<std::uint32_t>(engine_.warranties.settings().evidence()),
                                          .serial = mutated(Mutation::kSerialRepeats) ? 1 : ++serials_given_,
                                          .time = engine_.ground.clock.time(),
                                          .resumed = resumed ? &*resumed : nullptr});
  add_conditions(session);
  return true;
}

ResumedMessage Shard::resume(std::uint64_t lost, Session& session) {
  const NativeSession* native_session = engine_.ground.native_sessions.find(lost);
  if (native_session == nullptr) return {.known = false};
  if (native_session->coordinator != nullptr && !mutated(Mutation::kResumedSessionStands)) {
    close(static_cast<Session&>(*native_session->coordinator), errors::kSessionLost, "its client has connected again");
  }
  const NativeAnswers& answers = native_session->answers;
  const bool can_become_durable = answers.position() <= durable_position() || !engine_.ground.clock.refuses_changes();
  if (!answers.complete() || !can_become_durable) return {.known = false};
  session.depend_on(answers.position(), durable_position());
  engine_.ground.clock.tell(session, engine_.ground.clock.reached());
  return {.known = true, .answers = answers.bytes()};
}

bool Shard::run_requests(Session& session, ClientFrame& frame, Progress& progress) {
  if (session.overflowed) return true;
  while (progress.next_natives < frame.natives.size()) {
    if (operations_left_ <= 0) return false;
    NativesMessage& natives = frame.natives[progress.next_natives++];
    operations_left_ -= static_cast<std::int64_t>(natives.operations.size());
    const std::uint64_t steps_before = counters_.totals.rollback_steps;
    engine_.natives.run(session, natives, progress.arrived_ms);
    operations_left_ -= static_cast<std::int64_t>(counters_.totals.rollback_steps - steps_before);
    engine_.settle();
    if (session.overflowed) return true;
  }
  while (progress.next < frame.requests.size()) {
    if (operations_left_ <= 0) return false;
    RequestMessage& request = frame.requests[progress.next++];
    operations_left_ -= 1 + static_cast<std::int64_t>(request.operations.size());
    engine_.requests.take(session, request, progress.arrived_ms);
    engine_.settle();
    if (session.overflowed) return true;
  }
  while (progress.next_member < frame.members.size()) {
    if (operations_left_ <= 0) return false;
    MemberMessage& member = frame.members[progress.next_member++];
    operations_left_ -= 1 + static_cast<std::int64_t>(member.request.operations.size());
    engine_.chains.take(session, member, progress.arrived_ms);
    engine_.settle();
    if (session.overflowed) return true;
  }
  while (progress.next_peek < frame.peeks.size()) {
    if (operations_left_ <= 0) return false;
    --operations_left_;
    engine_.boards.peek(session, frame.peeks[progress.next_peek++]);
    if (session.overflowed) return true;
  }
  // After the requests, since one of them may begin the attempt that is wounded.
  for (const WoundMessage& wound : frame.wounds) {
    if (wound.id.size() != kIdBytes) continue;
    AttemptId id;
    std::copy(wound.id.begin(), wound.id.end(), id.begin());
    engine_.requests.wounded_elsewhere(id, wound.priority);
  }
  engine_.settle();
  if (frame.turn == TurnStep::kWant) sequencer_.want(session);
  if (frame.turn == TurnStep::kBack) sequencer_.back(session);
  for (const std::uint64_t id : frame.unwatched) watches_.remove(session, id);
  for (WatchMessage& watch : frame.watches) {
    watches_.add(session, watch);
    has_output(session);
    if (session.overflowed) return true;
  }
  return true;
}

void Shard::run_backlog() {
  while (!backlog_.empty()) {
    HeldFrame& held = backlog_.front();
    Session& session = *sessions_.at(held.peer);
    if (!run_requests(session, held.frame, held.progress)) return;
    backlog_.pop();
    session.held_from = backlog_.first_of(session.peer);
    has_output(session);  // at least the acknowledgement
  }
}

void Shard::take_outcomes(Session& session, const ClientFrame& frame) {
  bool any_logged = false;
  for (std::size_t i = 0; i < frame.committed.size(); ++i) {
    if (!engine_.endings.committed(session, frame.committed[i], frame.committed_at[i])) any_logged = true;
  }
  // Once the outcomes are acknowledged, the client lets the other participants forget them. Another participant may have reported the
  // outcome just before; then its entry is among those that are not durable yet.
  const std::uint64_t last = engine_.ground.journal.position();
  const bool can_log = !engine_.ground.clock.refuses_changes();
  if (!frame.committed.empty() && (last > durable_position() || !can_log)) {
    session.unsafe.push_back({frame.sequence, can_log || any_logged ? last : 0, can_log ? 0 : engine_.ground.clock.reached()});
  }
  for (const std::uint64_t number : frame.aborted) engine_.endings.aborted(session, number);
  for (const std::uint64_t number : frame.abandoned) engine_.endings.abandoned(session, number);
}

// ---- what is due ------------------------------------------------------------------------------------------------------------

void Shard::spread_changes() {
  std::vector<Session*> stale;
  for (Record* record : engine_.ground.effects.take_changed()) watches_.changed(*record, stale);
  for (Session* session : stale) {
    if (watches_.speaks_at_ms(*session) <= now_.monotonic_ms) has_output(*session);
  }
}

void Shard::remove_leftovers() {
  if (!engine_.leftovers.empty()) engine_.leftovers.step();
  for (Session* session : watches_.end_moved()) has_output(*session);
}

void Shard::tell_standings() {
  for (const std::uint32_t peer : outputs_) {
    const auto found = sessions_.find(peer);
    if (found != sessions_.end() && !found->second->closing) engine_.warranties.tell_standing(*found->second);
  }
}

void Shard::lose_silent_sessions() {
  if (now_.monotonic_ms < next_lease_check_ms_) return;
  next_lease_check_ms_ = now_.monotonic_ms + options_.session_lease_ms / 4;
  for (const auto& [peer, session] : sessions_) {
    // The session of another shard holds no locks, and that shard asks again only after a while (Recovery): a short lease would always
    // expire before the next question.
    const double lease_ms = session->of_shard ? std::max(options_.session_lease_ms, kLinkSilentMsMax) : options_.session_lease_ms;
    if (session->closing || now_.monotonic_ms - session->last_heard_ms <= lease_ms) continue;
    close(*session, errors::kSessionLost, "the session was silent for longer than its lease");
  }
}

void Shard::close_overflowed_sessions() {
  for (const auto& [peer, session] : sessions_) {
    if (session->closing || !session->overflowed) continue;
    session->drop_output();
    close(*session, errors::kOverloaded, "the session's output grew beyond its limit unread");
  }
}

std::vector<std::uint32_t> Shard::finish() {
  engine_.settle();
  run_backlog();
  engine_.turn();
  engine_.settle();
  const bool stalled = now_.monotonic_ms - last_tick_ms_ > kStallMs;
  last_tick_ms_ = now_.monotonic_ms;
  if (!stalled) {
    if (engine_.next_due_ms() <= now_.monotonic_ms) engine_.due();
    lose_silent_sessions();
    sequencer_.sweep();
    engine_.settle();
  }
  close_overflowed_sessions();
  close_unsafe_sessions();
  epochs_.tick(recovery_, now_.monotonic_ms);
  recovery_.tick(now_.monotonic_ms, outputs_);
  engine_.settle();
  door_.finish();
  engine_.settle();
  engine_.boards.show(engine_.chains.all());
  spread_changes();
  remove_leftovers();
  tell_conditions();
  tell_standings();
  for (const auto& [peer, session] : sessions_) {
    const bool speaks = session->full.empty() && watches_.speaks_at_ms(*session) <= now_.monotonic_ms;
    if (speaks || (session->waits_to_tell(durable_position()) != 0 && may_leave(*session))) has_output(*session);
  }
  return std::exchange(outputs_, {});
}

// Sessions with undrained output, or whose output waits for the log, set no deadline: their watches speak when they are drained.
double Shard::next_watch_ms() const {
  double next = std::numeric_limits<double>::infinity();
  for (const auto& [peer, session] : sessions_) {
    if (!session->has_output && session->full.empty()) next = std::min(next, watches_.speaks_at_ms(*session));
  }
  return next;
}

double Shard::next_deadline_ms() const {
  if (!outputs_.empty() || !backlog_.empty() || door_.any_ready() || engine_.departures.any()) return now_.monotonic_ms;
  if (!engine_.leftovers.empty() || watches_.any_moved()) return now_.monotonic_ms;
  double next = std::min({engine_.next_due_ms(), recovery_.next_ms(), next_watch_ms(), next_told_ms(), engine_.boards.next_ms(),
                          sequencer_.next_ms(), epochs_.next_ms(), door_.next_ms()});
  if (!sessions_.empty()) next = std::min(next, next_lease_check_ms_);
  return next;
}

// ---- telemetry --------------------------------------------------------------------------------------------------------------

void Shard::observe(bool on, const Now& now) {
  if (on == observed()) return;
  auto observer = on ? std::make_unique<Observer>(counters_, now.monotonic_ms) : nullptr;
  engine_.watch(observer.get());
  sequencer_.watch(observer ? &observer->turns() : nullptr);
  observer_ = std::move(observer);
}

TelemetryFrame Shard::take_telemetry(const Now& now) {
  CLARET_CHECK(observed());
  const Waiting waiting{engine_.ground.wounds.waiting(), engine_.natives.longest_waits(telemetry::kWaitersShown),
                        engine_.chains.turn_waits(telemetry::kWaitersCounted)};
  TelemetryFrame frame = observer_->take(waiting, sequencer_.turn(), engine_.ground.locks.rule(), durable_position(), now.monotonic_ms);
  frame.wall_ms = now.wall_ms;
  frame.in_flight = engine_.attempts_in_flight();
  frame.waiting = engine_.ground.wounds.waiting().size() + waiting.turns.size();
  frame.in_doubt = engine_.ground.doubts.in_doubt();
  frame.records = engine_.ground.records.present();
  frame.sessions = sessions_.size();
  frame.undecided_members = engine_.chains.members();
  frame.members_of_epochs = engine_.epochs.gathered() + engine_.epochs.undecided();
  frame.clocks_apart = engine_.ground.skewed.size();
  frame.grants_standing = engine_.warranties.grants();
  return frame;
}

}  // namespace claret
