// The commands of the Redis door, type by type: each function is defined in the type's *_commands.cc. Beside them, what these files share to
// write down their commands.
#pragma once

#include <span>
#include <string_view>

#include "adt/adt.h"
#include "adt/commands.h"
#include "resp/command.h"

namespace claret {

std::span<const resp::CommandSpec> register_commands();
std::span<const resp::CommandSpec> dict_commands();
std::span<const resp::CommandSpec> set_commands();
std::span<const resp::CommandSpec> scored_set_commands();
std::span<const resp::CommandSpec> hyper_log_log_commands();
std::span<const resp::CommandSpec> list_commands();

// The types whose operations the commands are translated into.
const DataType& register_type();
const DataType& counter_type();
const DataType& dict_type();
const DataType& set_type();
const DataType& scored_set_type();
const DataType& hyper_log_log_type();
const DataType& list_type();

// ---- specs

namespace command_spec {

using Flags = resp::FewOf<resp::CommandFlag>;
inline constexpr Flags kRead{resp::CommandFlag::kReadonly};
inline constexpr Flags kFastRead{resp::CommandFlag::kReadonly, resp::CommandFlag::kFast};
// Changes that need no memory, and changes that may.
inline constexpr Flags kWrite{resp::CommandFlag::kWrite};
inline constexpr Flags kFastWrite{resp::CommandFlag::kWrite, resp::CommandFlag::kFast};
inline constexpr Flags kGrow{resp::CommandFlag::kWrite, resp::CommandFlag::kDenyoom};
inline constexpr Flags kFastGrow{resp::CommandFlag::kWrite, resp::CommandFlag::kDenyoom, resp::CommandFlag::kFast};

inline constexpr std::string_view kTipsUnordered[] = {"nondeterministic_output_order"};
inline constexpr std::string_view kTipsVarying[] = {"nondeterministic_output"};

// The commands of one group.
struct Group {
  std::string_view name;
  resp::CommandCategory category;

  // A command whose only key stands right behind its name.
  constexpr resp::CommandSpec operator()(std::string_view command, int arity, Flags flags, std::string_view key_use, std::string_view since,
                                         const CommandRunner& runner, std::string_view summary) const {
    return {.name = command,
            .arity = arity,
            .flags = flags,
            .categories = {category},
            .first_key = 1,
            .last_key = 1,
            .key_step = 1,
            .key_use = key_use,
            .summary = summary,
            .since = since,
            .group = name,
            .runner = &runner};
  }
};

// The same command with other keys: up to the last one, `step` apart.
constexpr resp::CommandSpec with_keys(resp::CommandSpec spec, int last, int step = 1) {
  spec.last_key = last;
  spec.key_step = step;
  return spec;
}

// The same command with keys that an argument counts.
constexpr resp::CommandSpec with_counted_keys(resp::CommandSpec spec, int count_at) {
  spec.first_key = spec.last_key = spec.key_step = 0;
  spec.key_count_at = count_at;
  spec.counted_key_use = spec.key_use;
  return spec;
}

constexpr resp::CommandSpec with_tips(resp::CommandSpec spec, std::span<const std::string_view> tips) {
  spec.tips = tips;
  return spec;
}

}  // namespace command_spec

}  // namespace claret
