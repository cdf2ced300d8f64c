#include "transaction/giving.h"

#include <algorithm>
#include <utility>

#include "ground/mutation.h"
#include "transaction/slice.h"
#include "wire/checkpoint.h"

namespace claret {

namespace {

// Most slots have few records, or none.
constexpr std::uint32_t kSlotsPerStep = 32;
// Searching all answers for some of them.
constexpr std::size_t kSearchWork = 1024;
// Of a record, before one has been copied.
constexpr std::size_t kRecordBytesGuessed = 100;

}  // namespace

void Giving::begin(Give give, std::uint32_t version) {
  give_ = std::move(give);
  version_ = version;
  pieces_ = walks_ = answer_pairs_ = 0;
  records_copied_ = bytes_copied_ = 0;
  answers_left_ = true;
  complete_ = false;
  // After 65,535 copies a record may look as if this one had it: it is copied twice then.
  const std::uint16_t number = copy_.number == 0xFFFF ? 1 : copy_.number + 1;
  copy_ = SlotCopy{.under_way = true, .slots = give_.slots, .number = number, .begun_below = give_.slots.first};
  for (std::uint32_t slot = give_.slots.first; slot <= give_.slots.last; ++slot) copy_.left += records_.count_in(slot);
  deduplication_.begin_walk(give_.slots);
}

void Giving::end() {
  copy_ = SlotCopy{.number = copy_.number};
  deduplication_.end_walk();
}

void Giving::take(std::size_t bytes_max, bool drained, GivePiece& piece) {
  std::string pairs;
  Slice slice{pairs, bytes_max};
  walk(slice);
  const bool walked = copy_.next == nullptr && copy_.begun_below > copy_.slots.last;
  if (walked) copy_.left = 0;
  const bool records_left = copy_.walk.record != nullptr || !walked || !copy_.again.empty();
  if (!records_left) answers_left_ = take_answers(slice);
  complete_ = drained && !records_left && !answers_left_;
  const std::size_t record_bytes = records_copied_ == 0 ? kRecordBytesGuessed : bytes_copied_ / records_copied_;
  piece.bytes_left = (copy_.left + copy_.again.size() + (copy_.walk.record == nullptr ? 0 : 1)) * record_bytes;
  if (records_left || answers_left_) piece.bytes_left = std::max<std::size_t>(piece.bytes_left, 1);
  piece.complete = complete_;
  if (pairs.empty() && !complete_) return;
  {
    const Put put(piece.bytes, key_of(KeyKind::kPiece));
    add_value(piece.bytes, PieceHead{.slots = give_.slots,
                                     .version = version_,
                                     .number = ++pieces_,
                                     .complete = complete_,
                                     .time_ms = static_cast<std::uint64_t>(clock_.wall_ms())});
  }
  piece.bytes += pairs;
}

void Giving::walk(Slice& slice) {
  while (!slice.full()) {
    if (copy_.walk.record != nullptr) {
      std::string part;
      const bool more = copy_.walk.next(slice.part_bytes(), part);
      copy_.walk.put(part, slice.pairs);
      bytes_copied_ += part.size();
      slice.worked(Slice::kWork);  // one part is enough for a call
      if (!more) copy_.walk = {};
    } else if (copy_.next != nullptr) {
      Record& record = *std::exchange(copy_.next, copy_.next->next_in_slot);
      if (copy_.left > 0) --copy_.left;
      copy(slice, record);
    } else if (next_slot(slice)) {
      continue;
    } else if (!copy_.again.empty()) {
      Record& record = *copy_.again.front();
      copy_.again.pop_front();
      copy(slice, record);
    } else {
      return;
    }
  }
}

bool Giving::next_slot(Slice& slice) {
  if (copy_.begun_below > copy_.slots.last) return false;
  copy_.next = records_.newest_in(copy_.begun_below++);
  if (copy_.begun_below % kSlotsPerStep == 0) slice.worked(1);
  return true;
}

void Giving::copy(Slice& slice, Record& record) {
  record.copied = copy_.number;
  slice.worked(1);
  ++records_copied_;
  const std::size_t before = slice.pairs.size();
  effects_.on_committed(record, [&] {
    std::string first;
    if (copy_.walk.begin(record, ++walks_, slice.part_bytes(), slice.pairs, first)) return;
    // The taker has to know the type before the parts come.
    RecordHead head = copy_.walk.head;
    head.parts = 1;
    {
      const Put put(slice.pairs, key_of(KeyKind::kRecord, record.key));
      add_value(slice.pairs, head);
    }
    copy_.walk.put(first, slice.pairs);
    slice.worked(Slice::kWork);
  });
  bytes_copied_ += slice.pairs.size() - before;
}

bool Giving::take_answers(Slice& slice) {
  if (mutated(Mutation::kAnswersNotMoved)) return false;
  bool more = true;
  while (more && !slice.full()) {
    std::string answers;
    more = deduplication_.take_of_slots(Slice::kAnswersBytesPerPair, clock_.wall_ms(), answers);
    slice.worked(kSearchWork);
    if (answers.empty()) continue;
    const Put put(slice.pairs, key_of(KeyKind::kAnswers, 0, 0, ++answer_pairs_));
    slice.pairs += answers;
  }
  return more;
}

}  // namespace claret
