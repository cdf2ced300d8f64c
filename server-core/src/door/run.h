// A command that runs here: its operations are natives of its session's run.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "adt/commands.h"
#include "door/door.h"

namespace claret {

class DoorRun final : public CommandRun {
 public:
  DoorRun(Door& door, DoorSession& session, const resp::CommandSpec& spec, resp::Arguments arguments)
      : CommandRun(arguments, session.connection.reply(), door.call_.arguments),
        door_(door),
        session_(session),
        spec_(spec),
        begin_(session.connection.output().size()) {}

  // `may_block`: not in EXEC. False: it waits, and has replied nothing.
  bool run(bool may_block);

  const DataType* type_of(std::string_view key) override;
  bool expires(std::string_view key) override;
  std::size_t memory_of(std::string_view key) override;
  bool clear(std::string_view key) override;
  bool block(double for_ms) override;
  bool has_waited() override { return session_.blocked != 0; }
  std::int64_t now_ms() override;
  std::uint64_t draw(std::uint64_t below) override;

 protected:
  const Value& execute_now(std::string_view key, const DataType& type, std::uint8_t operation, std::vector<Value>& operands) override;
  void fail_now(std::string_view error) override;

 private:
  const DataType& record_operations() override;
  // Stops unless there is a result.
  bool goes_on(const Natives::Executed& executed);
  void drop_reply() { session_.connection.output().resize(begin_); }

  Door& door_;
  DoorSession& session_;
  const resp::CommandSpec& spec_;
  std::size_t begin_;  // of the reply
  bool may_block_ = false;
  bool waits_ = false;
};

}  // namespace claret
