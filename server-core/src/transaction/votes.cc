// Participant, continued: votes, also on batches.
#include <algorithm>

#include "gate/record_operations.h"
#include "ground/check.h"
#include "ground/mutation.h"
#include "transaction/participant.h"

namespace claret {

namespace {

ShardList without(const ShardList& shards, std::uint32_t self) {
  ShardList others;
  for (const std::uint32_t shard : shards) {
    if (shard != self && std::find(others.begin(), others.end(), shard) == others.end()) others.push_back(shard);
  }
  return others;
}

// Writes of the same value commute. But both may follow from the value that they replace, and then one of them is lost.
bool is_the_same_write(const Call& earlier, const Call& later) {
  if (later.operation->operation_class != OperationClass::kBlind || earlier.operation->mode != later.operation->mode) return false;
  if (earlier.operation->operation_class == OperationClass::kBoth) return true;
  return earlier.operation == later.operation && earlier.arguments == later.arguments;
}

bool conflicts(const Past::Version& earlier, const Visit& later) {
  if (earlier.type != later.type || is_of_record(*later.type)) return true;
  if (is_the_same_write(earlier.call, later.call)) return true;
  const Relation relation = later.type->relation(earlier.call.operation->mode, later.call.operation->mode);
  if (relation != Relation::kDepends) return relation == Relation::kNever;
  return !later.type->commutes({&earlier.call, &earlier.result}, {&later.call, &later.result}, *later.record->state);
}

}  // namespace

std::optional<Error> Participant::take_prepare(const PrepareMessage& message, Prepare& prepare) {
  const ShardList& participants = message.participants;
  const auto exists = [&](std::uint32_t shard) { return shard < shards_; };
  if (participants.size() > limits::kParticipantsMax || !std::all_of(participants.begin(), participants.end(), exists)) {
    return refuse(errors::kInvalidAttempt, "the participants are not shards of this cluster, or this one does not know of them yet", true);
  }
  prepare = {without(participants, options_.place.shard),
             message.not_after,
             message.observes_only,
             message.not_before,
             message.not_after_us,
             message.snapshot};
  if (message.snapshot != 0) past_.lease();
  return std::nullopt;
}

std::optional<Error> Participant::draw_vote(const Attempt& attempt, const Prepare& prepare, bool changes_something, Timestamp& at) {
  if (prepare.observes_only && changes_something) {
    return refuse(errors::kInvalidAttempt, "the attempt is declared read-only but changes something");
  }
  if (attempt.expires_at_ms <= clock_.now_ms()) {
    return Error{.code = errors::kExpired, .message = "the attempt has expired", .retryable = true, .cause = causes::kTimeout};
  }
  if (clock_.refuses_changes() && (changes_something || !(prepare.observes_only || prepare.participants.empty()))) {
    return changes_refused(clock_.trouble());
  }
  // Judged before the vote and never after it: an attempt that all have voted for commits, whatever its timestamp.
  for (const std::uint32_t shard : prepare.participants) {
    if (std::find(skewed_.begin(), skewed_.end(), shard) == skewed_.end()) continue;
    Error error =
        refuse(errors::kClockSkew, "the clock of shard " + std::to_string(shard) + " and that of this shard are too far apart", true);
    error.cause = causes::kClockSkew;
    return error;
  }
  const bool relies_on_warranties = prepare.not_after_us != 0;
  const auto warranty_is_over = [&] {
    Error error = refuse(errors::kWarrantyOver, "a warranty on which the attempt relies is over", true);
    error.cause = causes::kWarrantyOver;
    return error;
  };
  if (const double not_after_ms = static_cast<double>(prepare.not_after_us) / 1000;
      relies_on_warranties && clock_.now_ms() > not_after_ms && !mutated(Mutation::kNotAfterIgnored)) {
    return warranty_is_over();
  }
  if (prepare.not_before > clock_.reached() && !mutated(Mutation::kNotBeforeIgnored)) {
    if (prepare.not_before > HybridClock::later(clock_.reached(), limits::kNotBeforeAheadMsMax)) {
      Error error = refuse(errors::kClockSkew, "a warranty on which the attempt relies is too far ahead of this shard's clock", true);
      error.cause = causes::kClockSkew;
      return error;
    }
    clock_.raise(prepare.not_before);
  }
  at = clock_.next();
  if (prepare.not_after == 0 || at <= prepare.not_after) return std::nullopt;
  if (relies_on_warranties) return warranty_is_over();
  return refuse(errors::kExpired, "the vote would be later than the attempt allows", true);
}

std::uint64_t Participant::cast_vote(Attempt& attempt, Prepare& prepare, Timestamp at) {
  attempt.stage = Stage::kVoted;
  attempt.voted_at = at;
  attempt.voted_ms = clock_.now_ms();
  if (attempt.batch) {
    for (const auto& member : attempt.batch->members) member->voted_ms = clock_.now_ms();
  }
  if (attempt.traced && witness_) witness_->voted(attempt);
  attempt.participants = std::move(prepare.participants);
  attempt.logged = journal_.on() && !prepare.observes_only;
  if (journal_.on() && !attempt.logged) attempt.holds_until = clock_.needs_ceiling(at) ? clock_.ceiling() : at;
  if (attempt.logged) attempt.vote_position = log_.vote(attempt);
  return attempt.vote_position;
}

// The first committer wins: what the attempt changes must not have been changed since its snapshot, except by what commutes. Its locks keep
// others from changing it now.
std::optional<Error> Participant::overtaken(const Attempt& attempt, Timestamp snapshot) {
  if (snapshot == 0 || attempt.applied || mutated(Mutation::kSnapshotNoFirstCommitter)) return std::nullopt;
  const Record* judged = nullptr;
  bool known = false;  // the changes since the snapshot are in versions_
  std::size_t comparisons = 0;
  for (const Visit& visit : attempt.visits) {
    if (visit.record == nullptr || !changes(visit)) continue;
    if (records_.changed_at(visit.record, visit.record->slot) <= snapshot) continue;
    if (visit.record != judged) known = visit.record->last_commit != 0 && past_.since(*visit.record, snapshot, versions_);
    judged = visit.record;
    comparisons += versions_.size();
    known = known && comparisons <= limits::kSnapshotComparisonsMax;
    const auto is_first = [&](const Past::Version& one) { return one.at > snapshot && conflicts(one, visit); };
    const auto first = known ? std::find_if(versions_.begin(), versions_.end(), is_first) : versions_.end();
    if (known && first == versions_.end()) continue;
    Error error = refuse(errors::kSnapshotConflict, "the record has been changed since the transaction's snapshot", true);
    error.cause = causes::kSnapshotConflict;
    error.key = visit.record->key;
    error.operation = operation_name(*visit.type, visit.call);
    if (first != versions_.end()) error.blocking_operation = operation_name(*visit.type, first->call);
    error.at = clock_.next();  // nobody else has this time (known_snapshots.h)
    depends(*attempt.coordinator,
            std::max(visit.record->last_position, clock_.needs_ceiling(error.at) ? clock_.ceiling_position() : std::uint64_t{0}));
    return error;
  }
  return std::nullopt;
}

void Participant::vote(Request& request) {
  Attempt& attempt = *request.attempt;
  // Keeping an answer is a change.
  const bool changes_something = attempt.transaction != nullptr || std::any_of(attempt.visits.begin(), attempt.visits.end(), changes);
  Timestamp at = 0;
  auto error = overtaken(attempt, request.prepare->snapshot);
  if (!error) error = draw_vote(attempt, *request.prepare, changes_something, at);
  if (error) {
    abort(attempt, *error);
    return;
  }
  if (request.prepare->participants.empty()) {
    const bool logs = journal_.on() && changes_something;
    const std::uint64_t position = logs ? log_.commit(attempt, at) : 0;
    reply(request, 0, at, position);
    commit(attempt, at, position);
    return;
  }
  const std::uint64_t position = cast_vote(attempt, *request.prepare, at);
  reply(request, at, 0, position);
  if (mutated(Mutation::kReleaseReadsAtVote)) {
    for (Visit& visit : attempt.visits)
      if (visit.record != nullptr && !changes(visit)) locks_.let_go(visit);
  }
  attempt.requests.erase(attempt.requests.begin());
}

// ---- batches ----------------------------------------------------------------------------------------------------------------

void Participant::batch(Coordinator& coordinator, const BatchMessage& message) {
  const std::optional<Error> error = vote_batch(coordinator, message);
  if (!error) return;
  chains_.refuse_batch(coordinator, message, *error);
  if (message.request.begin) refuse_id(*message.request.begin);
  reply_error(coordinator, message.request.attempt, *error);
}

std::optional<Error> Participant::vote_batch(Coordinator& coordinator, const BatchMessage& message) {
  const RequestMessage& request = message.request;
  if (!request.begin || !request.prepare || !request.operations.empty() || !request.begin->transaction.empty() ||
      !request.prepare->answer.empty() || find(coordinator, request.attempt) != nullptr) {
    return refuse(errors::kInvalidAttempt, "a batch is an attempt of its own, with a prepare and without operations and an answer");
  }
  if (auto error = check_begin(coordinator, request)) return error;
  Prepare prepare;
  if (auto error = take_prepare(*request.prepare, prepare)) return error;
  if (prepare.participants.empty()) return refuse(errors::kInvalidAttempt, "a batch has several participants");
  bool changes_something = false;
  if (auto error = chains_.check_batch(coordinator, message, changes_something)) return error;
  begun_ = std::make_unique<Attempt>(*this);
  Attempt& attempt = *begun_;
  fill_in(attempt, coordinator, request, clock_.now_ms());
  Timestamp at = 0;
  if (auto error = draw_vote(attempt, prepare, changes_something, at)) {
    begun_.reset();
    return error;
  }
  enlist(attempt);
  chains_.form_batch(attempt, message);
  // Its members' timestamps are nobody else's.
  clock_.raise(last_timestamp(attempt, at));
  clock_.cover(last_timestamp(attempt, at));
  std::uint64_t position = cast_vote(attempt, prepare, at);
  // Its members' results were told before they were durable.
  for_each_visit(attempt, [&](const Visit& visit) { position = std::max(position, visit.record->last_position); });
  Request voted;
  voted.attempt = &attempt;
  reply(voted, at, 0, position);
  return std::nullopt;
}

void Participant::refuse_id(const BeginMessage& begin) {
  if (begin.id.size() != kIdBytes || outcomes_.kept() >= kKnownAttemptsMax) return;
  AttemptId id;
  std::copy(begin.id.begin(), begin.id.end(), id.begin());
  if (outcomes_.known().find(id) == nullptr) outcomes_.known().aborted(id, clock_.now_ms() + limits::kAttemptExpiryMsMax);
}

void Participant::put_in_doubt(Attempt& attempt, std::string_view reason) {
  if (attempt.batch) chains_.stand_back(attempt, reason);
  doubts_.add(attempt, clock_.now_ms());
}

}  // namespace claret
