// Natives, continued: the log, and answers.
#include <algorithm>
#include <utility>

#include "ground/mutation.h"
#include "transaction/natives.h"
#include "wire/limits.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

constexpr std::size_t kAnsweredTogetherMax = 64;
// Longer answers to observations are not kept for a lost session.
constexpr std::size_t kObservedBytesKeptMax = 1024;

}  // namespace

void Natives::log() {
  const std::span<const Done> done = std::span(run_.done).subspan(std::exchange(run_.logged, run_.done.size()));
  if (!shard_.journal.on()) return;
  const auto first = std::find_if(done.begin(), done.end(), [](const Done& one) { return one.changed != nullptr; });
  if (first == done.end()) return;
  OperationsToLog operations;
  Timestamp last = first->at;
  std::uint64_t next_number = first->number;
  for (const Done& one : std::span(first, done.end())) {
    if (one.changed == nullptr) continue;
    const std::uint32_t code = std::uint32_t{one.type->id()} << 8 | one.call.operation->id;
    operations.push_back({.key = one.changed->key,
                          .code = code,
                          .call = &one.call,
                          .result = &one.result,
                          .ticks = HybridClock::ticks_between(first->at, one.at),
                          .skipped = one.number - next_number});
    next_number = one.number + 1;
    last = one.at;
  }
  NumberedNatives numbers;
  const NativeSession* session = run_.coordinator == nullptr ? nullptr : run_.coordinator->native_session;
  if (session != nullptr && !mutated(Mutation::kNativesNotNumbered)) {
    numbers = {.session = session->id, .first = first->number, .below = session->answers.below()};
  }
  const std::uint64_t position = shard_.journal.natives(first->at, last, operations, numbers);
  run_.needs = std::max(run_.needs, position);
  for (const Done& one : done) {
    if (one.changed != nullptr && !mutated(Mutation::kNativesNotPositioned)) shard_.effects.logged(*one.changed, position);
  }
}

void Natives::finish() {
  log();
  Coordinator& coordinator = *run_.coordinator;
  if (run_.last_at != 0 && shard_.clock.needs_ceiling(run_.last_at)) {
    run_.needs = std::max(run_.needs, shard_.clock.ceiling_position());
  }
  answer_done();
  coordinator.depend_on(run_.needs, shard_.journal.durable());
  answer_failed();
  clear();
}

void Natives::clear() {
  run_.coordinator = nullptr;
  run_.done.clear();
  run_.failed.clear();
  run_.logged = 0;
  run_.last_at = 0;
  run_.waited_ms = 0;
  run_.next_number = 1;
  run_.of_commands = false;
  run_.command_at = 0;
  run_.few_changed.clear();
  run_.changed.clear();
  run_.needs = 0;
}

// Natives that follow each other in number and time are answered together, up to a number that keeps frames small.
void Natives::answer_done() {
  Coordinator& coordinator = *run_.coordinator;
  const std::vector<Done>& done = run_.done;
  const auto waited_us = static_cast<std::uint32_t>(run_.waited_ms * 1000);
  absl::InlinedVector<const Value*, 16> results;
  for (std::size_t begin = 0; begin < done.size();) {
    std::size_t end = begin;
    results.clear();
    while (end < done.size() && end - begin < kAnsweredTogetherMax && done[end].number == done[begin].number + (end - begin) &&
           done[end].at == HybridClock::after(done[begin].at, end - begin)) {
      if (done[end].has_result) results.push_back(&done[end].result);
      ++end;
    }
    coordinator.depend_on(run_.needs, shard_.journal.durable());
    const std::size_t bytes_begin = coordinator.out.size();
    server_frame::add_natives_done(coordinator.out, done[begin].number, end - begin, done[begin].at, results, waited_us);
    if (coordinator.native_session != nullptr) {
      keep_answers(std::span(done).subspan(begin, end - begin), std::string_view(coordinator.out).substr(bytes_begin));
    }
    has_output_(coordinator);
    begin = end;
  }
}

// `bytes`: the answer to all of them.
void Natives::keep_answers(std::span<const Done> done, std::string_view bytes) {
  NativeAnswers& answers = run_.coordinator->native_session->answers;
  const auto has_changed = [](const Done& one) { return one.changed != nullptr; };
  if (bytes.size() <= kObservedBytesKeptMax || std::all_of(done.begin(), done.end(), has_changed)) {
    answers.keep(done.back().number, run_.needs, bytes);
    return;
  }
  std::string kept;
  for (const Done& one : done) {
    if (!has_changed(one)) continue;
    kept.clear();
    const Value* result = &one.result;
    server_frame::add_natives_done(kept, one.number, 1, one.at, std::span(&result, one.has_result ? 1 : 0));
    answers.keep(one.number, run_.needs, kept);
  }
}

void Natives::answer_failed() {
  Coordinator& coordinator = *run_.coordinator;
  for (const Failed& one : run_.failed) {
    const std::size_t bytes_begin = coordinator.out.size();
    server_frame::add_native_failed(coordinator.out, one.number, one.error);
    if (one.observes || coordinator.native_session == nullptr) continue;
    coordinator.native_session->answers.keep(one.number, run_.needs, std::string_view(coordinator.out).substr(bytes_begin));
  }
  if (!run_.failed.empty()) has_output_(coordinator);
}

}  // namespace claret
