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
      participant_(options.participant, counters_, [this](Coordinator& coordinator) { has_output(static_cast<Session&>(coordinator)); }),
      watches_(participant_.records(), participant_.effects(), participant_.context(), participant_.journal(), participant_.slots()),
      epochs_(participant_, options.participant.place.shard, [this](Session& session) { has_output(session); }),
      recovery_(participant_, epochs_, options.participant.place.shard),
      door_({participant_.natives(), participant_.records(), participant_.clock(), participant_.journal(), participant_.slots(),
             participant_.context(), counters_},
            [this](std::uint32_t peer) { outputs_.push_back(peer); }),
      sequencer_(participant_.clock(), counters_, [this](Session& session) { has_output(session); }) {}

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
  participant_.at(now.monotonic_ms, now.wall_ms);
  return participant_.restored(incarnation);
}

void Shard::connect(std::uint32_t peer, const Now& now) {
  begin(now);
  disconnect(peer, now);  // a session with the same number is gone
  auto session = std::make_unique<Session>();
  session->peer = peer;
  session->last_heard_ms = now.monotonic_ms;
  participant_.attach(*session);
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
  participant_.lose(session);
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
    participant_.settle();
    return;
  }
  const auto found = sessions_.find(peer);
  if (found == sessions_.end()) return;
  lose(*found->second);
  std::erase(outputs_, peer);
  sessions_.erase(found);
  participant_.settle();
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
  participant_.at(now.monotonic_ms, now.wall_ms);
  if (observer_) observer_->at(now.monotonic_ms);
  const Journal& journal = participant_.journal();
  const bool may_start = journal.on() && !journal.started() && participant_.context().incarnation != 0;
  if (may_start && journal.position() == 0) participant_.restored();  // the log is empty
  if (!journal.on() || journal.started()) participant_.expire_due();
}

