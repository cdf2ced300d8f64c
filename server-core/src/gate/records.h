// All records of a shard, by key, and those that a commit has created also by slot.
//
// A slot's records are a list, the newest first, in the order in which they were created: the order of a hash table must not reach an
// output.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adt/registry.h"
#include "composed/type_table.h"
#include "gate/expiries.h"
#include "gate/gate.h"
#include "gate/record_operations.h"
#include "gate/witness.h"
#include "ground/slots.h"
#include "structure/extendible_set.h"
#include "structure/text_hash.h"

namespace claret {

class Records {
 public:
  // Null if no commit has created the record and no visit refers to it.
  Record* find(std::string_view key) const {
    Record* record = find_or_gone(key);
    return record == nullptr || record->gone ? nullptr : record;
  }
  // Also one that is only there for a checkpoint.
  Record* find_or_gone(std::string_view key) const {
    if (last_found_ != nullptr && last_found_->key == key) return last_found_;
    const auto* found = records_.find(key);
    return last_found_ = found == nullptr ? nullptr : found->get();
  }

  Record& find_or_create(std::string_view key, const DataType& type) {
    const DataType& type_of_new = is_of_record(type) ? *all_types().front() : type;  // it is vacant: any type will do
    if (Record* record = find_or_gone(key)) {
      if (record->gone) revive(*record, type_of_new);
      return *record;
    }
    auto record = std::make_unique<Record>();
    record->key = key;
    record->slot = static_cast<std::uint16_t>(slot_of(key));
    record->type = &type_of_new;
    record->state = record->type->create();
    Record& made = *record;
    records_.insert(std::move(record));
    return *(last_found_ = &made);
  }

  // A visit refers to the record, which stays until the matching unpin.
  void pin(Record& record) { ++record.pins; }
  void unpin(Record& record) { --record.pins; }
  // The same for one operation of that type.
  void pin(Record& record, const DataType& type) {
    pin(record);
    if (is_of_record(type)) ++record.pins_without_type;
  }
  void unpin(Record& record, const DataType& type) {
    unpin(record);
    if (is_of_record(type)) --record.pins_without_type;
  }

  // Drops an idle gate, and the record too if it has no commit. The reference may be invalid afterwards.
  void tidy(Record& record) {
    if (record.queued || record.pins != 0) return;
    if (record.gate != nullptr) {
      if (!record.gate->idle()) return;
      record.gate.reset();
    }
    if (record.last_commit == 0 && !record.dirty) drop(record);  // otherwise a checkpoint names it
  }

  // An empty record of that type. REQUIRES: it is vacant, no visit with a type refers to it, and nobody walks over its state.
  void become(Record& record, const DataType& type) {
    if (record.hot != 0) witness_->dropped(record);
    if (record.gate != nullptr && record.gate->idle()) record.gate.reset();
    record.type = &type;
    record.state = type.create();
  }

  // ---- expiry
  // `at_ms`: by the wall clock; 0: it stays.
  void expire(Record& record, std::uint64_t at_ms) {
    if (record.expires_at_ms == at_ms) return;
    record.expires_at_ms = at_ms;
    if (at_ms == 0) {
      expiries_.forget(record);
    } else {
      expiries_.set(record, at_ms);
    }
  }
  Expiries& expiries() { return expiries_; }
  const Expiries& expiries() const { return expiries_; }

  // Null: not watched.
  void watch(GateWitness* witness) { witness_ = witness; }

  // The data types that records may have.
  composed::TypeTable& types() { return types_; }
  const composed::TypeTable& types() const { return types_; }

  // All that take memory, but for those that have vanished.
  std::size_t size() const { return records_.size() - gone_; }

  // ---- what is there: neither vacant records nor those that only visits refer to
  std::size_t present() const { return present_; }
  // The record has become vacant, or is there (again).
  void count(Record& record, bool is_there) {
    if (record.counted == is_there) return;
    record.counted = is_there;
    present_ += is_there ? 1 : -1;
  }
  // Records that were there, and are kept until they can be forgotten.
  std::size_t vacant() const { return linked_ > present_ ? linked_ - present_ : 0; }

  // How often a record has changed.
  std::uint64_t changes() const { return changes_; }
  void note_change() { ++changes_; }

