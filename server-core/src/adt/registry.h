// The list of all data types. Adding a type takes one .cc file and one line in registry.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "adt/adt.h"

namespace claret {

// In order of id.
std::span<const DataType* const> all_types();

// Null when there is none.
const DataType* find_type(std::uint8_t id);
const DataType* find_type(std::string_view name);

// Everything a client, a document or a page needs to know about the types, as JSON:
//   {"types": [{"id", "name", "meaning", "modes": [{"name", "meaning"}],
//               "operations": [{"id", "code", "name", "meaning", "class", "mode", "result",
//                               "reserves", "fresh", "parameters": [{"name", "kind", "meaning"}]}],
//               "rules": [{"first", "second", "ruling", "when"}],
//                                            ruling: "always" | "never" | "depends" | "summed"; when: the same in words
//               "relations": [[...]],       relations[i][j]: "always" | "never" | "depends", by mode number
//               "commands": [{"name", "arity", "writes", "group", "meaning"}]}],
//                                            of Redis: arity counts the name, -n means n or more
//                                            "installed": true of those of `installed`, which come last; left out of built-in ones
//    "record": the same for `of_records`, the operations that every record has; left out if null}
std::string catalogue_json(const DataType* of_records = nullptr, std::span<const DataType* const> installed = {});

}  // namespace claret
