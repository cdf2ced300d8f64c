// The data types of a shard: the built-in ones, and those that were installed while it ran, which are composed of them.
//
// An installed type keeps its id for good, since records and the log name it by that. A retired one refuses its operations; its records can be
// deleted, and it can be installed again.
//
// Not thread-safe. What it returns lives as long as the table.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adt/adt.h"

namespace claret::composed {

class ComposedType;

inline constexpr std::uint8_t kFirstComposedId = 128;
inline constexpr std::uint8_t kLastComposedId = 247;

// As the log, checkpoints and gateways have it.
struct InstalledType {
  std::uint8_t id = 0;
  bool retired = false;
  std::string definition;  // JSON text

  bool operator==(const InstalledType&) const = default;
};

class TypeTable {
 public:
  TypeTable();
  ~TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  // Null if there is none.
  const DataType* find(std::uint32_t id) const;
  const DataType* find(std::string_view name) const;
  // The type refuses its operations.
  bool is_retired(const DataType& type) const;

  // Absent, or why it cannot be installed.
  std::optional<std::string> problem(const InstalledType& wanted) const;
  // Nothing would change.
  bool has(const InstalledType& wanted) const;
  // The change replaces a version: parties that hold or await its operations have to be gone first.
  bool replaces(const InstalledType& wanted) const;
  // The change gives records another form: nothing that was executed before may be undone or committed after it. REQUIRES: there is no problem.
  bool migrates(const InstalledType& wanted) const;
  // REQUIRES: there is no problem.
  void install(const InstalledType& wanted);

  std::vector<InstalledType> installed() const;  // in order of id
  std::vector<const DataType*> in_use() const;  // those that are installed and not retired, in order of id
  bool any() const { return !types_.empty(); }

 private:
  struct Entry;

  std::map<std::uint8_t, Entry> types_;
};

}  // namespace claret::composed
