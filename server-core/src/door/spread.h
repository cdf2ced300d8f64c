// A command, or those of EXEC, with keys on several shards. They are run as one transaction by a client, which asks step by step for the
// operations whose results are missing: the commands are run from their start with the results known so far.
//
// A step asks for all that observes and can be foreseen. A command goes on as if there were nothing where a result is missing; what it asks
// for then is only taken if it cannot be refused, else the type of the record is asked for. Once nothing that observes is missing, the step asks
// for all changes, in their order. So the number of steps does not grow with that of the keys.
//
// What is known not to be there is answered here: an operation of one type would keep the record from becoming one of another type. For the
// same reason a record that several commands name is asked for its type first.
//
// A transaction does not read its own writes. What needs a record that an earlier operation of it has changed ends the transaction, unless it
// overwrites and answers nothing. So does what a record refuses. Then none of the commands has had an effect.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
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
  // REQUIRES: session.waiting holds the commands. `context` outlives it.
  Spread(DoorSession& session, std::int64_t now_ms, const Context& context);

  // A new attempt of the transaction: nothing is known yet.
  void restart();
  // The results of what the last step has asked for, in order.
  void know(std::vector<Value> results);
  // What is to be executed next, in order. Nothing: the reply is whole, and the transaction is to be committed; or there is a failure, and it
  // is to be aborted. REQUIRES: the session has not left.
  std::vector<WantedOperation> step();
  // Why the commands cannot be run so, for their client; empty: they can.
  std::string_view failure() const { return failure_; }

  DoorSession* session() { return session_; }
  void leave() { session_ = nullptr; }
  std::string_view reply() const { return reply_; }

 private:
  friend class SpreadRun;

  void run(const resp::CommandSpec& spec, resp::Arguments arguments);
  void run_own(const resp::QueuedCommand& command);

  DoorSession* session_;
  std::int64_t now_ms_;
  const Context& context_;
  std::set<std::string, std::less<>> shared_;  // keys that several commands name
  std::string reply_;
  resp::ReplyWriter writer_{reply_};
  std::string failure_;
  // A change: the how-many-th of which command.
  struct Place {
    std::size_t command = 0;
    std::size_t change = 0;

    auto operator<=>(const Place&) const = default;
  };
  struct Changed {
    std::string key;
    Value result;
  };
  std::map<std::string, Value> observed_;  // by key, operation and arguments
  std::map<Place, Changed> changes_;  // that were executed
  // ---- of the step
  std::size_t command_ = 0;
  // A command has to know the result of a change before it says what it changes next: no later command may come in between.
  bool is_cut_ = false;
  // By key: the type of what the commands have left there; null: nothing.
  std::map<std::string, const DataType*, std::less<>> changed_;
  std::vector<WantedOperation> wanted_;  // what observes
  std::map<std::string, std::size_t> wanted_names_;  // their names in observed_, and their places in `wanted_`
  std::size_t operations_ = 0;
  std::vector<WantedOperation> wanted_changes_;
  std::vector<Place> wanted_places_;
};

}  // namespace claret
