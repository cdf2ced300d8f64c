// The operations of every record, whatever its type: whether it is there, its deletion, and its expiry.
//
// A record is *vacant* if nothing is there: no commit has made it, or it was deleted, or what it holds is empty, as a set is without its last
// member. A vacant record has no type: the next change makes it one of its own type. It is kept for some time, since its last change still
// has to be told from earlier ones (Record::last_commit).
//
// A record may *expire*: at a time of the wall clock, its shard deletes it as a native would (transaction/natives.h).
//
// The operations belong to no data type, and their class, RecordOperations, has no state: the functions below take its place. They want the
// record exclusively, so that no rule of a type is asked about them.
#pragma once

#include <span>
#include <string_view>

#include "adt/adt.h"
#include "gate/gate.h"

namespace claret {

// Has the id 0, and the name "Record". Only its descriptions may be asked for.
const DataType& record_operations();

inline bool is_of_record(const DataType& type) { return &type == &record_operations(); }
inline bool is_of_record(const Call& call) { return record_operations().find(call.operation->id) == call.operation; }

namespace record_operation {
enum Id : std::uint8_t { kDelete = 1, kExists, kType, kExpire, kPersist, kExpiresAt };
}  // namespace record_operation

// REQUIRES: the record's state is the committed one.
bool is_vacant(const Record& record);

// A change of another type may find the record to be of its own: it is vacant, or may be once a holder's outcome is known.
bool is_type_undecided(const Record& record);

// The outcome of an operation of the type, which may be `record_operations()`, on the record's state as it is. `own` as in DataType::execute.
Outcome execute(const Record& record, const DataType& type, const Call& call, std::span<const Held> own, const Context& context);
// The same where nothing is. `empty`: a state of that type; not needed for the operations of a record.
Outcome execute_on_nothing(const State* empty, const DataType& type, const Call& call, const Context& context);

// The operation of a record changes nothing, by its result. What is not there may still have an expiry, which its deletion ends.
inline bool does_nothing(const Record& record, const DataType& type, const Value& result) {
  return is_of_record(type) && result == Value(false) && (record.expires_at_ms == 0 || !is_vacant(record));
}

}  // namespace claret
