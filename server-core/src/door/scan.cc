// The door, continued: SCAN and KEYS. A cursor is the slot at which the next call begins, so that no call is forgotten or needs memory here:
// what is there during a whole iteration is told once, whatever comes and goes meanwhile.
#include <charconv>
#include <optional>

#include "adt/commands.h"
#include "door/door.h"
#include "resp/glob.h"
#include "resp/numbers.h"
#include "resp/request_writer.h"

namespace claret {

namespace {

constexpr std::size_t kUsualCount = 10;
constexpr std::size_t kLookedAtMax =
    1000;  // records, unless COUNT is greater: then SCAN answers with what it has found, and goes on at the next slot

struct ScanOptions {
  std::string_view pattern = "*";
  std::string_view type;
  std::size_t count = kUsualCount;
};

// Nothing: they are wrong, and *error is set.
std::optional<ScanOptions> options_of(resp::Arguments arguments, std::string_view* error) {
  ScanOptions options;
  *error = resp::kSyntaxError;
  for (std::size_t place = 2; place < arguments.size(); place += 2) {
    if (place + 1 == arguments.size()) return std::nullopt;
    const std::string_view value = arguments[place + 1];
    if (resp::same_name(arguments[place], "match")) {
      options.pattern = value;
    } else if (resp::same_name(arguments[place], "type")) {
      options.type = value;
    } else if (resp::same_name(arguments[place], "count")) {
      const auto count = resp::parse_integer(value);
      if (!count) *error = resp::kNotAnInteger;
      if (!count || *count < 1) return std::nullopt;
      options.count = static_cast<std::size_t>(*count);
    } else {
      return std::nullopt;
    }
  }
  return options;
}

std::optional<std::uint32_t> slot_of_cursor(std::string_view text) {
  std::uint32_t slot = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), slot);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::min(slot, kSlots);
}

}  // namespace

std::vector<std::string> Door::keys_of(std::uint32_t slot, std::string_view pattern, std::string_view type) const {
  std::vector<std::string> found;
  for (const Record* record = shard_.records.newest_in(slot); record != nullptr; record = record->next_in_slot) {
    const bool is_over = record->expires_at_ms != 0 && static_cast<double>(record->expires_at_ms) <= shard_.clock.wall_ms();
    if (is_over || is_vacant(*record) || !resp::glob_matches(pattern, record->key)) continue;
    if (!type.empty() && !resp::same_name(type, record->type->redis_type())) continue;
    found.push_back(record->key);
  }
  return found;
}

resp::Backend::Ran Door::scan(DoorSession& session, resp::Arguments arguments) {
  resp::ReplyWriter& reply = session.connection.reply();
  std::string_view error = "ERR invalid cursor";
  const std::optional<std::uint32_t> cursor = slot_of_cursor(arguments[1]);
  const std::optional<ScanOptions> options = cursor ? options_of(arguments, &error) : std::nullopt;
  if (!options) return reply.error(error), Ran::kReplied;
  if (options->pattern.size() > resp::kPatternBytesMax) return reply.error(resp::kPatternTooLong), Ran::kReplied;
  shard_.natives.depend_on_all();
  std::vector<std::string> found;
  std::size_t looked_at = 0;
  std::uint32_t slot = *cursor;
  for (; slot < kSlots && found.size() < options->count && looked_at < std::max(options->count, kLookedAtMax); ++slot) {
    if (shard_.slots.owns(slot)) {
      looked_at += shard_.records.count_in(slot);
      for (std::string& key : keys_of(slot, options->pattern, options->type)) found.push_back(std::move(key));
      continue;
    }
    if (options_.redirect && !session.forwarded) continue;  // its client asks each node
    const bool is_first = slot == *cursor;
    const std::int16_t node = node_of_slot_.empty() ? std::int16_t{-1} : node_of_slot_[slot];
    const bool is_known = node >= 0 && static_cast<std::size_t>(node) != view_.own && view_.nodes[static_cast<std::size_t>(node)].port != 0;
    if (is_first && (session.forwarded || !is_known)) {
      return reply.error("TRYAGAIN The slot has no shard with a Redis door at present"), Ran::kReplied;
    }
    if (!found.empty() || !is_first) break;
    std::string request;
    resp::append_request(request, arguments);
    return send_on(session, {.place = At::kElsewhere, .node = static_cast<std::size_t>(node), .slot = slot}, request, 0, false);
  }
  reply.array(2);
  reply.bulk(std::to_string(slot < kSlots ? slot : 0));
  reply.array(found.size());
  for (const std::string& key : found) reply.bulk(key);
  return Ran::kReplied;
}

void Door::keys(DoorSession& session, resp::Arguments arguments) {
  resp::ReplyWriter& reply = session.connection.reply();
  if (view_.nodes.size() > 1 && !options_.redirect) return reply.error("ERR KEYS would have to ask all shards: use SCAN");
  if (arguments[1].size() > resp::kPatternBytesMax) return reply.error(resp::kPatternTooLong);
  shard_.natives.depend_on_all();
  std::vector<std::string> found;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    for (std::string& key : keys_of(slot, arguments[1], {})) found.push_back(std::move(key));
  }
  reply.array(found.size());
  for (const std::string& key : found) reply.bulk(key);
}

}  // namespace claret
