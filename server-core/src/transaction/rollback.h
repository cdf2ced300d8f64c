// A record's state, taken back over its versions, the newest first, and put back afterwards.
//
// Its own state is undone in place, as far as it goes: what was deleted had another state, which undoing the deletion brings back, and so
// may what was there before the record changed its type. Such a state is *apart*: whoever walks over the record's own does not hear of it, and
// it is dropped in the end. Not thread-safe.
#pragma once

#include <absl/functional/function_ref.h>

#include <memory>
#include <vector>

#include "gate/record_operations.h"
#include "transaction/past.h"

namespace claret {

class Rollback {
 public:
  // `undo` undoes a version in place.
  Rollback(Record& record, const composed::TypeTable& types, const Past::Versions& versions,
           absl::FunctionRef<void(const Past::Version&)> undo)
      : record_(record), types_(types), own_type_(record.type), own_made_(record.made) {
    for (const Past::Version& version : versions) take_back(version, undo);
  }

  // Whether the record's state is not its own.
  bool is_apart() const { return own_ != nullptr; }
  // The state lacks the version's change, which may be applied again. What happened before a deletion is not applied behind it.
  bool undone(const Past::Version& version) const {
    return !is_of_record(*version.type) && version.type == record_.type && &version >= first_;
  }
  // Puts the record's own state back. Returns what was undone there, in order of commit: it is to be applied again.
  std::vector<const Past::Version*> end() {
    record_.made = own_made_;
    if (own_ != nullptr) {
      record_.state = std::move(own_);
      record_.type = own_type_;
    }
    return {in_place_.rbegin(), in_place_.rend()};
  }

 private:
  void take_back(const Past::Version& version, absl::FunctionRef<void(const Past::Version&)> undo) {
    record_.made = version.made;
    if (is_of_record(*version.type)) {
      if (version.call.operation->id == record_operation::kDelete) bring_back(version);
      return;
    }
    if (version.type != record_.type) replace(version, *version.type, version.type->create());
    if (is_apart()) {
      record_.type->undo(*record_.state, version.call, version.result, version.kept);
    } else {
      undo(version);
      in_place_.push_back(&version);
    }
  }

  // `kept`: the id of the type, and the bytes of the state.
  void bring_back(const Past::Version& deletion) {
    const Value::List& kept = deletion.kept.list();
    const DataType& type = *types_.find(static_cast<std::uint32_t>(kept[0].integer()));
    replace(deletion, type, type.decode(kept[1].text()));
  }

  void replace(const Past::Version& by, const DataType& type, std::unique_ptr<State> state) {
    if (own_ == nullptr) own_ = std::move(record_.state);
    record_.type = &type;
    record_.state = std::move(state);
    first_ = &by;
  }

  Record& record_;
  const composed::TypeTable& types_;
  const DataType* own_type_;
  bool own_made_;
  std::unique_ptr<State> own_;  // null while the record has it
  const Past::Version* first_ = nullptr;  // the versions from here on were undone on the record's present state
  std::vector<const Past::Version*> in_place_;  // the newest first
};

}  // namespace claret
