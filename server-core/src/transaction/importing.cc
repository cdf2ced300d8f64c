#include "transaction/importing.h"

#include <absl/container/flat_hash_map.h>

#include <utility>
#include <vector>

#include "adt/registry.h"
#include "transaction/intake.h"
#include "wire/checkpoint.h"

namespace claret {

namespace {

// The answers in this shard's time. False if the bytes are no answers.
bool translate(std::string_view answers, std::uint64_t giver_ms, double wall_ms, std::string& translated) {
  std::vector<KeptAnswer> kept;
  if (!read_kept_answers(answers, kept)) return false;
  for (KeptAnswer& one : kept) {
    if (one.until_wall_ms <= giver_ms) continue;
    one.until_wall_ms = static_cast<std::uint64_t>(wall_ms) + (one.until_wall_ms - giver_ms);
    add_kept_answer(translated, one);
  }
  return true;
}

}  // namespace

bool Importing::open(std::string_view piece, double wall_ms, PieceHead& head, std::string& pairs) {
  Pair pair;
  if (!take_pair(piece, pair) || pair.key != key_of(KeyKind::kPiece) || !read_value(pair.value, head)) return false;
  while (!piece.empty()) {
    const std::string_view before = piece;
    if (!take_pair(piece, pair) || pair.kind != PairKind::kPut) return false;
    if (static_cast<KeyKind>(pair.key.front()) != KeyKind::kAnswers) {
      pairs += before.substr(0, before.size() - piece.size());
      continue;
    }
    std::string translated;
    if (!translate(pair.value, head.time_ms, wall_ms, translated)) return false;
    const Put put(pairs, pair.key);
    pairs += translated;
  }
  return true;
}

std::optional<Error> Importing::check_room(std::string_view pairs) const {
  std::size_t ids = 0, bytes = 0;
  Pair pair;
  while (take_pair(pairs, pair)) {
    std::vector<KeptAnswer> kept;
    if (static_cast<KeyKind>(pair.key.front()) != KeyKind::kAnswers || !read_kept_answers(pair.value, kept)) continue;
    ids += kept.size();
    for (const KeptAnswer& one : kept) bytes += one.answer.size();
  }
  if (deduplication_.has_room_for(ids, bytes)) return std::nullopt;
  return refuse(errors::kOverloaded, "the shard has no room for the answers that the other one has kept", true);
}

// The pairs of one entry.
class Importing::Stage {
 public:
  Stage(Importing& importing, const SlotRun& slots, std::uint64_t position)
      : records_(importing.records_),
        deduplication_(importing.deduplication_),
        checkpoint_(importing.checkpoint_),
        table_(importing.moves_.slots()),
        slots_(slots),
        position_(position) {}

  bool take(const Pair& pair) {
    switch (static_cast<KeyKind>(pair.key.front())) {
      case KeyKind::kRecord:
        return take_record(pair);
      case KeyKind::kPart:
        return take_part(pair);
      case KeyKind::kAnswers:
        return take_answers(pair.value);
      default:
        return false;
    }
  }

 private:
  bool take_record(const Pair& pair) {
    const std::string_view key = pair.key.substr(1);
    RecordHead head;
    std::string_view bytes;
    if (check_key(key, nullptr) || !slots_.contains(slot_of(key)) || !read_value(pair.value, head, bytes) || head.last_commit == 0)
      return false;
    if (is_emptied(slot_of(key))) return true;
    const DataType* type = head.is_vacant() ? all_types().front() : records_.types().find(std::uint32_t{head.type});
    if (type == nullptr) return false;
    std::unique_ptr<State> state = head.parts == 0 && !head.is_vacant() ? type->decode(bytes) : type->create();
    if (state == nullptr) return false;
    Record* record = records_.find(key);
    if (record == nullptr) record = &records_.find_or_create(key, *type);
    if (!is_new(*record)) return true;
    if (record->pins != 0) return false;
    const bool is_listed = record->last_commit != 0;
    checkpoint_.replacing(*record);
    record->type = type;
    record->state = std::move(state);
    record->last_commit = head.last_commit;
    record->made = !head.is_vacant();
    record->put = true;  // as if: its first entries are not its own
    records_.expire(*record, head.expires_at_ms);
    if (head.is_vacant() && head.expires_at_ms != 0) records_.expiries().set(*record, 0);
    if (!is_listed) records_.link(*record);
    records_.count(*record, record->made);
    positioned(*record);
    return true;
  }

  bool take_part(const Pair& pair) {
    PartKey key;
    if (!read_key(pair.key, key)) return false;
    Record* record = records_.find(key.record_key);
    if (!slots_.contains(slot_of(key.record_key))) return false;
    if (is_emptied(slot_of(key.record_key))) return true;
    if (record == nullptr || record->gone) return false;
    if (!is_new(*record)) return true;
    checkpoint_.replacing(*record);
    if (!record->type->add_part(*record->state, pair.value, key.number == 0)) return false;
    positioned(*record);
    return true;
  }

  bool take_answers(std::string_view bytes) {
    std::vector<KeptAnswer> kept;
    if (!read_kept_answers(bytes, kept)) return false;
    for (const KeptAnswer& one : kept) {
      if (!slots_.contains(slot_of(one.id))) return false;
      if (!is_emptied(slot_of(one.id))) deduplication_.adopt(one, position_);
    }
    return true;
  }

  // A later entry has.
  bool is_emptied(std::uint32_t slot) const { return table_.emptied_at(slot) >= position_; }

  // It does not contain the entry yet. Decided before the first pair of the entry: a record may have several.
  bool is_new(const Record& record) { return new_.try_emplace(&record, record.gone || record.last_position < position_).first->second; }

  void positioned(Record& record) {
    record.last_position = position_;
    checkpoint_.changed(record, position_);
  }

  Records& records_;
  Deduplication& deduplication_;
  Checkpoint& checkpoint_;
  const SlotTable& table_;
  const SlotRun& slots_;
  std::uint64_t position_;
  absl::flat_hash_map<const Record*, bool> new_;  // looked up, never iterated
};

bool Importing::stage(std::string_view pairs, const SlotRun& slots, std::uint64_t position) {
  Stage stage(*this, slots, position);
  Pair pair;
  while (!pairs.empty()) {
    if (!take_pair(pairs, pair) || pair.kind != PairKind::kPut || !stage.take(pair)) return false;
  }
  return true;
}

}  // namespace claret
