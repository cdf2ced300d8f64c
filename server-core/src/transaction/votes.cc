#include "transaction/votes.h"

#include <algorithm>

#include "gate/agree.h"
#include "gate/record_operations.h"
#include "ground/check.h"
#include "ground/mutation.h"

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

// Whether they commute: always, never, or it depends on what the record held before both.
Relation relation(const Past::Version& earlier, const Visit& later) {
  if (earlier.type != later.type || is_of_record(*later.type)) return Relation::kNever;
  if (is_the_same_write(earlier.call, later.call)) return Relation::kNever;
  return agree(*later.type, earlier.call.operation->mode, later.call.operation->mode);
}

}  // namespace

std::optional<Error> Votes::take(const PrepareMessage& message, Prepare& prepare) {
  const ShardList& participants = message.participants;
  const auto exists = [&](std::uint32_t shard) { return shard < ground_.shards; };
  if (participants.size() > limits::kParticipantsMax || !std::all_of(participants.begin(), participants.end(), exists)) {
    return refuse(errors::kInvalidAttempt, "the participants are not shards of this cluster, or this one does not know of them yet", true);
  }
  prepare = {without(participants, ground_.place.shard),
             message.not_after,
             message.observes_only,
             message.not_before,
             message.not_after_us,
             message.snapshot};
  if (message.snapshot != 0) ground_.past.lease();
  return std::nullopt;
}

std::optional<Error> Votes::draw(const Attempt& attempt, const Prepare& prepare, bool changes_something, Timestamp& at) {
  if (prepare.observes_only && changes_something) {
    return refuse(errors::kInvalidAttempt, "the attempt is declared read-only but changes something");
  }
  if (attempt.expires_at_ms <= ground_.clock.now_ms()) {
    return Error{.code = errors::kExpired, .message = "the attempt has expired", .retryable = true, .cause = causes::kTimeout};
  }
  const bool may_have_to_log = changes_something || !(prepare.observes_only || prepare.participants.empty());
  if (ground_.clock.refuses_changes() && (may_have_to_log || !ground_.clock.tells(std::max(ground_.clock.reached(), prepare.not_before)))) {
    return changes_refused(ground_.clock.trouble());
  }
  // Judged before the vote and never after it: an attempt that all have voted for commits, whatever its timestamp.
  for (const std::uint32_t shard : prepare.participants) {
    if (std::find(ground_.skewed.begin(), ground_.skewed.end(), shard) == ground_.skewed.end()) continue;
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
      relies_on_warranties && ground_.clock.now_ms() > not_after_ms && !mutated(Mutation::kNotAfterIgnored)) {
    return warranty_is_over();
  }
  if (prepare.not_before > ground_.clock.reached() && !mutated(Mutation::kNotBeforeIgnored)) {
    if (prepare.not_before > HybridClock::later(ground_.clock.reached(), limits::kNotBeforeAheadMsMax)) {
      Error error = refuse(errors::kClockSkew, "a warranty on which the attempt relies is too far ahead of this shard's clock", true);
      error.cause = causes::kClockSkew;
      return error;
    }
    ground_.clock.raise(prepare.not_before);
  }
  at = ground_.clock.next();
  if (prepare.not_after == 0 || at <= prepare.not_after) return std::nullopt;
  if (relies_on_warranties) return warranty_is_over();
  return refuse(errors::kExpired, "the vote would be later than the attempt allows", true);
}

std::uint64_t Votes::cast(Attempt& attempt, const Prepare& prepare, Timestamp at) {
  attempt.stage = Stage::kVoted;
  attempt.voted_at = at;
  attempt.voted_ms = ground_.clock.now_ms();
  if (attempt.batch) {
    for (const auto& member : attempt.batch->members) {
      member->voted_at = at;
      member->voted_ms = ground_.clock.now_ms();
    }
  }
  if (attempt.traced && ground_.witness) ground_.witness->voted(attempt);
  attempt.participants = prepare.participants;
  // What is only here is logged with its commit.
  attempt.logged = ground_.journal.on() && !prepare.observes_only && !attempt.participants.empty();
  if (ground_.journal.on() && !attempt.logged && attempt.epoch == 0) attempt.holds_until = ground_.clock.holds_until(at);
  if (attempt.logged) attempt.vote_position = ground_.log.vote(attempt);
  return attempt.vote_position;
}

