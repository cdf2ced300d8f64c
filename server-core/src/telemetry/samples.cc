#include "telemetry/samples.h"

#include <algorithm>
#include <utility>

#include "gate/obstacles.h"

namespace claret {

namespace {

std::size_t operations_in(const Sample& sample) {
  std::size_t count = 0;
  for (const RequestSlice& request : sample.requests) count += request.operations.size();
  return count;
}

std::uint32_t others_beside(const Visit& visit) {
  const Gate* gate = visit.record->gate.get();
  if (gate == nullptr) return 0;
  std::uint32_t others = 0;
  for (Mode mode = 0; mode < kAllModes; ++mode) others += gate->others_in_mode(mode, visit);
  return others;
}

}  // namespace

Sample Samples::start(const Attempt& attempt, bool traced) const {
  return {.transaction = shown_transaction(attempt.priority),
          .label = counters_.label(attempt.label),
          .retries = attempt.retries,
          .traced = traced,
          .began_ms = attempt.begun_ms};
}

Sample* Samples::find(const Party& party) {
  if (traces_.empty()) return nullptr;
  const auto found = traces_.find(party.serial);
  return found == traces_.end() ? nullptr : &found->second;
}

void Samples::trace(Attempt& attempt) {
  if (traces_.size() == telemetry::kTracesMax) return;
  attempt.traced = true;
  traces_.emplace(attempt.serial, start(attempt, true));
}

OperationSlice* Samples::add(Sample& sample, const Visit& visit, double at_ms) const {
  if (operations_in(sample) == telemetry::kSliceOperationsMax) {
    ++sample.operations_left_out;
    return nullptr;
  }
  if (sample.requests.empty() || sample.requests.back().number != visit.request_number) {
    sample.requests.push_back({.at_ms = at_ms, .number = visit.request_number});
  }
  auto& operations = sample.requests.back().operations;
  operations.push_back({.key = shown_key(visit.record->key), .operation = shown(*visit.record->type, visit.call)});
  return &operations.back();
}

void Samples::blame(OperationSlice& slice, const Claim& claim, const LockRule& rule) const {
  const std::optional<Obstacle> obstacle = first_obstacle(claim, rule);
  if (!obstacle) return;
  slice.blocker_label = counters_.label(obstacle->label);
  slice.blocker = shown(*claim.record->type, *obstacle->call);
}

void Samples::tried(const Request& request, const Visit* refused, bool denied, const LockRule& rule) {
  Sample* sample = find(*request.attempt);
  if (sample == nullptr) return;
  for (const Visit* visit : request.visits) {
    OperationSlice* slice = add(*sample, *visit, now_ms_);
    if (slice == nullptr) continue;
    if (refused != nullptr) {
      if (visit == refused) slice->course = Course::kRefused;
      continue;
    }
    // Without locks there are no claims: every operation runs at once.
    const Claim* claim = request.claims.empty() ? nullptr : visit->claim;
    if (claim != nullptr && claim->blocked()) {
      slice->course = denied ? Course::kDenied : Course::kWaiting;
      blame(*slice, *claim, rule);
    } else if (!denied) {
      slice->course = Course::kGranted;
      slice->beside = others_beside(*visit);
    }
  }
}

void Samples::waited(const Claim& claim, double ms) {
  Sample* sample = find(*claim.party);
  if (sample == nullptr) return;
  for (RequestSlice& request : sample->requests) {
    if (request.number != claim.visits.front()->request_number) continue;
    const std::string key = shown_key(claim.record->key);
    for (OperationSlice& slice : request.operations) {
      if (slice.course != Course::kWaiting || slice.key != key) continue;
      slice.waited_ms = ms;
      if (claim.granted) slice.course = Course::kWaited;
    }
  }
}

void Samples::ran(const Member& member, double waited_ms) {
  Sample* sample = find(member);
  if (sample == nullptr) return;
  for (const Visit& visit : member.visits) {
    OperationSlice* slice = add(*sample, visit, member.came_ms);
    if (slice == nullptr) continue;
    slice->course = Course::kAhead;
    const Run& run = *visit.record->run();
    slice->beside = static_cast<std::uint32_t>(run.first_of(member));
    if (visit.record == member.awaits && visit.previous == nullptr) slice->waited_ms = waited_ms;
  }
}

void Samples::voted(const Attempt& attempt) {
  if (Sample* sample = find(attempt)) sample->voted_ms = now_ms_;
}

void Samples::batched(const Attempt& member, std::size_t members) {
  Sample* sample = find(member);
  if (sample == nullptr) return;
  sample->voted_ms = now_ms_;
  sample->batch_members = members;
}

void Samples::stood_back(const Attempt& member, std::string_view reason) {
  if (Sample* sample = find(member)) sample->stood_back = reason;
}

void Samples::committed(const Attempt& attempt, std::uint64_t needs) {
  const auto found = traces_.find(attempt.serial);
  if (found == traces_.end()) return;
  if (commits_ == telemetry::kCommitsShown) {
    // At once, not with the next frame: otherwise a spike would be traced at the rate of a quiet time.
    if (++commits_left_out_ % telemetry::kCommitsShown == 0 && mask_ < telemetry::kSampledOneInMax - 1) mask_ = 2 * mask_ + 1;
  } else {
    ++commits_;
    Sample& sample = found->second;
    sample.committed = true;
    sample.warranted = attempt.warranted;
    sample.ended_ms = now_ms_;
    sample.needs = needs;
    // A wait that ended without a grant: phasing was switched off, so the request was denied and sent again.
    for (RequestSlice& request : sample.requests) {
      for (OperationSlice& slice : request.operations) {
        if (slice.course == Course::kWaiting) slice.course = Course::kDenied;
      }
    }
    ended_.push_back(std::move(sample));
  }
  traces_.erase(found);
}

void Samples::reconstruct(Sample& sample, const Attempt& attempt, const LockRule& rule) const {
  for (const Visit& visit : attempt.visits) {
    if (visit.record == nullptr) continue;
    OperationSlice* slice = add(sample, visit, -1);
    if (slice == nullptr) continue;
    const bool is_asked = !attempt.requests.empty() && visit.request_number == attempt.requests.front()->number;
    const bool is_claimed = is_asked && !attempt.requests.front()->claims.empty();
    if (is_claimed && visit.claim->blocked()) {
      slice->course = Course::kWaiting;
      slice->waited_ms = visit.claim->waiting ? now_ms_ - visit.claim->waiting_since_ms : 0;
      blame(*slice, *visit.claim, rule);
    } else if (attempt.stage == Stage::kEntered) {
      slice->course = Course::kAhead;
    } else if (visit.held || visit.admitted) {
      slice->course = Course::kGranted;
    }
  }
}

void Samples::aborted(const Attempt& attempt, std::string_view code, std::string_view cause, const LockRule& rule, std::uint64_t needs) {
  const std::size_t aborts = ended_.size() - commits_;
  const auto found = attempt.traced ? traces_.find(attempt.serial) : traces_.end();
  if (aborts == telemetry::kAbortsShown) {
    ++aborts_left_out_;
  } else {
    for (const auto& request : attempt.requests) {
      for (const Claim& claim : request->claims) {
        if (claim.waiting && attempt.traced) waited(claim, now_ms_ - claim.waiting_since_ms);
      }
    }
    Sample sample = found != traces_.end() ? std::move(found->second) : start(attempt, false);
    if (found == traces_.end()) reconstruct(sample, attempt, rule);
    sample.code = code;
    sample.cause = cause;
    sample.ended_ms = now_ms_;
    sample.needs = needs;
    ended_.push_back(std::move(sample));
  }
  if (found != traces_.end()) traces_.erase(found);
}

void Samples::take(TelemetryFrame& frame, std::uint64_t durable) {
  frame.commits_sampled_one_in = mask_ + 1;
  frame.aborts_left_out = std::exchange(aborts_left_out_, 0);
  commits_left_out_ = 0;
  const auto waiting = std::find_if(ended_.begin(), ended_.end(), [&](const Sample& one) { return one.needs > durable; });
  frame.samples.assign(std::move_iterator(ended_.begin()), std::move_iterator(waiting));
  ended_.erase(ended_.begin(), waiting);
  const auto is_commit = [](const Sample& sample) { return sample.committed; };
  const std::size_t commits = std::count_if(frame.samples.begin(), frame.samples.end(), is_commit);
  commits_ -= commits;
  if (commits < telemetry::kCommitsShown / 2) mask_ /= 2;
}

}  // namespace claret
