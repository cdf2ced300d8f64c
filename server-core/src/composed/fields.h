// The state of a record of a composed type: a state of a built-in type for each field, or, for a field with `each`, a map from text to such
// states. What a map does not hold is blank: a state as it was created. A map drops what has become blank, unless it holds reservations. Bytes have
// nothing that is blank.
#pragma once

#include <absl/container/btree_map.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "composed/definition.h"

namespace claret::composed {

struct Fields final : State {
  struct Entry {
    std::unique_ptr<State> state;
    std::uint32_t reservations = 0;
  };
  // Of a field without `each`, the one entry has the empty key.
  using Entries = absl::btree_map<std::string, Entry, std::less<>>;

  std::vector<Entries> fields;
  std::int64_t schema = 0;  // the version to which the record was last brought by a migration, or in which it was made (Definition::schema)
  // Not part of the state: its bytes when they were last measured, and an upper bound of what has been added since.
  mutable std::size_t measured_bytes = 0;
  mutable std::size_t grown_bytes = 0;
};

inline constexpr std::uint64_t kSchemaFactor = 32;
static_assert(limits::kFieldsMax < kSchemaFactor);

// What the fields of a type are, and what can be done with their states.
class FieldSet {
 public:
  // REQUIRES: the fields outlive this object.
  explicit FieldSet(const std::vector<Field>& fields);

  const Field& operator[](std::size_t field) const { return fields_[field]; }
  std::size_t size() const { return fields_.size(); }

  // An empty entry for each field.
  void fill(Fields& state) const;
  // Blank if there is none.
  const State& state(const Fields& fields, std::size_t field, std::string_view key) const;
  // Makes a blank one if there is none; `tidy` has to follow.
  Fields::Entry& entry(Fields& fields, std::size_t field, std::string_view key) const;
  // Nothing is in it.
  bool is_blank(const Fields& fields) const;
  // Drops the entry if nothing is in it.
  void tidy(Fields& fields, std::size_t field, std::string_view key) const;

  // state   := count, then for each field: entries            the number of fields and, times kSchemaFactor, the schema; empty fields behind the
  //                                                           last one that is not are left out
  // entries := count (text text)*                             key, and the bytes of the state; in order of keys; without blank ones
  void encode(const Fields& fields, std::string& out) const;
  // False if the bytes are no such state.
  bool decode(std::string_view bytes, Fields& fields) const;

 private:
  bool is_blank(std::size_t field, const State& state) const;

  const std::vector<Field>& fields_;
  std::vector<std::unique_ptr<State>> blank_;
  std::vector<std::string> blank_bytes_;
  std::vector<bool> tells_empty_;  // the type's is_empty is true of what is blank, and of nothing else
};

}  // namespace claret::composed
