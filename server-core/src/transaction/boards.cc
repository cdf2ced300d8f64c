#include "transaction/boards.h"

#include <algorithm>
#include <limits>

#include "gate/judge.h"
#include "gate/record_operations.h"
#include "ground/mutation.h"
#include "transaction/intake.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

std::uint32_t code_of(const DataType& type, const OperationSpec& operation) { return std::uint32_t{type.id()} << 8 | operation.id; }

std::size_t size_of(const Value& value) {
  if (value.is_text()) return value.text().size();
  if (!value.is_list()) return 8;
  std::size_t bytes = 0;
  for (const Value& item : value.list()) bytes += size_of(item);
  return bytes;
}

// Others hold reservations that may come to nothing. An operation that reserves is judged beside them: it may find missing what is there.
bool is_reserved(const Record& record) {
  if (record.gate == nullptr) return false;
  const auto holders = record.gate->holders();
  return std::any_of(holders.begin(), holders.end(),
                     [](const Visit* holder) { return holder->call.operation->reserves && !holder->intent; });
}

}  // namespace

// ---- heat -----------------------------------------------------------------------------------------------------------------

void Boards::heat(Record& record, const Call& call, double heat) {
  if (readers_.empty() || is_of_record(call)) return;
  if (places_.heat(record, call, heat)) marked_at_ = 0;
}

void Boards::waits(const Claim& claim) {
  for (const Visit* visit : claim.visits) heat(*claim.record, visit->call, 1);
}

void Boards::met(Record& record, const Call& call) { heat(record, call, 1); }

bool Boards::change(const Change& change) {
  if (change.kind == ChangeKind::kSlots && change.step == ChangeStep::kMade) {
    places_.leave(change.slots);
    marked_at_ = 0;
  }
  return true;
}

// ---- marks ----------------------------------------------------------------------------------------------------------------

Boards::Picture Boards::picture(Timestamp at, bool& hides) const {
  Picture picture;
  const double now_ms = shard_.clock.now_ms();
  std::size_t calls = 0;
  for (const BoardPlaces::Place* place : places_.hottest()) {
    const Record& record = *place->record;
    std::vector<ShownCall> shown;
    for (const BoardPlaces::Asked& asked : place->calls) {
      if (now_ms - asked.at_ms > BoardPlaces::kAskedMs || calls == kCallsMax) continue;
      const OperationSpec& operation = *asked.call.operation;
      if ((operation.reserves && is_reserved(record)) ||
          !judge_beside_votes(record, *record.type, operation, at, shard_.locks.rule()).passes()) {
        hides = true;
        continue;
      }
      Outcome outcome = record.type->execute(*record.state, asked.call, {}, shard_.context);
      if (outcome.refused() || size_of(outcome.result()) > kResultBytesMax) continue;
      shown.push_back({asked.call, code_of(*record.type, *asked.call.operation), outcome.take_result()});
      ++calls;
    }
    if (!shown.empty()) picture.emplace(record.key, std::move(shown));
  }
  return picture;
}

void Boards::mark(std::span<Chain* const> chains) {
  marked_ms_ = shard_.clock.now_ms();
  bool hides = false;
  // A time of its own: what it shows of members that are undecided now was not there at any time that a peek has told before.
  if (!mutated(Mutation::kBoardOfOldTime)) shard_.clock.next();
  const Timestamp at = shard_.clock.reached();
  Mark mark{.at = at, .picture = picture(at, hides)};
  marked_at_ = hides ? 0 : mark.at;  // what it hides may change without a new timestamp
  for (const Chain* chain : chains) {
    if (chain->batch != nullptr) mark.undecided.push_back({chain, chain->batch->batch->number, chain->batch->batch->last});
    if (!chain->entered.empty()) mark.undecided.push_back({chain, chain->number, chain->entered.back()->n});
  }
  if (mutated(Mutation::kBoardOfTip)) mark.undecided.clear();
  if (mutated(Mutation::kBoardOfTwoTimes)) {
    for (const auto& [key, shown] : shown_) mark.picture.emplace(key, shown);  // what is not shown any more stays
  }
  marks_.push_back(std::move(mark));
}

void Boards::taken_out(const Chain& chain, std::uint64_t n) {
  const auto shows = [&](const Mark::Undecided& one) { return one.chain == &chain && n <= one.n; };
  const std::size_t dropped =
      std::erase_if(marks_, [&](const Mark& mark) { return std::any_of(mark.undecided.begin(), mark.undecided.end(), shows); });
  if (dropped != 0) marked_at_ = 0;
}

bool Boards::is_certain(Mark& mark) const {
  if (mark.needs == 0) {
    const auto is_open = [](const Mark::Undecided& one) {
      const Batch* batch = one.chain->batch == nullptr ? nullptr : one.chain->batch->batch.get();
      if (batch != nullptr && batch->number == one.number && batch->first <= one.n) return true;
      return one.chain->number == one.number && !one.chain->entered.empty() && one.chain->entered.front()->n <= one.n;
    };
    if (std::any_of(mark.undecided.begin(), mark.undecided.end(), is_open)) return false;
    mark.undecided.clear();
    mark.needs = std::max<std::uint64_t>(1, shard_.journal.position());
  }
  return !shard_.journal.on() || mark.needs <= shard_.journal.durable();
}

