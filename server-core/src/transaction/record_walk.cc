#include "transaction/record_walk.h"

#include "gate/record_operations.h"

namespace claret {

bool RecordWalk::begin(Record& walked, std::uint64_t number, std::size_t part_bytes, std::string& pairs, std::string& first) {
  const bool vacant = is_vacant(walked);
  head = {.type = vacant ? RecordHead::kVacant : walked.type->id(),
          .last_position = walked.last_position,
          .last_commit = walked.last_commit,
          .expires_at_ms = walked.expires_at_ms};
  if (vacant) {
    const Put put(pairs, key_of(KeyKind::kRecord, walked.key));
    add_value(pairs, head);
    return true;
  }
  std::unique_ptr<StateParts> parts = walked.type->parts(*walked.state);
  const std::size_t pair_begins = pairs.size();
  std::size_t state_begins = 0;
  bool more = false;
  {
    const Put put(pairs, key_of(KeyKind::kRecord, walked.key));
    add_value(pairs, head);
    state_begins = pairs.size();
    if (parts == nullptr) {
      walked.type->encode(*walked.state, pairs);
    } else {
      more = parts->next(part_bytes, pairs);
    }
  }
  if (!more) return true;
  // The bytes that were meant to be the whole state are its first part.
  first = pairs.substr(state_begins);
  pairs.resize(pair_begins);
  record = &walked;
  state = std::move(parts);
  head.walk = number;
  return false;
}

void RecordWalk::put(std::string_view part, std::string& pairs) {
  if (part.empty()) return;
  const Put put(pairs, key_of(PartKey{record->key, head.walk, head.parts++}));
  pairs += part;
}

}  // namespace claret