const Past::Version* Votes::conflict_since(Timestamp snapshot, const Visit& visit) {
  bool depends = false;
  for (const Past::Version& one : versions_) {
    const Relation found = relation(one, visit);
    if (found == Relation::kNever && one.at > snapshot) return &one;
    depends |= found == Relation::kDepends && one.at > snapshot;
  }
  if (!depends) return nullptr;
  return ground_.effects.find_before_each(*visit.record, versions_, [&](const Past::Version& one) {
    if (one.at <= snapshot || relation(one, visit) != Relation::kDepends) return false;
    return !agree(*visit.type, *visit.record->state, {&one.call, &one.result}, {&visit.call, &visit.result});
  });
}

std::optional<Error> Votes::overtaken(const Attempt& attempt, Timestamp snapshot) {
  if (snapshot == 0 || mutated(Mutation::kSnapshotNoFirstCommitter)) return std::nullopt;
  const Record* judged = nullptr;
  bool known = false;  // the changes since the snapshot are in versions_
  std::size_t comparisons = 0;
  for (const Visit& visit : attempt.visits) {
    if (visit.record == nullptr || !changes(visit)) continue;
    if (ground_.records.changed_at(visit.record, visit.record->slot) <= snapshot) continue;
    if (visit.record != judged) known = visit.record->last_commit != 0 && ground_.past.since(*visit.record, snapshot, versions_);
    judged = visit.record;
    comparisons += versions_.size();
    known = known && comparisons <= limits::kSnapshotComparisonsMax;
    const Past::Version* first = known ? conflict_since(snapshot, visit) : nullptr;
    if (known && first == nullptr) continue;
    Error error = refuse(errors::kSnapshotConflict, "the record has been changed since the transaction's snapshot", true);
    error.cause = causes::kSnapshotConflict;
    error.key = visit.record->key;
    error.operation = operation_name(*visit.type, visit.call);
    if (first != nullptr) error.blocking_operation = operation_name(*visit.type, first->call);
    error.at = ground_.clock.next();  // nobody else has this time (known_snapshots.h)
    ground_.depends(*attempt.coordinator, visit.record->last_position);
    ground_.clock.tell(*attempt.coordinator, error.at);
    return error;
  }
  return std::nullopt;
}

void Votes::vote(Request& request) {
  Attempt& attempt = *request.attempt;
  // Keeping an answer is a change.
  const bool changes_something = attempt.transaction != nullptr || std::any_of(attempt.visits.begin(), attempt.visits.end(), changes);
  Timestamp at = 0;
  auto error = overtaken(attempt, request.prepare->snapshot);
  if (!error) error = draw(attempt, *request.prepare, changes_something, at);
  if (error) {
    endings_.abort(attempt, *error);
    return;
  }
  if (request.prepare->participants.empty()) {
    const bool logs = ground_.journal.on() && changes_something;
    const std::uint64_t position = logs ? ground_.log.commit(attempt, at) : 0;
    replies_.reply(request, 0, at, position);
    endings_.commit(attempt, at, position);
    return;
  }
  const std::uint64_t position = cast(attempt, *request.prepare, at);
  replies_.reply(request, at, 0, position);
  if (mutated(Mutation::kReleaseReadsAtVote)) {
    for (Visit& visit : attempt.visits)
      if (visit.record != nullptr && !changes(visit)) ground_.locks.let_go(visit);
  }
  attempt.requests.erase(attempt.requests.begin());
}

}  // namespace claret
