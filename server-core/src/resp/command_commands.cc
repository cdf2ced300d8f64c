// COMMAND and its subcommands.
#include <string>
#include <vector>

#include "resp/command_details.h"
#include "resp/command_keys.h"
#include "resp/glob.h"
#include "resp/own_commands.h"

namespace claret::resp::own {

namespace {

void write_all_details(Connection& connection) {
  const CommandTable& table = connection.table();
  connection.reply().array(table.containers_and_commands());
  for (const auto& entry : table.entries()) {
    if (!table.is_subcommand(entry)) write_details(connection.reply(), table, entry);
  }
}

enum class KeysWith : bool { kNothing, kUse };

void write_keys(Connection& connection, Arguments arguments, KeysWith with) {
  ReplyWriter& reply = connection.reply();
  const auto* entry = connection.table().find(arguments);
  if (entry == nullptr) return reply.error("ERR Invalid command specified");
  const CommandSpec& spec = *entry->spec;
  if (!has_keys(spec)) return reply.error("ERR The command has no key arguments");
  if (!spec.takes(arguments.size())) return reply.error("ERR Invalid number of arguments specified for command");
  const auto keys = CommandKeys::of(spec, arguments);
  if (!keys && spec.has(CommandFlag::kNoMandatoryKeys)) return reply.array(0);
  if (!keys) return reply.error("ERR Invalid arguments specified for command");
  reply.array(keys->size());
  for (std::size_t n = 0; n < keys->size(); ++n) {
    if (with == KeysWith::kUse) reply.array(2);
    reply.bulk(arguments[keys->place(n)]);
    if (with == KeysWith::kUse) write_key_use(reply, spec, keys->is_counted(n));
  }
}

}  // namespace

void command(Connection& connection, Arguments) { write_all_details(connection); }

void command_count(Connection& connection, Arguments) {
  connection.reply().integer(static_cast<std::int64_t>(connection.table().containers_and_commands()));
}

void command_list(Connection& connection, Arguments arguments) {
  ReplyWriter& reply = connection.reply();
  if (arguments.size() != 2 && (arguments.size() != 5 || !same_name(arguments[2], "filterby"))) return reply.error(kSyntaxError);
  const bool by_category = arguments.size() == 5 && same_name(arguments[3], "aclcat");
  const bool by_pattern = arguments.size() == 5 && same_name(arguments[3], "pattern");
  const bool by_module = arguments.size() == 5 && same_name(arguments[3], "module");  // there are none
  if (arguments.size() == 5 && !by_category && !by_pattern && !by_module) return reply.error(kSyntaxError);
  std::vector<std::string_view> names;
  for (const auto& entry : connection.table().entries()) {
    if (by_module || (by_category && !is_in_category(*entry.spec, arguments[4]))) continue;
    if (by_pattern && !glob_matches(arguments[4], entry.spec->name, Letters::kCaseless)) continue;
    names.push_back(entry.spec->name);
  }
  reply.array(names.size());
  for (const auto name : names) reply.bulk(name);
}

void command_info(Connection& connection, Arguments arguments) {
  if (arguments.size() == 2) return write_all_details(connection);
  connection.reply().array(arguments.size() - 2);
  for (const auto name : arguments.subspan(2)) {
    const auto* entry = connection.table().find_named(name);
    if (entry == nullptr) {
      connection.reply().null();
    } else {
      write_details(connection.reply(), connection.table(), *entry);
    }
  }
}

void command_docs(Connection& connection, Arguments arguments) {
  const CommandTable& table = connection.table();
  std::vector<const CommandTable::Entry*> entries;
  for (const auto name : arguments.subspan(2)) {
    if (const auto* entry = table.find_named(name)) entries.push_back(entry);
  }
  for (const auto& entry : table.entries()) {
    if (arguments.size() == 2 && !table.is_subcommand(entry)) entries.push_back(&entry);
  }
  connection.reply().map(entries.size());
  for (const auto* entry : entries) write_docs(connection.reply(), table, *entry);
}

void command_getkeys(Connection& connection, Arguments arguments) { write_keys(connection, arguments.subspan(2), KeysWith::kNothing); }

void command_getkeysandflags(Connection& connection, Arguments arguments) { write_keys(connection, arguments.subspan(2), KeysWith::kUse); }

void command_help(Connection& connection, Arguments) {
  help(connection, "COMMAND",
       {"(no subcommand)", "    What is known of all commands.", "COUNT", "    How many commands there are.",
        "LIST [FILTERBY MODULE <name>|ACLCAT <category>|PATTERN <pattern>]", "    The names of commands.", "INFO [<command> ...]",
        "    What is known of these commands, or of all.", "DOCS [<command> ...]", "    Words about these commands, or about all.",
        "GETKEYS <command> <argument> ...", "    The keys among the words of a command.", "GETKEYSANDFLAGS <command> <argument> ...",
        "    The same, with what is done to each."});
}

}  // namespace claret::resp::own
