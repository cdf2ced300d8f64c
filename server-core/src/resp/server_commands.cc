// PING, ECHO, SELECT, TIME, DBSIZE, WAIT, INFO, CONFIG and FUNCTION.
#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "resp/glob.h"
#include "resp/numbers.h"
#include "resp/own_commands.h"

namespace claret::resp::own {

void ping(Connection& connection, Arguments arguments) {
  ReplyWriter& reply = connection.reply();
  if (arguments.size() > 2) return reply.error("ERR wrong number of arguments for 'ping' command");
  if (arguments.size() == 2) return reply.bulk(arguments[1]);
  reply.simple("PONG");
}

void echo(Connection& connection, Arguments arguments) { connection.reply().bulk(arguments[1]); }

void select(Connection& connection, Arguments arguments) {
  ReplyWriter& reply = connection.reply();
  const auto database = parse_integer(arguments[1]);
  if (!database) return reply.error(kNotAnInteger);
  if (*database < std::numeric_limits<std::int32_t>::min() || *database > std::numeric_limits<std::int32_t>::max()) {
    return reply.error("ERR value is out of range, value must between -2147483648 and 2147483647");
  }
  connection.client().asked_database = *database;
  if (*database == 0) return reply.ok();
  reply.error(connection.backend().cluster() == nullptr ? "ERR DB index is out of range" : "ERR SELECT is not allowed in cluster mode");
}

void time(Connection& connection, Arguments) {
  const auto now = static_cast<std::int64_t>(connection.backend().now_us());
  connection.reply().array(2);
  connection.reply().bulk_integer(now / 1'000'000);
  connection.reply().bulk_integer(now % 1'000'000);
}

void dbsize(Connection& connection, Arguments) { connection.reply().integer(connection.backend().keys()); }

// Never waits: there is no replica that could come up.
void wait(Connection& connection, Arguments arguments) {
  ReplyWriter& reply = connection.reply();
  const auto timeout = parse_integer(arguments[2]);
  if (!parse_integer(arguments[1])) return reply.error(kNotAnInteger);
  if (!timeout) return reply.error("ERR timeout is not an integer or out of range");
  if (*timeout < 0) return reply.error("ERR timeout is negative");
  reply.integer(0);
}

void info(Connection& connection, Arguments arguments) {
  connection.reply().verbatim("txt", connection.backend().info(arguments.subspan(1)));
}

void config_get(Connection& connection, Arguments arguments) {
  const Arguments patterns = arguments.subspan(2);
  const auto configuration = connection.backend().configuration();
  std::vector<std::pair<std::string_view, std::string_view>> found;
  for (const auto& [name, value] : configuration) {
    for (const auto pattern : patterns) {
      if (same_name(pattern, name)) {
        found.emplace_back(pattern, value);  // written as it was asked for
      } else if (glob_matches(pattern, name, Letters::kCaseless)) {
        found.emplace_back(name, value);
      } else {
        continue;
      }
      break;
    }
  }
  connection.reply().map(found.size());
  for (const auto& [name, value] : found) {
    connection.reply().bulk(name);
    connection.reply().bulk(value);
  }
}

// Parameters about how Redis lays out memory and saves it. Clients and test suites set them, and nothing here depends on them.
constexpr std::string_view kWithoutEffect[] = {"*-max-*-entries",    "*-max-*-value",        "*-max-*-size", "*-compress-depth",
                                               "*-max-sparse-bytes", "*-max-bytes",          "maxmemory",    "save",
                                               "proto-max-bulk-len", "*-query-buffer-limit", "lfu-*",        "maxmemory-policy",
                                               "lazyfree-*"};

void config_set(Connection& connection, Arguments arguments) {
  ReplyWriter& reply = connection.reply();
  const Arguments pairs = arguments.subspan(2);
  if (pairs.size() % 2 != 0) return reply.error("ERR wrong number of arguments for 'config|set' command");
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const auto is_like = [&](std::string_view pattern) { return glob_matches(pattern, pairs[i], Letters::kCaseless); };
    if (std::any_of(std::begin(kWithoutEffect), std::end(kWithoutEffect), is_like)) continue;
    return reply.error(std::string("ERR the parameter '").append(pairs[i]).append("' cannot be changed here"));
  }
  reply.ok();
}

void config_resetstat(Connection& connection, Arguments) { connection.reply().ok(); }

void function_flush(Connection& connection, Arguments) { connection.reply().ok(); }

void config_help(Connection& connection, Arguments) {
  help(connection, "CONFIG", {"GET <pattern> ...", "    The parameters whose names match a pattern, with their values."});
}

void help(Connection& connection, std::string_view container, std::initializer_list<std::string_view> lines) {
  ReplyWriter& reply = connection.reply();
  reply.array(lines.size() + 3);
  reply.simple(std::string(container).append(" <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"));
  for (const auto line : lines) reply.simple(line);
  reply.simple("HELP");
  reply.simple("    Prints this help.");
}

}  // namespace claret::resp::own