  // ---- by slot
  // A commit creates the record, or it is restored. REQUIRES: it is in no list.
  void link(Record& record) {
    Slot& slot = slots_[record.slot];
    record.next_in_slot = slot.newest;
    record.previous_in_slot = nullptr;
    if (slot.newest != nullptr) slot.newest->previous_in_slot = &record;
    slot.newest = &record;
    ++slot.count;
    ++linked_;
  }
  // Null: it has none.
  Record* newest_in(std::uint32_t slot) const { return slots_[slot].newest; }
  std::uint32_t count_in(std::uint32_t slot) const { return slots_[slot].count; }
  // Takes the slot's whole list; its records are in no list then.
  Record* unlink_all(std::uint32_t slot) {
    linked_ -= std::exchange(slots_[slot].count, 0);
    return std::exchange(slots_[slot].newest, nullptr);
  }
  // When a record of the slot that is no longer kept was deleted, or an earlier time; 0: none was. Vacant records that are kept tell it themselves.
  Timestamp deleted_at(std::uint32_t slot) const { return slots_[slot].deleted_at; }
  void note_deletions(const SlotRun& slots, Timestamp at) {
    for (std::uint32_t slot = slots.first; slot <= slots.last; ++slot) slots_[slot].deleted_at = std::max(slots_[slot].deleted_at, at);
  }
  // When the record, or what was there, has last changed. `record`: null if there is none.
  Timestamp changed_at(const Record* record, std::uint32_t slot) const {
    return record == nullptr || record->last_commit == 0 ? deleted_at(slot) : record->last_commit;
  }
  // Drops a record. REQUIRES: it is vacant and in a list, and nobody refers to it.
  void forget(Record& record) {
    Slot& slot = slots_[record.slot];
    (record.previous_in_slot == nullptr ? slot.newest : record.previous_in_slot->next_in_slot) = record.next_in_slot;
    if (record.next_in_slot != nullptr) record.next_in_slot->previous_in_slot = record.previous_in_slot;
    --slot.count;
    --linked_;
    count(record, false);
    note_deletions({record.slot, record.slot}, record.last_commit);
    expiries_.forget(record);
    drop(record);
  }

  // The record is no longer there for anybody but a checkpoint. `last_commit` says which time this is, for the whole shard. REQUIRES: it is in
  // no list, and no visit refers to it.
  void vanish(Record& record) {
    if (record.hot != 0) witness_->dropped(record);
    expire(record, 0);
    count(record, false);
    record.gate.reset();
    record.state.reset();
    record.made = false;
    record.gone = true;
    record.past = 0;
    record.last_commit = ++vanished_;
    ++gone_;
  }
  // A record that has vanished is there again, empty and of that type.
  void revive(Record& record, const DataType& type) {
    record.gone = false;
    --gone_;
    record.type = &type;
    record.state = type.create();
    record.last_commit = 0;
    record.last_position = 0;
  }
  // Ends a record that has vanished.
  void erase(Record& record) {
    --gone_;
    take_out(record);
  }

 private:
  struct Slot {
    Record* newest = nullptr;
    std::uint32_t count = 0;
    Timestamp deleted_at = 0;
  };
  // The key is stored in the record: the table itself holds one pointer for each.
  struct KeyOf {
    using is_transparent = void;
    static std::string_view key(std::string_view text) { return text; }
    static std::string_view key(const std::unique_ptr<Record>& record) { return record->key; }
  };
  struct Hash : KeyOf {
    std::size_t operator()(const auto& one) const { return TextHash()(key(one)); }
  };
  struct Equal : KeyOf {
    bool operator()(const auto& one, const auto& other) const { return key(one) == key(other); }
  };

  void take_out(const Record& record) {
    last_found_ = nullptr;
    records_.erase(std::string_view(record.key));
  }

  void drop(Record& record) {
    if (record.hot != 0) witness_->dropped(record);
    take_out(record);
  }

  GateWitness* witness_ = nullptr;
  Expiries expiries_;
  ExtendibleSet<std::unique_ptr<Record>, Hash, Equal> records_;  // never iterated
  mutable Record* last_found_ = nullptr;  // is looked for several times on end
  composed::TypeTable types_;
  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
  std::size_t gone_ = 0;  // records that are still in the table
  std::size_t linked_ = 0;  // records in the lists of all slots
  std::size_t present_ = 0;  // of these, those that are there
  std::uint64_t changes_ = 0;
  Timestamp vanished_ = 0;  // how often a record has vanished
};

}  // namespace claret
