#include "resp/command_table.h"

#include "ground/check.h"
#include "resp/protocol_commands.h"

namespace claret::resp {

namespace {

std::string_view container_of(std::string_view name) { return name.substr(0, name.find('|')); }

bool is_replaced(const CommandSpec& own, std::span<const CommandSpec> data) {
  for (const auto& spec : data) {
    if (same_name(spec.name, own.name) || same_name(spec.name, container_of(own.name))) return true;
  }
  return false;
}

}  // namespace

CommandTable::CommandTable(std::span<const CommandSpec> data) {
  for (const auto& own : protocol_commands()) {
    if (!is_replaced(own, data)) add(own, true);
  }
  for (const auto& spec : data) add(spec, false);
}

void CommandTable::add(const CommandSpec& spec, bool own) {
  const std::size_t place = entries_.size();
  entries_.push_back({&spec, own, {}, {}});
  const std::string_view container = container_of(spec.name);
  if (container.size() == spec.name.size()) {
    by_name_.emplace(spec.name, place);
    return;
  }
  const auto found = by_name_.find(container);
  CLARET_CHECK(found != by_name_.end());
  Entry& above = entries_[found->second];
  above.subcommands.emplace(spec.name.substr(container.size() + 1), place);
  above.in_order.push_back(place);
}

const CommandTable::Entry* CommandTable::find(Arguments arguments, const Entry** container) const {
  const auto found = by_name_.find(arguments[0]);
  if (found == by_name_.end()) return nullptr;
  const Entry& entry = entries_[found->second];
  if (entry.subcommands.empty() || arguments.size() == 1) return &entry;
  const auto below = entry.subcommands.find(arguments[1]);
  if (below != entry.subcommands.end()) return &entries_[below->second];
  if (container != nullptr) *container = &entry;
  return nullptr;
}

const CommandTable::Entry* CommandTable::find_named(std::string_view name) const {
  const std::size_t bar = name.find('|');
  if (bar == std::string_view::npos) return find({&name, 1});
  const std::string_view names[] = {name.substr(0, bar), name.substr(bar + 1)};
  const Entry* found = find(names);
  return found != nullptr && is_subcommand(*found) ? found : nullptr;
}

}  // namespace claret::resp
