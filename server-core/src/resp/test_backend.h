// A backend for tests: texts by key, and commands that can be made to wait.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resp/backend.h"
#include "resp/command_table.h"
#include "resp/connection.h"

namespace claret::resp {

class TestBackend : public Backend {
 public:
  std::map<std::string, std::string, std::less<>> values;
  std::map<std::string, std::uint64_t, std::less<>> versions;
  std::string password;
  std::string refused;  // commands with this key are refused
  bool waits = false;  // each command of data waits
  std::vector<std::string> ran;
  std::vector<std::function<void()>> waiting;
  ClusterView view;
  bool in_cluster = false;
  std::uint64_t now = 1'700'000'000'123'456;

  static const CommandTable& table() {
    using F = CommandFlag;
    using C = CommandCategory;
    static constexpr CommandSpec kData[] = {
        {.name = "get",
         .arity = 2,
         .flags = {F::kReadonly, F::kFast},
         .categories = {C::kStrings},
         .first_key = 1,
         .last_key = 1,
         .key_step = 1,
         .key_use = "RO access"},
        {.name = "set",
         .arity = -3,
         .flags = {F::kWrite, F::kDenyoom},
         .categories = {C::kStrings},
         .first_key = 1,
         .last_key = 1,
         .key_step = 1,
         .key_use = "OW update"},
        {.name = "mset",
         .arity = -3,
         .flags = {F::kWrite, F::kDenyoom},
         .categories = {C::kStrings},
         .first_key = 1,
         .last_key = -1,
         .key_step = 2,
         .key_use = "OW update"},
        {.name = "zunionstore",
         .arity = -4,
         .flags = {F::kWrite, F::kDenyoom},
         .categories = {C::kSortedSets},
         .first_key = 1,
         .last_key = 1,
         .key_step = 1,
         .key_count_at = 2,
         .key_use = "OW update",
         .counted_key_use = "RO access"},
        {.name = "sintercard", .arity = -3, .flags = {F::kReadonly}, .categories = {C::kSets}, .key_count_at = 1},
        {.name = "object", .arity = -2},
        {.name = "object|encoding",
         .arity = 3,
         .flags = {F::kReadonly},
         .categories = {C::kKeyspace},
         .first_key = 2,
         .last_key = 2,
         .key_step = 1,
         .key_use = "RO",
         .tips = {}},
    };
    static const CommandTable kTable(kData);
    return kTable;
  }

  Ran run(Connection& connection, const CommandSpec& spec, Arguments arguments) override {
    std::vector<std::string> words(arguments.begin(), arguments.end());
    ran.push_back(std::string(spec.name));
    if (!waits) {
      answer(connection, spec, words);
      return Ran::kReplied;
    }
    waiting.push_back([this, &connection, &spec, words = std::move(words)] {
      answer(connection, spec, words);
      connection.resume();
    });
    return Ran::kWaits;
  }

  Ran execute(Connection& connection, std::span<const QueuedCommand> commands, const WatchedKeys& watched) override {
    if (!waits) {
      answer_all(connection, commands, watched);
      return Ran::kReplied;
    }
    waiting.push_back([this, &connection, commands, &watched] {
      answer_all(connection, commands, watched);
      connection.resume();
    });
    return Ran::kWaits;
  }

  // Answers the command that has waited longest.
  void answer_next() {
    const auto answer = std::move(waiting.front());
    waiting.erase(waiting.begin());
    answer();
  }

  bool refuses(Connection& connection, const CommandSpec&, Arguments arguments) override {
    if (refused.empty() || arguments.size() < 2 || arguments[1] != refused) return false;
    connection.reply().error("MOVED 1 elsewhere:1");
    return true;
  }

  std::uint64_t version(std::string_view key) override {
    const auto found = versions.find(key);
    return found == versions.end() ? 0 : found->second;
  }
  std::uint64_t now_us() override { return now; }
  std::int64_t keys() override { return static_cast<std::int64_t>(values.size()); }
  std::vector<std::pair<std::string, std::string>> configuration() override {
    return {{"appendonly", "no"}, {"maxmemory", "0"}, {"maxmemory-policy", "noeviction"}, {"save", ""}};
  }
  std::string info(Arguments sections) override {
    std::string text = "# Sections\r\n";
    for (const auto section : sections) text.append(section).append("\r\n");
    return text;
  }
  bool has_password() override { return !password.empty(); }
  bool accepts(std::string_view user, std::string_view given) override { return user == "default" && given == password; }
  const ClusterView* cluster() override { return in_cluster ? &view : nullptr; }

 private:
  template <typename Words>
  void answer(Connection& connection, const CommandSpec& spec, const Words& words) {
    if (spec.name == "get") {
      const auto found = values.find(words[1]);
      if (found == values.end()) return connection.reply().null();
      return connection.reply().bulk(found->second);
    }
    for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
      values.insert_or_assign(std::string(words[i]), std::string(words[i + 1]));
      ++versions[std::string(words[i])];
    }
    connection.reply().ok();
  }

  void answer_all(Connection& connection, std::span<const QueuedCommand> commands, const WatchedKeys& watched) {
    for (const auto& [key, noted] : watched) {
      if (version(key) != noted) return connection.reply().null_array();
    }
    connection.reply().array(commands.size());
    for (const auto& command : commands) {
      if (command.own()) {
        connection.run_queued(command);
      } else {
        answer(connection, command.spec(), command.arguments());
      }
    }
  }
};

}  // namespace claret::resp
