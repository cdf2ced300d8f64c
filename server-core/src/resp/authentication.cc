// HELLO, AUTH, RESET and QUIT.
#include <string>

#include "resp/numbers.h"
#include "resp/own_commands.h"

namespace claret::resp::own {

namespace {

constexpr std::string_view kDefaultUser = "default";
constexpr std::string_view kWrongPassword = "WRONGPASS invalid username-password pair or user is disabled.";

// Without a password, the default user is let in with any.
bool authenticate(Connection& connection, std::string_view user, std::string_view password) {
  Backend& backend = connection.backend();
  if (backend.has_password() ? !backend.accepts(user, password) : user != kDefaultUser) {
    connection.reply().error(kWrongPassword);
    return false;
  }
  connection.set_authenticated(true);
  return true;
}

// Follows the options of HELLO. False if one is wrong; then the error has been answered.
bool follow_options(Connection& connection, Arguments options) {
  while (!options.empty()) {
    const std::string_view option = options[0];
    if (same_name(option, "auth") && options.size() >= 3) {
      if (!authenticate(connection, options[1], options[2])) return false;
      options = options.subspan(3);
    } else if (same_name(option, "setname") && options.size() >= 2) {
      if (!name_client(connection, options[1])) return false;
      options = options.subspan(2);
    } else {
      const std::string_view shown = option.substr(0, option.find('\0'));
      connection.reply().error(std::string("ERR Syntax error in HELLO option '").append(shown).append("'"));
      return false;
    }
  }
  return true;
}

void introduce(Connection& connection) {
  ReplyWriter& reply = connection.reply();
  reply.map(7);
  // Clients look for this name.
  reply.bulk("server");
  reply.bulk("redis");
  reply.bulk("version");
  reply.bulk(connection.options().version);
  reply.bulk("proto");
  reply.integer(reply.protocol());
  reply.bulk("id");
  reply.integer(static_cast<std::int64_t>(connection.client().id));
  reply.bulk("mode");
  reply.bulk(connection.backend().cluster() == nullptr ? "standalone" : "cluster");
  reply.bulk("role");
  reply.bulk("master");
  reply.bulk("modules");
  reply.array(0);
}

}  // namespace

void hello(Connection& connection, Arguments arguments) {
  ReplyWriter& reply = connection.reply();
  int version = reply.protocol();
  if (arguments.size() > 1) {
    const auto wanted = parse_integer(arguments[1]);
    if (!wanted) return reply.error("ERR Protocol version is not an integer or out of range");
    if (*wanted != 2 && *wanted != 3) return reply.error("NOPROTO unsupported protocol version");
    version = static_cast<int>(*wanted);
    if (!follow_options(connection, arguments.subspan(2))) return;
  }
  if (!connection.authenticated()) {
    return reply.error(
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to "
        "authenticate the client and select the RESP protocol version at the same time");
  }
  reply.speak(version);
  introduce(connection);
}

void auth(Connection& connection, Arguments arguments) {
  ReplyWriter& reply = connection.reply();
  if (arguments.size() > 3) return reply.error(kSyntaxError);
  const bool named = arguments.size() == 3;
  if (!named && !connection.backend().has_password()) {
    return reply.error(
        "ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?");
  }
  if (authenticate(connection, named ? arguments[1] : kDefaultUser, arguments[named ? 2 : 1])) reply.ok();
}

void quit(Connection& connection, Arguments) {
  connection.reply().ok();
  connection.close();
}

void reset(Connection& connection, Arguments) {
  connection.reset();
  connection.reply().simple("RESET");
}

}  // namespace claret::resp::own
