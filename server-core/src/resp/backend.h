// What a connection needs of the server behind it: data, and facts about the server.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resp/arguments.h"
#include "resp/cluster_view.h"
#include "resp/command.h"
#include "resp/transaction_queue.h"

namespace claret::resp {

class Connection;

class Backend {
 public:
  enum class Ran {
    kReplied,  // the whole reply has been written
    kWaits,  // the reply comes later; no later command runs until then. Its writer calls Connection::resume().
    // The same, but later commands that join may be run. The backend keeps their replies back until this one has come. Once all have come,
    // Connection::settle() is called. Only if Connection::may_pend().
    kPending,
  };

  virtual ~Backend() = default;

  // ---- data. Each reply goes to connection.reply(). Arguments are valid during the call only. Not to be called back: Connection::resume().

  // Runs a command of the table that is not the protocol's own.
  virtual Ran run(Connection& connection, const CommandSpec& spec, Arguments arguments) = 0;

  // While replies are pending: whether the command can be run now, behind them.
  virtual bool joins(Connection&, const CommandSpec&, Arguments) { return false; }

  // Runs the commands of EXEC. The reply is an array of their replies, or a null array if a watched key has another version.
  // Connection::run_queued() writes the replies of the protocol's own commands. Commands and keys are valid until the reply is whole.
  virtual Ran execute(Connection& connection, std::span<const QueuedCommand> commands, const WatchedKeys& watched) = 0;

  // The version of a key that WATCH notes: another one whenever the key has changed.
  virtual std::uint64_t version(std::string_view key) = 0;

  // WATCH. A backend that has to ask elsewhere for versions replaces this: it notes each by Connection::note(), and then replies OK.
  virtual Ran watch(Connection& connection, Arguments keys);

  // Whether a command is refused before it runs or is queued; then it has been answered with an error, and a transaction fails.
  virtual bool refuses(Connection&, const CommandSpec&, Arguments) { return false; }

  // ---- the server

  virtual std::uint64_t now_us() = 0;  // since 1970
  virtual std::int64_t keys() = 0;  // DBSIZE
  // CONFIG GET: names in small letters, and values.
  virtual std::vector<std::pair<std::string, std::string>> configuration() = 0;
  // INFO: the text of the sections asked for; none: of the usual ones.
  virtual std::string info(Arguments sections) = 0;
  // CLIENT UNBLOCK: ends the wait of a command such as BLPOP, as if its time had passed, or with an error. False: there is no such wait.
  virtual bool unblock(std::uint64_t /*client*/, bool /*with_error*/) { return false; }
  // CLIENT LIST: a line of Connection::describe() for each. Those of one connection alone unless replaced.
  virtual std::string clients(Connection& asking);

  // Whether commands need authentication.
  virtual bool has_password() = 0;
  // Compares in a time that tells nothing about the password. The user of the short form of AUTH is "default".
  virtual bool accepts(std::string_view user, std::string_view password) = 0;

  // nullptr: no cluster, CLUSTER is answered with an error.
  virtual const ClusterView* cluster() { return nullptr; }
  virtual std::int64_t keys_in_slot(std::uint32_t) { return 0; }
};

}  // namespace claret::resp
