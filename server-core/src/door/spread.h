// A command, or those of EXEC, with keys on several shards. They are run as one transaction, by a client that asks for one operation after
// another: the commands are run from their start with the results known so far, until one is missing. So each run has to ask for the same.
//
// A transaction does not read its own writes. What needs a record that an earlier operation of it has changed fails, unless the operation
// overwrites and answers nothing. An operation that is refused ends the transaction, and with it all commands.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adt/commands.h"
#include "door/session.h"

namespace claret {

struct WantedOperation {
  std::string key;
  const DataType* type = nullptr;
  const OperationSpec* operation = nullptr;
  std::vector<Value> arguments;
};

class Spread {
 public:
  // REQUIRES: session.waiting holds the commands.
  Spread(DoorSession& session, std::int64_t now_ms);

  // A new attempt of the transaction: nothing is known yet.
  void restart() { results_.clear(); }
  // The result of the operation that was asked for last.
  void know(Value result) { results_.push_back(std::move(result)); }
  // Nothing: the reply is whole, and the transaction is to be committed. REQUIRES: the session has not left.
  std::optional<WantedOperation> step();

  DoorSession* session() { return session_; }
  void leave() { session_ = nullptr; }
  std::string_view reply() const { return reply_; }

 private:
  friend class SpreadRun;

  void run(const resp::CommandSpec& spec, resp::Arguments arguments);
  void run_own(const resp::QueuedCommand& command);

  DoorSession* session_;
  std::int64_t now_ms_;
  std::string reply_;
  resp::ReplyWriter writer_{reply_};
  std::vector<Value> results_;
  std::size_t place_ = 0;  // in results_
  // By key: the type of what this run has left there; null: nothing.
  std::map<std::string, const DataType*, std::less<>> changed_;
  std::optional<WantedOperation> wanted_;
};

}  // namespace claret
