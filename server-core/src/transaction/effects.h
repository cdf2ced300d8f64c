// Effects of committed operations on their records.
//
// A large attempt leaves its records turn by turn (departures.h), so its effects may reach a record after those of a later log entry, with
// which they commute.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "gate/records.h"
#include "transaction/attempt.h"
#include "transaction/checkpoint.h"
#include "transaction/past.h"
#include "transaction/slot_copy.h"

namespace claret {

class Effects {
 public:
  // `logged`: checkpoints drop what is vacant (transaction/checkpointing.h).
  Effects(Checkpoint& checkpoint, SlotCopy& copy, Records& records, Past& past, bool logged)
      : checkpoint_(checkpoint), copy_(copy), records_(records), past_(past), logged_(logged) {}

  // `position` of the log entry, or 0 if there is none. REQUIRES: the visit's reservation has been given back.
  void apply(Visit& visit, Timestamp at, std::uint64_t position);
  // Applies an operation outside any transaction, later than all others on the record but those of its own command, at the same time; then it
  // is not the first one. Its entry is still to come: see `logged`.
  void apply(Record& record, const DataType& type, const Call& call, const Value& result, Timestamp at, bool is_first);
  // The entry at this position has the record's last change.
  void logged(Record& record, std::uint64_t position);
  // Applies all operations of the attempt, after giving its reservations back.
  void apply(Attempt& attempt, Timestamp at, std::uint64_t position);

  // ---- ahead of the commit (gate/run.h)
  // Applies the operation without any note of a commit. Returns what undoing it needs. REQUIRES: it changes its record.
  Value effect(Visit& visit);
  // Takes the effect back. REQUIRES: what was applied to the record since has been taken back.
  void undo(Visit& visit, const Value& kept);
  // An operation, whose effect was applied before, has committed. REQUIRES: it changes its record. `is_first`: no other change of its
  // transaction on the record was booked before. `kept`: what undoing it needs.
  void book(Visit& visit, Timestamp at, std::uint64_t position, bool is_first, Value kept);
  void book(Visit& visit, Timestamp at, std::uint64_t position, Value kept);
  // Calls `see` while the record's state is the committed one: what its run has executed is undone before, and applied again after.
  void on_committed(Record& record, absl::FunctionRef<void()> see);

  // Calls `see` while the record's state is the committed one of that time. Returns false if what has committed since is not kept.
  // REQUIRES: no change of that time or before can commit any more.
  bool on_past(Record& record, Timestamp at, absl::FunctionRef<void()> see);
  // Looks at these changes of the record, the newest first, each while the record's state is the committed one before it, for one that is right.
  // Null: none is. REQUIRES: no later one is missing.
  const Past::Version* find_before_each(Record& record, const Past::Versions& newest_first,
                                        absl::FunctionRef<bool(const Past::Version&)> is_right);
  // What the last call of on_past has taken back, the newest first.
  const Past::Versions& rolled_back() const { return versions_; }

  // To be called when the record's run has ended: whether it is there was left open meanwhile.
  void note_presence(Record& record);

  // Makes the record an empty one of that type, if it is vacant and nothing but operations of records refers to it.
  bool become(Record& record, const DataType& type);
  // What the record holds is void.
  void clear(Record& record);
  // Drops the record if it is vacant, and nobody refers to it or needs its past.
  bool drop_vacant(Record& record);
  // The same for at most `most` of those that have become vacant. REQUIRES: there is no log.
  void drop_vacant(std::size_t most);

  // Records that commits have created, or changed while watched, since the last call; some may appear more than once.
  std::vector<Record*> take_changed() { return std::exchange(changed_, {}); }

 private:
  void commit(Record& record, const DataType& type, const Call& call, const Value& result);
  void commit_of_record(Record& record, const Call& call, const Value& result);
  // Its state is about to be replaced.
  void replacing(Record& record);
  void undo(Record& record, const Call& call, const Value& result, const Value& kept);
  void roll_back(Record& record, Timestamp at, absl::FunctionRef<void()> see);
  void keep(const Visit& visit, Timestamp at, const Value& kept);
  // The commit is noted at its record.
  void note(Record& record, Timestamp at, std::uint64_t position, bool is_first);
  // What the operation leaves behind. To be called after its timestamp is noted.
  void settle(Record& record, const DataType& type, const Call& call);
  // A commit may have created the record, or changed a watched one. To be called before its timestamp is noted.
  void notice(Record& record);

  Checkpoint& checkpoint_;
  SlotCopy& copy_;
  Records& records_;
  Past& past_;
  Past::Versions versions_;  // of the record that is rolled back; its memory is reused
  bool logged_;
  std::vector<Record*> changed_;
  std::deque<std::string> vacated_;  // keys of records that have become vacant, without a log
};

}  // namespace claret
