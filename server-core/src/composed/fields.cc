#include "composed/fields.h"

#include "adt/state_codec.h"

namespace claret::composed {

FieldSet::FieldSet(const std::vector<Field>& fields) : fields_(fields) {
  for (const Field& field : fields) {
    blank_.push_back(field.type->create());
    field.type->encode(*blank_.back(), blank_bytes_.emplace_back());
    tells_empty_.push_back(field.type->is_empty(*blank_.back()));
  }
}

bool FieldSet::is_blank(std::size_t field, const State& state) const {
  if (tells_empty_[field]) return fields_[field].type->is_empty(state);
  std::string bytes;
  fields_[field].type->encode(state, bytes);
  return bytes == blank_bytes_[field];
}

void FieldSet::fill(Fields& state) const { state.fields.resize(fields_.size()); }

const State& FieldSet::state(const Fields& fields, std::size_t field, std::string_view key) const {
  if (field >= fields.fields.size()) return *blank_[field];
  const auto found = fields.fields[field].find(key);
  return found == fields.fields[field].end() ? *blank_[field] : *found->second.state;
}

Fields::Entry& FieldSet::entry(Fields& fields, std::size_t field, std::string_view key) const {
  if (field >= fields.fields.size()) fill(fields);
  Fields::Entries& entries = fields.fields[field];
  auto found = entries.find(key);
  if (found == entries.end()) found = entries.emplace(std::string(key), Fields::Entry{fields_[field].type->create()}).first;
  return found->second;
}

bool FieldSet::is_blank(const Fields& fields) const {
  for (std::size_t field = 0; field < fields.fields.size(); ++field) {
    for (const auto& [key, entry] : fields.fields[field]) {
      if (!is_blank(field, *entry.state)) return false;
    }
  }
  return true;
}

void FieldSet::tidy(Fields& fields, std::size_t field, std::string_view key) const {
  // One state alone may stay, and to find out that it is blank can take as long as the state is large.
  if (field >= fields.fields.size() || (!fields_[field].each && !tells_empty_[field])) return;
  Fields::Entries& entries = fields.fields[field];
  const auto found = entries.find(key);
  if (found != entries.end() && found->second.reservations == 0 && is_blank(field, *found->second.state)) entries.erase(found);
}

void FieldSet::encode(const Fields& fields, std::string& out) const {
  std::string bytes, of_fields, of_state;
  std::size_t used = 0;  // fields behind it are empty, as those of a later version are at first
  for (std::size_t field = 0; field < fields.fields.size(); ++field) {
    std::string entries;
    std::size_t count = 0;
    for (const auto& [key, entry] : fields.fields[field]) {
      of_state.clear();
      fields_[field].type->encode(*entry.state, of_state);
      if (of_state == blank_bytes_[field]) continue;
      StateWriter(entries).text(key);
      StateWriter(entries).text(of_state);
      ++count;
    }
    StateWriter(of_fields).count(count);
    of_fields += entries;
    if (count == 0) continue;
    bytes += of_fields;
    of_fields.clear();
    used = field + 1;
  }
  StateWriter(out).count(used + kSchemaFactor * static_cast<std::uint64_t>(fields.schema));
  out += bytes;
}

bool FieldSet::decode(std::string_view bytes, Fields& fields) const {
  fill(fields);
  StateReader reader(bytes);
  const std::uint64_t counts = reader.count();
  const std::uint64_t known = counts % kSchemaFactor;
  if (reader.failed() || known > fields_.size() || counts / kSchemaFactor > static_cast<std::uint64_t>(limits::kVersionMax)) return false;
  fields.schema = static_cast<std::int64_t>(counts / kSchemaFactor);
  for (std::size_t field = 0; field < known; ++field) {
    std::uint64_t count = reader.count();
    if (!fields_[field].each && count > 1) return false;
    for (; count > 0 && !reader.failed(); --count) {
      std::string key = reader.text();
      const std::string state_bytes = reader.text();
      Fields::Entries& entries = fields.fields[field];
      // In order, so that equal states have equal bytes.
      const bool in_order = entries.empty() || entries.rbegin()->first < key;
      std::unique_ptr<State> state = fields_[field].type->decode(state_bytes);
      if (reader.failed() || state == nullptr || !in_order || is_blank(field, *state) || (!fields_[field].each && !key.empty()))
        return false;
      entries.emplace_hint(entries.end(), std::move(key), Fields::Entry{std::move(state)});
    }
  }
  fields.measured_bytes = bytes.size();
  return reader.complete() && (known == 0 || !fields.fields[known - 1].empty());
}

}  // namespace claret::composed
