#include "resp/command_keys.h"

#include <algorithm>

#include "resp/numbers.h"

namespace claret::resp {

std::optional<CommandKeys> CommandKeys::of(const CommandSpec& spec, Arguments arguments) {
  CommandKeys keys;
  const auto size = static_cast<std::int64_t>(arguments.size());
  if (spec.first_key > 0) {
    const std::int64_t last = std::min(spec.last_key < 0 ? size + spec.last_key : spec.last_key, size - 1);
    const std::int64_t step = std::max(spec.key_step, 1);
    keys.first_ = static_cast<std::size_t>(spec.first_key);
    keys.step_ = static_cast<std::size_t>(step);
    if (last >= spec.first_key) keys.placed_ = static_cast<std::size_t>((last - spec.first_key) / step + 1);
  }
  if (spec.key_count_at > 0) {
    const auto at = static_cast<std::size_t>(spec.key_count_at);
    const auto count = at < arguments.size() ? parse_integer(arguments[at]) : std::nullopt;
    if (!count || *count < 1 || *count > size - spec.key_count_at - 1) return std::nullopt;
    keys.counted_from_ = at + 1;
    keys.counted_ = static_cast<std::size_t>(*count);
  }
  return keys;
}

}  // namespace claret::resp
