// What MULTI has queued and WATCH has noted on one connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resp/arguments.h"
#include "resp/command_table.h"

namespace claret::resp {

// A command with arguments of its own.
class QueuedCommand {
 public:
  QueuedCommand(const CommandTable::Entry& entry, Arguments arguments);

  const CommandSpec& spec() const { return *entry_->spec; }
  // Whether Connection::run_queued() runs it, rather than the backend.
  bool own() const { return entry_->own; }
  const CommandTable::Entry& entry() const { return *entry_; }
  Arguments arguments() const { return arguments_; }

 private:
  const CommandTable::Entry* entry_;
  std::unique_ptr<char[]> bytes_;
  std::vector<std::string_view> arguments_;
};

// key → its version, as the backend told it
using WatchedKeys = std::map<std::string, std::uint64_t, std::less<>>;

class TransactionQueue {
 public:
  bool open() const { return open_; }
  bool failed() const { return failed_; }
  std::span<const QueuedCommand> commands() const { return commands_; }
  const WatchedKeys& watched() const { return watched_; }
  std::size_t bytes() const { return bytes_; }

  void begin() { open_ = true; }
  void add(const CommandTable::Entry& entry, Arguments arguments);
  // A command could not be queued: EXEC will refuse.
  void fail() { failed_ = open_; }
  void end();

  // A key keeps the version with which it was noted first.
  void watch(std::string_view key, std::uint64_t version) { watched_.try_emplace(std::string(key), version); }
  bool watches(std::string_view key) const { return watched_.contains(key); }
  void unwatch() { watched_.clear(); }

 private:
  bool open_ = false;
  bool failed_ = false;
  std::size_t bytes_ = 0;
  std::vector<QueuedCommand> commands_;
  WatchedKeys watched_;
};

}  // namespace claret::resp