void Boards::show(std::span<Chain* const> chains) {
  places_.cool();
  if (readers_.empty()) return;
  while (!marks_.empty() && is_certain(marks_.front())) {
    Mark mark = std::move(marks_.front());
    marks_.erase(marks_.begin());
    publish(std::move(mark));
  }
  if (any_to_show() && is_due() && marks_.size() < kMarksMax && shard_.clock.now_ms() - marked_ms_ >= mark_every_ms()) {
    mark(chains);
    if (is_certain(marks_.back()) && marks_.size() == 1) {
      Mark certain = std::move(marks_.back());
      marks_.pop_back();
      publish(std::move(certain));
    }
  }
}

double Boards::next_ms() const {
  if (readers_.empty()) return std::numeric_limits<double>::infinity();
  if (!marks_.empty() && marks_.front().needs != 0 && marks_.front().needs <= shard_.journal.durable()) return marked_ms_;
  if (!any_to_show() || !is_due() || marks_.size() == kMarksMax) return std::numeric_limits<double>::infinity();
  return marked_ms_ + mark_every_ms();
}

void Boards::publish(Mark mark) {
  const Picture nothing;
  for (Reader& reader : readers_) {
    tell(reader, mark.at, reader.begun ? shown_ : nothing, mark.picture);
    reader.begun = true;
  }
  shown_ = std::move(mark.picture);
}

void Boards::tell(Reader& reader, Timestamp at, const Picture& before, const Picture& now) {
  std::vector<std::string_view> gone;
  std::vector<ShownMessage> shown;
  for (const auto& [key, calls] : before) {
    const auto found = now.find(key);
    // A call that is left out must not stay: its result is not known for the new time.
    const bool all_stay = found != now.end() && std::all_of(calls.begin(), calls.end(), [&](const ShownCall& old) {
                            return std::any_of(found->second.begin(), found->second.end(), [&](const ShownCall& one) {
                              return one.code == old.code && one.call.arguments == old.call.arguments;
                            });
                          });
    if (!all_stay) gone.push_back(key);
  }
  for (const auto& [key, calls] : now) {
    const auto found = before.find(key);
    const bool anew = found == before.end() || std::binary_search(gone.begin(), gone.end(), std::string_view(key));
    for (const ShownCall& one : calls) {
      if (!anew && std::find(found->second.begin(), found->second.end(), one) != found->second.end()) continue;
      shown.push_back({key, one.code, &one.call, &one.result});
    }
  }
  server_frame::add_board(reader.coordinator->at_once, at, !reader.begun, gone, shown);
  has_output_(*reader.coordinator);
}

void Boards::want(Coordinator& coordinator, bool wanted) {
  lose(coordinator);
  if (wanted) readers_.push_back({&coordinator});
  if (readers_.empty()) marks_.clear();
  marked_at_ = 0;
}

// ---- peeks ----------------------------------------------------------------------------------------------------------------

void Boards::peek(Coordinator& coordinator, PeekMessage& message) {
  has_output_(coordinator);
  TakenOperation taken;
  auto error = take_operation(message.operation, shard_.records.types(), &shard_.slots, taken);
  if (!error && (is_of_record(*taken.type) || !predicts(*taken.call.operation)))
    error = refuse(errors::kUnknownOperation, "only an operation with a result that follows from the state can be peeked");
  Record* record = shard_.records.find(message.operation.key);
  if (!error && record != nullptr && record->type != taken.type) {
    const bool undecided = is_type_undecided(*record);
    error = refuse(errors::kWrongType, "the record is a " + std::string(record->type->name()), undecided);
  }
  if (error) return server_frame::add_failed_peek(coordinator.at_once, message.ticket, *error);
  // While nothing can be logged, no timestamp may be ahead of the wall clock. Nor may a restart be behind what a picture tells.
  if (message.at > shard_.clock.kept() || (message.at > shard_.clock.reached() && shard_.clock.refuses_changes())) {
    return server_frame::add_busy_peek(coordinator.at_once, message.ticket);
  }
  // From now on nothing commits here at a time up to that one.
  if (!mutated(Mutation::kPeekLeavesClock)) shard_.clock.raise(message.at);
  const Timestamp reached = std::min(std::max(shard_.clock.reached(), message.at), shard_.clock.kept());
  const Timestamp at = message.at == 0 ? reached : message.at;
  if (record != nullptr) {
    const bool undecided = record->run() != nullptr && !mutated(Mutation::kPeekOfTip);
    const Verdict beside = judge_beside_votes(*record, *taken.type, *taken.call.operation, reached, shard_.locks.rule());
    const bool voted = !beside.passes() && !mutated(Mutation::kPeekPassesVoted);
    const bool late = record->last_commit > at && !mutated(Mutation::kPeekAnyTime);
    if (undecided) met(*record, taken.call);
    if (late) heat(*record, taken.call, shard_.heat_hot);
    const bool reserved = taken.call.operation->reserves && is_reserved(*record);
    if (undecided || voted || late || reserved) return server_frame::add_busy_peek(coordinator.at_once, message.ticket);
  }
  const std::unique_ptr<State> empty = record == nullptr ? taken.type->create() : nullptr;
  const State& state = record == nullptr ? *empty : *record->state;
  Outcome outcome = taken.type->execute(state, taken.call, {}, shard_.context);
  if (outcome.refused()) {
    const Error refused{.code = outcome.refusal().code, .message = outcome.refusal().message, .key = std::string(message.operation.key)};
    return server_frame::add_failed_peek(coordinator.at_once, message.ticket, refused);
  }
  const Timestamp changed_at = mutated(Mutation::kPeekAnyTime) ? 0 : shard_.records.changed_at(record, slot_of(message.operation.key));
  server_frame::add_peek(coordinator.at_once, message.ticket, changed_at, reached, outcome.result());
}

}  // namespace claret
