// CLIENT and its subcommands.
#include <algorithm>
#include <string>
#include <utility>

#include "resp/numbers.h"
#include "resp/own_commands.h"

namespace claret::resp {

namespace {

// Letters for what is special about a connection.
std::string flags_of(const ClientState& client, const TransactionQueue& queue, bool waits) {
  std::string flags;
  if (queue.open()) flags.push_back('x');
  if (waits) flags.push_back('b');
  if (client.reads_only) flags.push_back('r');
  if (client.never_evicted) flags.push_back('e');
  if (client.never_touches) flags.push_back('T');
  return flags.empty() ? "N" : flags;
}

class Line {
 public:
  Line& add(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_.push_back(' ');
    text_.append(name).append("=").append(value);
    return *this;
  }
  Line& add(std::string_view name, std::uint64_t value) { return add(name, std::to_string(value)); }
  std::string end() { return std::move(text_.append("\n")); }

 private:
  std::string text_;
};

std::uint64_t seconds_between(std::uint64_t from_us, std::uint64_t to_us) { return to_us < from_us ? 0 : (to_us - from_us) / 1'000'000; }

}  // namespace

// The fields of Redis 7.0 and those that CLIENT SETINFO fills. What has no meaning here is 0.
std::string Connection::describe() {
  const std::uint64_t now = backend_.now_us();
  Line line;
  line.add("id", client_.id).add("addr", client_.address).add("laddr", client_.local_address).add("fd", 0);
  line.add("name", client_.name)
      .add("age", seconds_between(client_.connected_us, now))
      .add("idle", seconds_between(client_.active_us, now));
  line.add("flags", flags_of(client_, queue_, waits_)).add("db", 0).add("sub", 0).add("psub", 0).add("ssub", 0);
  line.add("multi", queue_.open() ? std::to_string(queue_.commands().size()) : "-1");
  line.add("qbuf", parser_.unparsed()).add("qbuf-free", 0).add("argv-mem", 0).add("multi-mem", queue_.bytes()).add("rbs", 0).add("rbp", 0);
  line.add("obl", output_.size()).add("oll", 0).add("omem", 0).add("tot-mem", parser_.unparsed() + output_.size() + queue_.bytes());
  line.add("events", "r").add("cmd", client_.last_command.empty() ? "NULL" : client_.last_command);
  line.add("user", "default").add("redir", "-1").add("resp", static_cast<std::uint64_t>(reply_.protocol()));
  line.add("lib-name", client_.library_name).add("lib-ver", client_.library_version);
  return line.end();
}

namespace own {

namespace {

// Visible characters of ASCII only, so that the lines of CLIENT LIST can be taken apart.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char letter) { return '!' <= letter && letter <= '~'; });
}

// Answers a switch: ON, OFF, or an error.
void turn(Connection& connection, std::string_view to, bool& setting) {
  if (!same_name(to, "on") && !same_name(to, "off")) return connection.reply().error(kSyntaxError);
  setting = same_name(to, "on");
  connection.reply().ok();
}

// The lines of `lines` that describe one of these clients.
std::string only_of(std::string_view lines, Arguments ids) {
  std::string found;
  for (const auto id : ids) {
    const std::string begin = std::string("id=").append(id).append(" ");
    for (std::string_view rest = lines; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n') + 1);
      if (line.starts_with(begin)) found.append(line);
      rest.remove_prefix(line.empty() ? rest.size() : line.size());
    }
  }
  return found;
}

}  // namespace

bool name_client(Connection& connection, std::string_view name) {
  if (!is_plain(name)) {
    connection.reply().error("ERR Client names cannot contain spaces, newlines or special characters.");
    return false;
  }
  connection.client().name = name;
  return true;
}

void client_id(Connection& connection, Arguments) { connection.reply().integer(static_cast<std::int64_t>(connection.client().id)); }

void client_getname(Connection& connection, Arguments) {
  const std::string& name = connection.client().name;
  if (name.empty()) return connection.reply().null();
  connection.reply().bulk(name);
}

void client_setname(Connection& connection, Arguments arguments) {
  if (name_client(connection, arguments[2])) connection.reply().ok();
}

void client_setinfo(Connection& connection, Arguments arguments) {
  ClientState& client = connection.client();
  const bool library = same_name(arguments[2], "lib-name");
  if (!library && !same_name(arguments[2], "lib-ver")) {
    const std::string_view option = arguments[2].substr(0, arguments[2].find('\0'));
    return connection.reply().error(std::string("ERR Unrecognized option '").append(option).append("'"));
  }
  if (!is_plain(arguments[3])) {
    const std::string_view name = library ? "lib-name" : "lib-ver";
    return connection.reply().error(std::string("ERR ").append(name).append(" cannot contain spaces, newlines or special characters."));
  }
  (library ? client.library_name : client.library_version) = arguments[3];
  connection.reply().ok();
}

void client_info(Connection& connection, Arguments) { connection.reply().verbatim("txt", connection.describe()); }

void client_list(Connection& connection, Arguments arguments) {
  ReplyWriter& reply = connection.reply();
  if (arguments.size() == 2) return reply.verbatim("txt", connection.backend().clients(connection));
  if (arguments.size() == 4 && same_name(arguments[2], "type")) {
    if (same_name(arguments[3], "normal")) return reply.verbatim("txt", connection.backend().clients(connection));
    for (const auto other : {"master", "replica", "slave", "pubsub"}) {
      if (same_name(arguments[3], other)) return reply.verbatim("txt", "");
    }
    const std::string_view type = arguments[3].substr(0, arguments[3].find('\0'));
    return reply.error(std::string("ERR Unknown client type '").append(type).append("'"));
  }
  if (arguments.size() < 4 || !same_name(arguments[2], "id")) return reply.error(kSyntaxError);
  const Arguments ids = arguments.subspan(3);
  if (!std::all_of(ids.begin(), ids.end(), [](std::string_view id) { return parse_integer(id).has_value(); })) {
    return reply.error("ERR Invalid client ID");
  }
  reply.verbatim("txt", only_of(connection.backend().clients(connection), ids));
}

void client_no_evict(Connection& connection, Arguments arguments) { turn(connection, arguments[2], connection.client().never_evicted); }

void client_no_touch(Connection& connection, Arguments arguments) { turn(connection, arguments[2], connection.client().never_touches); }

void client_reply(Connection& connection, Arguments arguments) {
  if (same_name(arguments[2], "on")) {
    connection.set_replies(ReplyMode::kOn);
    connection.reply().ok();
  } else if (same_name(arguments[2], "off")) {
    connection.set_replies(ReplyMode::kOff);
  } else if (!same_name(arguments[2], "skip")) {
    connection.reply().error(kSyntaxError);
  } else if (connection.client().replies != ReplyMode::kOff) {
    connection.set_replies(ReplyMode::kSkipNext);
  }
}

void client_unblock(Connection& connection, Arguments arguments) {
  ReplyWriter& reply = connection.reply();
  const auto client = parse_integer(arguments[2]);
  bool with_error = false;
  if (arguments.size() == 4) {
    with_error = same_name(arguments[3], "error");
    if (!with_error && !same_name(arguments[3], "timeout")) return reply.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
  }
  if (arguments.size() > 4) return reply.error("ERR wrong number of arguments for 'client|unblock' command");
  if (!client) return reply.error(kNotAnInteger);
  reply.integer(connection.backend().unblock(static_cast<std::uint64_t>(*client), with_error));
}

void client_help(Connection& connection, Arguments) {
  help(connection, "CLIENT",
       {"GETNAME", "    The name of this connection.", "ID", "    The number of this connection.", "INFO",
        "    What is known of this connection.", "LIST [TYPE <type> | ID <id> ...]", "    What is known of connections, each in a line.",
        "NO-EVICT (ON|OFF)", "    Has no effect: connections are not closed for want of memory.", "NO-TOUCH (ON|OFF)",
        "    Has no effect: the age of keys is not kept.", "REPLY (ON|OFF|SKIP)", "    Switches replies on or off, or drops the next one.",
        "SETINFO (LIB-NAME|LIB-VER) <text>", "    Tells the library of this client, or its version.", "SETNAME <name>",
        "    Names this connection."});
}

}  // namespace own

}  // namespace claret::resp