void Shard::take(std::uint32_t peer, std::string_view bytes) {
  ++counters_.totals.frames_in;
  if (participant_.journal().on() && !participant_.journal().started()) return;  // the log is still being restored
  if (recovery_.bound(peer)) {
    recovery_.take(peer, bytes);
    return;
  }
  if (door_.has(peer)) {
    door_.take(peer, bytes);
    participant_.settle();
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
  } else if (frame.incarnation != participant_.context().incarnation) {
    close(session, errors::kWrongIncarnation, "the shard has restarted");
    return;
  }
  for (const Timestamp at : frame.committed_at) {
    if (mutated(Mutation::kRefuseFarOutcome) &&
        HybridClock::wall_ms(at) > std::max(now_.wall_ms, HybridClock::wall_ms(participant_.clock().reached())) + 60'000) {
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
  if (frame.used) participant_.warranties().used(session, *frame.used);
  for (const ReturnedMessage& returned : frame.returned) participant_.warranties().returned(session, returned);
  for (const FirmWantedMessage& wanted : frame.firm_wanted) participant_.warranties().make_firm(session, wanted);
  take_outcomes(session, frame);
  const std::uint64_t executed_before = participant_.chains().executed_again();
  if (frame.chain != 0) participant_.chains().renew(session, frame.chain);
  for (const WithdrawnMessage& withdrawn : frame.withdrawn) participant_.chains().withdraw(session, withdrawn);
  for (const WordMessage& word : frame.words) participant_.chains().word(session, word);
  for (const BatchMessage& batch : frame.batches) participant_.batch(session, batch);
  operations_left_ -= static_cast<std::int64_t>(participant_.chains().executed_again() - executed_before);
  if (frame.boards) participant_.boards().want(session, *frame.boards);
  if (frame.forgotten_below != 0) participant_.outcomes().forgotten_below(session, frame.forgotten_below);
  epochs_.take(session, frame);
  for (const InquiryMessage& inquiry : frame.inquiries) {
    if (inquiry.epoch != 0 && session.of_shard) epochs_.asked(inquiry.epoch);
    participant_.inquire(session, inquiry);
  }
  participant_.settle();
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
  std::optional<ResumedMessage> resumed;
  if (hello.resumes != 0) resumed = resume(hello.resumes, session);
  if (hello.session != 0 && !participant_.number_natives(session, hello.session)) {
    close(session, errors::kMalformedFrame, "the session's id is taken");
    return false;
  }
  session.welcomed = true;
  session.of_shard = hello.shard_plus_one != 0;
  session.shard = session.of_shard ? hello.shard_plus_one - 1 : 0;
  session.takes_warranties = hello.warranties;
  session.depend_on(participant_.journal().start(), durable_position());
  session.name = hello.name.substr(0, limits::kLabelBytesMax);
  server_frame::add_welcome(session.out, {.shard = options_.participant.place.shard,
                                          .incarnation = participant_.context().incarnation,
                                          .session_lease_ms = static_cast<std::uint32_t>(options_.session_lease_ms),
                                          .warranty_term_ms = static_cast<std::uint32_t>(participant_.warranties().term_ms()),
                                          .resumed = resumed ? &*resumed : nullptr});
  add_conditions(session);
  return true;
}

ResumedMessage Shard::resume(std::uint64_t lost, Session& session) {
  const NativeSession* native_session = participant_.native_sessions().find(lost);
  if (native_session == nullptr) return {.known = false};
  if (native_session->coordinator != nullptr && !mutated(Mutation::kResumedSessionStands)) {
    close(static_cast<Session&>(*native_session->coordinator), errors::kSessionLost, "its client has connected again");
  }
  const NativeAnswers& answers = native_session->answers;
  const bool can_become_durable = answers.position() <= durable_position() || !participant_.clock().refuses_changes();
  if (!answers.complete() || !can_become_durable) return {.known = false};
  session.depend_on(answers.position(), durable_position());
  return {.known = true, .answers = answers.bytes()};
}

bool Shard::run_requests(Session& session, ClientFrame& frame, Progress& progress) {
  if (session.overflowed) return true;
  while (progress.next_natives < frame.natives.size()) {
    if (operations_left_ <= 0) return false;
    NativesMessage& natives = frame.natives[progress.next_natives++];
    operations_left_ -= static_cast<std::int64_t>(natives.operations.size());
    const std::uint64_t steps_before = counters_.totals.rollback_steps;
    participant_.natives().run(session, natives, progress.arrived_ms);
    operations_left_ -= static_cast<std::int64_t>(counters_.totals.rollback_steps - steps_before);
    participant_.settle();
    if (session.overflowed) return true;
  }
  while (progress.next < frame.requests.size()) {
    if (operations_left_ <= 0) return false;
    RequestMessage& request = frame.requests[progress.next++];
    operations_left_ -= 1 + static_cast<std::int64_t>(request.operations.size());
    participant_.request(session, request, progress.arrived_ms);
    participant_.settle();
    if (session.overflowed) return true;
  }
  while (progress.next_member < frame.members.size()) {
    if (operations_left_ <= 0) return false;
    MemberMessage& member = frame.members[progress.next_member++];
    operations_left_ -= 1 + static_cast<std::int64_t>(member.request.operations.size());
    participant_.chains().take(session, member, progress.arrived_ms);
    participant_.settle();
    if (session.overflowed) return true;
  }
  while (progress.next_peek < frame.peeks.size()) {
    if (operations_left_ <= 0) return false;
    --operations_left_;
    participant_.boards().peek(session, frame.peeks[progress.next_peek++]);
    if (session.overflowed) return true;
  }
  // After the requests, since one of them may begin the attempt that is wounded.
  for (const WoundMessage& wound : frame.wounds) {
    if (wound.id.size() != kIdBytes) continue;
    AttemptId id;
    std::copy(wound.id.begin(), wound.id.end(), id.begin());
    participant_.wounded_elsewhere(id, wound.priority);
  }
  participant_.settle();
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
  for (std::size_t i = 0; i < frame.committed.size(); ++i) {
    participant_.committed(session, frame.committed[i], frame.committed_at[i]);
  }
  // Once the outcomes are acknowledged, the client lets the other participants forget them. Another participant may have reported the
  // outcome just before; then its entry is among those that are not durable yet.
  const std::uint64_t last = participant_.journal().position();
  if (!frame.committed.empty() && last > durable_position()) session.unsafe.push_back({frame.sequence, last});
  for (const std::uint64_t number : frame.aborted) participant_.aborted(session, number);
  for (const std::uint64_t number : frame.abandoned) participant_.abandoned(session, number);
}

// ---- what is due ------------------------------------------------------------------------------------------------------------

void Shard::spread_changes() {
  std::vector<Session*> stale;
  for (Record* record : participant_.effects().take_changed()) watches_.changed(*record, stale);
  for (Session* session : stale) {
    if (watches_.speaks_at_ms(*session) <= now_.monotonic_ms) has_output(*session);
  }
}

void Shard::remove_leftovers() {
  if (participant_.any_leftovers()) participant_.remove_leftovers();
  for (Session* session : watches_.end_moved()) has_output(*session);
}

void Shard::tell_standings() {
  for (const std::uint32_t peer : outputs_) {
    const auto found = sessions_.find(peer);
    if (found != sessions_.end() && !found->second->closing) participant_.warranties().tell_standing(*found->second);
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
  participant_.settle();
  run_backlog();
  participant_.leave();
  participant_.settle();
  const bool stalled = now_.monotonic_ms - last_tick_ms_ > kStallMs;
  last_tick_ms_ = now_.monotonic_ms;
  if (!stalled) {
    if (participant_.next_sweep_ms() <= now_.monotonic_ms) participant_.sweep();
    lose_silent_sessions();
    sequencer_.sweep();
    participant_.settle();
  }
  close_overflowed_sessions();
  epochs_.tick(recovery_, now_.monotonic_ms);
  recovery_.tick(now_.monotonic_ms, outputs_);
  participant_.settle();
  door_.finish();
  participant_.settle();
  participant_.boards().show(participant_.chains().all());
  spread_changes();
  remove_leftovers();
  tell_conditions();
  tell_standings();
  for (const auto& [peer, session] : sessions_) {
    if (session->full.empty() && watches_.speaks_at_ms(*session) <= now_.monotonic_ms) has_output(*session);
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
  if (!outputs_.empty() || !backlog_.empty() || door_.any_ready() || participant_.leaving()) return now_.monotonic_ms;
  if (participant_.any_leftovers() || watches_.any_moved()) return now_.monotonic_ms;
  double next = std::min({participant_.next_sweep_ms(), recovery_.next_ms(), next_watch_ms(), participant_.boards().next_ms(),
                          sequencer_.next_ms(), epochs_.next_ms(), door_.next_ms()});
  if (!sessions_.empty()) next = std::min(next, next_lease_check_ms_);
  return next;
}

// ---- output -------------------------------------------------------------------------------------------------------------------

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
  if (session.full.empty() && session.out_needs > durable) session.seal();
  const std::uint64_t taken_in = session.safely_taken_in(durable);
  std::string body = std::exchange(session.at_once, {});
  if (session.full.empty()) {
    if (body.empty() && session.out.empty() && session.acknowledged == taken_in) return false;
    body += std::exchange(session.out, {});
  } else if (session.full.front().needs <= durable) {
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

std::vector<std::uint32_t> Shard::durable(std::uint64_t position, const Now& now) {
  begin(now);
  participant_.durable(position);
  const std::uint64_t durable = durable_position();
  for (const auto& [peer, session] : sessions_) {
    if (session->has_output) continue;
    const bool leaves =
        session->full.empty() ? session->safely_taken_in(durable) != session->acknowledged : session->full.front().needs <= durable;
    if (leaves) has_output(*session);
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

// ---- telemetry --------------------------------------------------------------------------------------------------------------

void Shard::observe(bool on, const Now& now) {
  if (on == observed()) return;
  auto observer = on ? std::make_unique<Observer>(counters_, now.monotonic_ms) : nullptr;
  participant_.watch(observer.get());
  sequencer_.watch(observer ? &observer->turns() : nullptr);
  observer_ = std::move(observer);
}

TelemetryFrame Shard::take_telemetry(const Now& now) {
  CLARET_CHECK(observed());
  const Waiting waiting{participant_.wounds().waiting(), participant_.natives().longest_waits(telemetry::kWaitersShown),
                        participant_.chains().turn_waits(telemetry::kWaitersCounted)};
  TelemetryFrame frame = observer_->take(waiting, sequencer_.turn(), participant_.lock_rule(), durable_position(), now.monotonic_ms);
  frame.wall_ms = now.wall_ms;
  frame.in_flight = participant_.attempts_in_flight();
  frame.waiting = participant_.wounds().waiting().size() + waiting.turns.size();
  frame.in_doubt = participant_.doubts().in_doubt();
  frame.records = participant_.records().size();
  frame.sessions = sessions_.size();
  frame.undecided_members = participant_.chains().members();
  frame.members_of_epochs = participant_.epochs().gathered() + participant_.epochs().undecided();
  frame.clocks_apart = participant_.skewed().size();
  frame.grants_standing = participant_.warranties().grants();
  return frame;
}

}  // namespace claret
