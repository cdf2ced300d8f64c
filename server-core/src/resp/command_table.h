// The commands of a server, by name. Immutable, so shared by all connections.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "resp/arguments.h"
#include "resp/command.h"

namespace claret::resp {

struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char character : name) hash = (hash ^ static_cast<unsigned char>(lower(character))) * 0x100000001B3;
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
};
struct SameName {
  using is_transparent = void;
  bool operator()(std::string_view left, std::string_view right) const { return same_name(left, right); }
};

class CommandTable {
 public:
  struct Entry {
    const CommandSpec* spec = nullptr;
    bool own = false;  // spec->runner is an OwnCommand
    absl::flat_hash_map<std::string_view, std::size_t, NameHash, SameName>
        subcommands;  // places in entries(), without the container's name
    std::vector<std::size_t> in_order;
  };

  // `data` are commands besides the protocol's own. One with the name of an own command, or of its container, replaces it.
  // REQUIRES: a container is before its subcommands; `data` outlives the table.
  explicit CommandTable(std::span<const CommandSpec> data);

  // Returns the command that the arguments name, or nullptr. A container with arguments names one of its subcommands. If the container has no
  // such subcommand, *container is set to it.
  const Entry* find(Arguments arguments, const Entry** container = nullptr) const;
  // By the whole name: "client|id".
  const Entry* find_named(std::string_view name) const;

  // All, containers before their subcommands.
  std::span<const Entry> entries() const { return entries_; }
  bool is_subcommand(const Entry& entry) const { return entry.spec->name.find('|') != std::string_view::npos; }
  std::size_t containers_and_commands() const { return by_name_.size(); }

 private:
  void add(const CommandSpec& spec, bool own);

  std::vector<Entry> entries_;
  absl::flat_hash_map<std::string_view, std::size_t, NameHash, SameName> by_name_;  // never iterated
};

}  // namespace claret::resp
