// The table of the door's commands, and its errors.
#include "adt/commands.h"

#include <array>
#include <string>
#include <vector>

#include "door/door.h"
#include "gate/record_commands.h"
#include "resp/connection.h"

namespace claret {

namespace {

using Flag = resp::CommandFlag;

constexpr CommandRunner kForwardedRunner{nullptr};
constexpr CommandRunner kFlushRunner{nullptr};
constexpr CommandRunner kScanRunner{nullptr};
constexpr CommandRunner kKeysRunner{nullptr};

constexpr std::array kDoorCommands = {
    resp::CommandSpec{.name = "claret", .arity = -2, .summary = "Commands of Claret alone", .since = "0.9.0", .group = "server"},
    resp::CommandSpec{.name = "claret|forwarded",
                      .arity = 2,
                      .flags = {Flag::kAdmin, Flag::kNoscript, Flag::kNoMulti},
                      .summary = "Tells that commands on this connection come from another door",
                      .since = "0.9.0",
                      .group = "server",
                      .runner = &kForwardedRunner},
    resp::CommandSpec{.name = "flushall",
                      .arity = -1,
                      .flags = {Flag::kWrite, Flag::kNoMulti},
                      .categories = {resp::CommandCategory::kKeyspace, resp::CommandCategory::kDangerous},
                      .summary = "Deletes all records",
                      .since = "1.0.0",
                      .group = "server",
                      .runner = &kFlushRunner},
    resp::CommandSpec{.name = "flushdb",
                      .arity = -1,
                      .flags = {Flag::kWrite, Flag::kNoMulti},
                      .categories = {resp::CommandCategory::kKeyspace, resp::CommandCategory::kDangerous},
                      .summary = "Deletes all records",
                      .since = "1.0.0",
                      .group = "server",
                      .runner = &kFlushRunner},
    resp::CommandSpec{.name = "scan",
                      .arity = -2,
                      .flags = {Flag::kReadonly, Flag::kNoMulti},
                      .categories = {resp::CommandCategory::kKeyspace},
                      .summary = "Keys, as an iteration over the slots",
                      .since = "2.8.0",
                      .group = "generic",
                      .runner = &kScanRunner},
    resp::CommandSpec{.name = "keys",
                      .arity = 2,
                      .flags = {Flag::kReadonly, Flag::kNoMulti},
                      .categories = {resp::CommandCategory::kKeyspace, resp::CommandCategory::kDangerous},
                      .summary = "All keys that match a pattern",
                      .since = "1.0.0",
                      .group = "generic",
                      .runner = &kKeysRunner},
};

}  // namespace

const resp::CommandTable& door_commands() {
  static const std::vector<resp::CommandSpec> kSpecs = [] {
    std::vector<resp::CommandSpec> specs = type_commands();
    const auto add = [&](std::span<const resp::CommandSpec> more) { specs.insert(specs.end(), more.begin(), more.end()); };
    add(record_commands());
    add(kDoorCommands);
    return specs;
  }();
  static const resp::CommandTable kTable(kSpecs);
  return kTable;
}

bool is_mark_of_link(const resp::CommandSpec& spec) { return spec.runner == &kForwardedRunner; }

bool is_scan(const resp::CommandSpec& spec) { return spec.runner == &kScanRunner; }
bool is_keys(const resp::CommandSpec& spec) { return spec.runner == &kKeysRunner; }

bool is_flush(const resp::CommandSpec& spec) { return spec.runner == &kFlushRunner; }

std::string redis_error(const Error& error) {
  if (error.code == errors::kWrongType && !error.retryable) return "WRONGTYPE Operation against a key holding the wrong kind of value";
  if (error.code == errors::kNotAnInteger) return std::string(resp::kNotAnInteger);
  if (error.code == errors::kOutOfRange) return "ERR increment or decrement would overflow";
  const bool is_full = error.code == errors::kDiskFull || error.code == errors::kLogUnavailable;
  std::string text = is_full ? "MISCONF " : error.retryable ? "TRYAGAIN " : "ERR ";
  return text.append(error.message);
}

}  // namespace claret
