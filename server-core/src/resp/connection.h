// One connection of a Redis client: takes chunks of bytes, runs the commands in them in order, and gathers their replies.
//
// The connection runs by itself what needs no data; for the rest, and for facts of the server, it asks its backend. While a command waits, nothing
// behind it runs, and the input is kept. It does no I/O: its caller reads and writes the socket, as follows.
//
//   - It reads only while wants_input() is true: not once the input behind a command that waits, or the output, has reached its limit.
//   - After take() and resume(), it writes what is in output() and erases it, and calls drained() once it has.
//   - Once closing() is true, it closes the socket as soon as output() is written. Nothing more is run.
//
// Not thread-safe. Deterministic: time comes from the backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resp/arguments.h"
#include "resp/backend.h"
#include "resp/client_state.h"
#include "resp/command_table.h"
#include "resp/reply_writer.h"
#include "resp/request_parser.h"
#include "resp/transaction_queue.h"

namespace claret::resp {

struct ConnectionLimits {
  RequestLimits requests;
  std::size_t kept_input = 1 << 20;  // bytes behind a command that waits, from which on nothing is to be read
  std::size_t output = 8 << 20;  // bytes not written yet, from which on no command is run
  std::size_t queued_commands = 16384;  // by MULTI
  std::size_t queued_bytes = 16 << 20;
  std::size_t watched_keys = 16384;
};

struct ConnectionOptions {
  std::uint64_t id = 1;  // of the client, unique in the server
  std::string address;
  std::string local_address;
  std::string version = "7.0.15";  // of Redis, as which the server behaves
  ConnectionLimits limits;
};

class Connection {
 public:
  // REQUIRES: the table and the backend outlive the connection.
  Connection(const CommandTable& table, Backend& backend, ConnectionOptions options);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // ---- for the owner of the socket

  // REQUIRES: no command is being run.
  void take(std::string_view chunk);
  bool wants_input() const;
  std::string& output() { return output_; }
  // Output was written: runs what had to wait for that.
  void drained() { work(); }
  // While held, nothing is run, and the input is kept: output that was taken from here has not been written yet.
  void hold(bool held) { held_ = held; }
  void limit_output(std::size_t bytes) { options_.limits.output = bytes; }
  bool closing() const { return closing_; }

  // ---- for the backend

  ReplyWriter& reply() { return reply_; }
  bool waits() const { return waits_; }
  // Whether replies are pending (Backend::Ran::kPending).
  bool pends() const { return pending_; }
  // The command that waited has its reply: runs the commands behind. REQUIRES: waits()
  void resume();
  // No reply is pending any more: runs what had to wait for that. REQUIRES: pends()
  void settle();
  // A reply may come later: it will be read.
  bool may_pend() const { return client_.replies == ReplyMode::kOn; }
  // Runs a queued command of the protocol's own. REQUIRES: command.own()
  void run_queued(const QueuedCommand& command);
  // Notes the version of a key for WATCH.
  void note(std::string_view key, std::uint64_t version) { queue_.watch(key, version); }
  // The line of CLIENT INFO.
  std::string describe();

  // ---- for the protocol's own commands

  Backend& backend() { return backend_; }
  const CommandTable& table() const { return table_; }
  const ConnectionOptions& options() const { return options_; }
  ClientState& client() { return client_; }
  TransactionQueue& queue() { return queue_; }
  bool authenticated() const { return authenticated_; }
  void set_authenticated(bool authenticated);
  void set_replies(ReplyMode mode);
  // The command at hand is answered by the backend.
  void await(Backend::Ran ran) {
    waits_ = ran == Backend::Ran::kWaits;
    pending_ = pending_ || ran == Backend::Ran::kPending;
  }
  // The state of a new connection, apart from its identity.
  void reset();
  void close() { closing_ = true; }

 private:
  void work();
  void run(Arguments arguments);
  // As CommandTable::find.
  const CommandTable::Entry* find(Arguments arguments, const CommandTable::Entry*& container);
  void run_entry(const CommandTable::Entry& entry, Arguments arguments);
  void enqueue(const CommandTable::Entry& entry, Arguments arguments);
  bool may_join(Arguments arguments);
  // What cannot be run before all pending replies have come: the command at hand, or an error of the parser.
  void defer(Arguments arguments);
  void run_deferred();
  // Answers with an error instead of running or queueing.
  void reject(const CommandSpec* spec, std::string_view error);
  void end_command();

  const CommandTable& table_;
  Backend& backend_;
  ConnectionOptions options_;
  ClientState client_;
  RequestParser parser_;
  std::string output_;
  ReplyWriter reply_{output_};
  TransactionQueue queue_;
  const CommandTable::Entry* last_entry_ = nullptr;  // of the last command but those with subcommands
  std::string last_name_;  // as it was written
  bool authenticated_ = false;
  bool waits_ = false;
  bool pending_ = false;
  bool held_ = false;
  bool defers_ = false;  // what waits does so for pending replies
  std::vector<std::string> deferred_;  // its arguments; empty: it is the parser's error
  bool executes_ = false;  // what waits is EXEC
  bool closing_ = false;
};

// ---- errors that several commands answer

inline constexpr std::string_view kSyntaxError = "ERR syntax error";
inline constexpr std::string_view kNotAnInteger = "ERR value is not an integer or out of range";

}  // namespace claret::resp
