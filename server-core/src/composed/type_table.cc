#include "composed/type_table.h"

#include "adt/registry.h"
#include "composed/composed_type.h"

namespace claret::composed {

struct TypeTable::Entry {
  std::unique_ptr<ComposedType> type;
  bool retired = false;
};

TypeTable::TypeTable() = default;
TypeTable::~TypeTable() = default;

const DataType* TypeTable::find(std::uint32_t id) const {
  if (id < kFirstComposedId) return find_type(static_cast<std::uint8_t>(id));
  const auto found = id <= kLastComposedId ? types_.find(static_cast<std::uint8_t>(id)) : types_.end();
  return found == types_.end() ? nullptr : found->second.type.get();
}

const DataType* TypeTable::find(std::string_view name) const {
  if (const DataType* type = find_type(name)) return type;
  for (const auto& [id, entry] : types_) {
    if (entry.type->name() == name) return entry.type.get();
  }
  return nullptr;
}

bool TypeTable::is_retired(const DataType& type) const {
  if (type.id() < kFirstComposedId) return false;
  const auto found = types_.find(type.id());
  return found != types_.end() && found->second.retired;
}

std::optional<std::string> TypeTable::problem(const InstalledType& wanted) const {
  if (wanted.id < kFirstComposedId || wanted.id > kLastComposedId) {
    return "ids of installed types go from " + std::to_string(kFirstComposedId) + " to " + std::to_string(kLastComposedId);
  }
  const Parsed parsed = parse_definition(wanted.definition);
  if (parsed.definition == nullptr) return parsed.problem;
  for (const auto& [id, entry] : types_) {
    if ((id == wanted.id) != (entry.type->name() == parsed.definition->name)) {
      return "type " + std::string(entry.type->name()) + " has the id " + std::to_string(id) + " already";
    }
  }
  const auto found = types_.find(wanted.id);
  if (found == types_.end() || found->second.type->definition().text == wanted.definition) return std::nullopt;
  return found->second.type->can_adopt(*parsed.definition);
}

bool TypeTable::has(const InstalledType& wanted) const {
  const auto found = types_.find(wanted.id);
  return found != types_.end() && found->second.retired == wanted.retired && found->second.type->definition().text == wanted.definition;
}

bool TypeTable::replaces(const InstalledType& wanted) const {
  const auto found = types_.find(wanted.id);
  return found != types_.end() && found->second.type->definition().text != wanted.definition;
}

bool TypeTable::migrates(const InstalledType& wanted) const {
  return replaces(wanted) && types_.find(wanted.id)->second.type->migrates_to(*parse_definition(wanted.definition).definition);
}

void TypeTable::install(const InstalledType& wanted) {
  Entry& entry = types_[wanted.id];
  entry.retired = wanted.retired;
  if (entry.type != nullptr && entry.type->definition().text == wanted.definition) return;
  auto definition = parse_definition(wanted.definition).definition;
  if (entry.type == nullptr) {
    entry.type = std::make_unique<ComposedType>(wanted.id, std::move(definition));
  } else {
    entry.type->adopt(std::move(definition));
  }
}

std::vector<InstalledType> TypeTable::installed() const {
  std::vector<InstalledType> list;
  for (const auto& [id, entry] : types_) list.push_back({id, entry.retired, entry.type->definition().text});
  return list;
}

std::vector<const DataType*> TypeTable::in_use() const {
  std::vector<const DataType*> list;
  for (const auto& [id, entry] : types_) {
    if (!entry.retired) list.push_back(entry.type.get());
  }
  return list;
}

}  // namespace claret::composed
