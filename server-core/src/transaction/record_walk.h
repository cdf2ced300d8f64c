// Puts a record into pairs: as one pair, or, if its state is larger than a part, in parts over several calls. The parts show the state at the
// moment at which the walk began, whatever is applied to it meanwhile (adt/ordered_parts.h). Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gate/gate.h"
#include "wire/checkpoint.h"

namespace claret {

struct RecordWalk {
  Record* record = nullptr;  // null: no walk is in progress
  RecordHead head;  // counts the parts put so far
  std::unique_ptr<StateParts> state;

  // Appends the pair of the record as it is now. False if its state takes more than `part_bytes`: then nothing is appended, the walk is in
  // progress, and `first` is the first part.
  bool begin(Record& walked, std::uint64_t number, std::size_t part_bytes, std::string& pairs, std::string& first);
  // Appends the pair of a part, unless it is empty.
  void put(std::string_view part, std::string& pairs);
  // The next part. True while more follow.
  bool next(std::size_t part_bytes, std::string& part) { return state->next(part_bytes, part); }

  // To be called before an operation is applied to a record.
  void changing(const Record& changed, const Call& call) {
    if (&changed == record) state->before(call);
  }
  // To be called before an operation is undone on a record. `kept`: see DataType::undo.
  void undoing(const Record& changed, const Call& call, const Value& kept) {
    if (&changed == record) state->before_undo(call, kept);
  }
};

}  // namespace claret
