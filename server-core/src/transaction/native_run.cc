#include "transaction/native_run.h"

#include <algorithm>
#include <utility>

#include "ground/mutation.h"
#include "wire/limits.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

constexpr std::size_t kAnsweredTogetherMax = 64;
// Longer answers to observations are not kept for a lost session.
constexpr std::size_t kObservedBytesKeptMax = 1024;

}  // namespace

Timestamp NativeRun::next() {
  if (command_at_ != 0) return command_at_;
  // The entry of the changes so far is on one side of a cut (cut.h).
  if (shard_.clock.watched() && !mutated(Mutation::kNativesNotCut)) log();
  told_ = shard_.clock.next();
  if (of_commands && !mutated(Mutation::kCommandsDivided)) command_at_ = told_;
  return told_;
}

bool NativeRun::is_first_change(const Record& record) {
  if (command_at_ == 0) return true;
  auto& few = few_changed_;
  if (std::find(few.begin(), few.end(), &record) != few.end()) return false;
  if (few.size() == kFewChanged) return changed_.insert(&record).second;
  few.push_back(&record);
  return true;
}

void NativeRun::keep_result(Value result) {
  result_ = std::move(result);
  last_result = &result_;
}

bool NativeRun::is_refused_while_full(const Record* record, bool observes) const {
  if (!shard_.clock.refuses_changes()) return false;
  return !observes || !shard_.clock.tells() || (record != nullptr && record->last_position > shard_.journal.durable());
}

std::uint64_t NativeRun::close() {
  log();
  if (told_ != 0) needs_ = std::max(needs_, shard_.clock.ceiling_position());
  const std::uint64_t needs = needs_;
  clear();
  return needs;
}

void NativeRun::begin_command(std::string_view name) {
  of_commands = true;
  command = name;
  command_at_ = 0;
  few_changed_.clear();
  if (!changed_.empty()) changed_.clear();
}

void NativeRun::log() {
  const std::span<const Done> fresh = std::span(done).subspan(std::exchange(logged_, done.size()));
  if (!shard_.journal.on()) return;
  const auto first = std::find_if(fresh.begin(), fresh.end(), [](const Done& one) { return one.changed != nullptr; });
  if (first == fresh.end()) return;
  OperationsToLog operations;
  Timestamp last = first->at;
  std::uint64_t next_number = first->number;
  for (const Done& one : std::span(first, fresh.end())) {
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
  const NativeSession* session = coordinator == nullptr ? nullptr : coordinator->native_session;
  if (session != nullptr && !mutated(Mutation::kNativesNotNumbered)) {
    numbers = {.session = session->id, .first = first->number, .below = session->answers.below()};
  }
  const std::uint64_t position = shard_.journal.natives(first->at, last, operations, numbers);
  needs_ = std::max(needs_, position);
  for (const Done& one : fresh) {
    if (one.changed != nullptr && !mutated(Mutation::kNativesNotPositioned)) shard_.effects.logged(*one.changed, position);
  }
}

void NativeRun::finish() {
  log();
  Coordinator& session = *coordinator;
  if (told_ != 0) {
    needs_ = std::max(needs_, shard_.clock.ceiling_position());
    shard_.clock.tell(session, told_);
  }
  answer_done();
  session.depend_on(needs_, shard_.journal.durable());
  answer_failed();
  clear();
}

void NativeRun::clear() {
  coordinator = nullptr;
  done.clear();
  failed.clear();
  logged_ = 0;
  told_ = 0;
  waited_ms = 0;
  next_number = 1;
  of_commands = false;
  command_at_ = 0;
  few_changed_.clear();
  changed_.clear();
  needs_ = 0;
}

// Natives that follow each other in number and time are answered together, up to a number that keeps frames small.
void NativeRun::answer_done() {
  Coordinator& session = *coordinator;
  const auto waited_us = static_cast<std::uint32_t>(waited_ms * 1000);
  absl::InlinedVector<const Value*, 16> results;
  for (std::size_t begin = 0; begin < done.size();) {
    std::size_t end = begin;
    results.clear();
    while (end < done.size() && end - begin < kAnsweredTogetherMax && done[end].number == done[begin].number + (end - begin) &&
           done[end].at == HybridClock::after(done[begin].at, end - begin)) {
      if (done[end].has_result) results.push_back(&done[end].result);
      ++end;
    }
    session.depend_on(needs_, shard_.journal.durable());
    const std::size_t bytes_begin = session.out.size();
    server_frame::add_natives_done(session.out, done[begin].number, end - begin, done[begin].at, results, waited_us);
    if (session.native_session != nullptr) {
      keep_answers(std::span(done).subspan(begin, end - begin), std::string_view(session.out).substr(bytes_begin));
    }
    has_output_(session);
    begin = end;
  }
}

// `bytes`: the answer to all of them.
void NativeRun::keep_answers(std::span<const Done> answered, std::string_view bytes) {
  NativeAnswers& answers = coordinator->native_session->answers;
  const auto has_changed = [](const Done& one) { return one.changed != nullptr; };
  if (bytes.size() <= kObservedBytesKeptMax || std::all_of(answered.begin(), answered.end(), has_changed)) {
    answers.keep(answered.back().number, needs_, bytes);
    return;
  }
  std::string kept;
  for (const Done& one : answered) {
    if (!has_changed(one)) continue;
    kept.clear();
    const Value* result = &one.result;
    server_frame::add_natives_done(kept, one.number, 1, one.at, std::span(&result, one.has_result ? 1 : 0));
    answers.keep(one.number, needs_, kept);
  }
}

void NativeRun::answer_failed() {
  Coordinator& session = *coordinator;
  for (const Failed& one : failed) {
    const std::size_t bytes_begin = session.out.size();
    server_frame::add_native_failed(session.out, one.number, one.error);
    if (one.observes || session.native_session == nullptr) continue;
    session.native_session->answers.keep(one.number, needs_, std::string_view(session.out).substr(bytes_begin));
  }
  if (!failed.empty()) has_output_(session);
}

}  // namespace claret
