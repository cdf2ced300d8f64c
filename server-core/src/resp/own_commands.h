// What runs the protocol's own commands. Each writes its whole reply, unless the backend does so later (EXEC, WATCH).
// REQUIRES: the number of arguments is what the table says.
#pragma once

#include <initializer_list>
#include <string_view>

#include "resp/arguments.h"
#include "resp/connection.h"

namespace claret::resp::own {

// authentication.cc
void hello(Connection& connection, Arguments arguments);
void auth(Connection& connection, Arguments arguments);
void quit(Connection& connection, Arguments arguments);
void reset(Connection& connection, Arguments arguments);

// server_commands.cc
void ping(Connection& connection, Arguments arguments);
void echo(Connection& connection, Arguments arguments);
void select(Connection& connection, Arguments arguments);
void time(Connection& connection, Arguments arguments);
void dbsize(Connection& connection, Arguments arguments);
void wait(Connection& connection, Arguments arguments);
void info(Connection& connection, Arguments arguments);
void config_get(Connection& connection, Arguments arguments);
void config_set(Connection& connection, Arguments arguments);
void config_resetstat(Connection& connection, Arguments arguments);
void function_flush(Connection& connection, Arguments arguments);
void config_help(Connection& connection, Arguments arguments);

// client_commands.cc
void client_id(Connection& connection, Arguments arguments);
void client_getname(Connection& connection, Arguments arguments);
void client_setname(Connection& connection, Arguments arguments);
void client_setinfo(Connection& connection, Arguments arguments);
void client_info(Connection& connection, Arguments arguments);
void client_list(Connection& connection, Arguments arguments);
void client_no_evict(Connection& connection, Arguments arguments);
void client_no_touch(Connection& connection, Arguments arguments);
void client_reply(Connection& connection, Arguments arguments);
void client_unblock(Connection& connection, Arguments arguments);
void client_help(Connection& connection, Arguments arguments);
// Sets the name. False if it is not one; then the error has been answered.
bool name_client(Connection& connection, std::string_view name);

// command_commands.cc
void command(Connection& connection, Arguments arguments);
void command_count(Connection& connection, Arguments arguments);
void command_list(Connection& connection, Arguments arguments);
void command_info(Connection& connection, Arguments arguments);
void command_docs(Connection& connection, Arguments arguments);
void command_getkeys(Connection& connection, Arguments arguments);
void command_getkeysandflags(Connection& connection, Arguments arguments);
void command_help(Connection& connection, Arguments arguments);

// cluster_commands.cc
void cluster_info(Connection& connection, Arguments arguments);
void cluster_nodes(Connection& connection, Arguments arguments);
void cluster_slots(Connection& connection, Arguments arguments);
void cluster_shards(Connection& connection, Arguments arguments);
void cluster_myid(Connection& connection, Arguments arguments);
void cluster_keyslot(Connection& connection, Arguments arguments);
void cluster_countkeysinslot(Connection& connection, Arguments arguments);
void cluster_help(Connection& connection, Arguments arguments);
void readonly(Connection& connection, Arguments arguments);
void readwrite(Connection& connection, Arguments arguments);
void asking(Connection& connection, Arguments arguments);

// transaction_commands.cc
void multi(Connection& connection, Arguments arguments);
void exec(Connection& connection, Arguments arguments);
void discard(Connection& connection, Arguments arguments);
void watch(Connection& connection, Arguments arguments);
void unwatch(Connection& connection, Arguments arguments);

// The reply of a HELP: what the container is, and then lines about its subcommands. A line that is indented explains the one above.
void help(Connection& connection, std::string_view container, std::initializer_list<std::string_view> lines);

}  // namespace claret::resp::own
