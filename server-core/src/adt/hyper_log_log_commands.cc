// PFADD and PFCOUNT, on HyperLogLog.
//
// What differs from Redis: PFCOUNT takes one key, and its estimate is another one, with the same standard error. PFADD answers 1 if the record is
// new or the estimate has changed; Redis answers 1 as well if something has changed that the rounded estimate does not show. Without
// elements, PFADD creates nothing. A HyperLogLog is no string: GET does not answer its bytes.
#include <cstdint>
#include <string_view>

#include "adt/commands.h"
#include "adt/type_commands.h"

namespace claret {

namespace hyper_log_log_door {
namespace {

// As hyper_log_log.cc numbers them.
enum Operation : std::uint8_t { kAdd = 1, kCount };

std::int64_t count_of(CommandRun& run, std::string_view key) { return integer_of(run.execute(key, hyper_log_log_type(), kCount)); }

// Redis has other words for a string, since its own are strings as well. False if the command has failed.
bool is_no_string(CommandRun& run) {
  if (run.type_of(run[1]) != &register_type()) return true;
  run.fail("WRONGTYPE Key is not a valid HyperLogLog string value.");
  return false;
}

void pfadd(CommandRun& run) {
  if (!is_no_string(run)) return;
  const bool is_new = run.type_of(run[1]) == nullptr;
  const std::int64_t before = count_of(run, run[1]);
  for (std::size_t place = 2; place < run.size(); ++place) run.execute(run[1], hyper_log_log_type(), kAdd, Value(run.text(place)));
  run.reply().integer((is_new && run.size() > 2) || count_of(run, run[1]) != before);
}

void pfcount(CommandRun& run) {
  if (run.size() > 2) return run.fail("ERR PFCOUNT of several keys is not supported");
  if (is_no_string(run)) run.reply().integer(count_of(run, run[1]));
}

// ---- specs

using namespace command_spec;

constexpr Group kGroup{"hyperloglog", resp::CommandCategory::kHyperloglog};

constexpr resp::CommandSpec kCommands[] = {
    kGroup("pfadd", -2, kFastGrow, "RW insert", "2.8.9", kAloneRunner<pfadd>, "Adds elements to what is counted"),
    with_keys(kGroup("pfcount", -2, kRead, "RW access", "2.8.9", kAloneRunner<pfcount>, "About how many different elements were added"),
              -1),
};

}  // namespace
}  // namespace hyper_log_log_door

std::span<const resp::CommandSpec> hyper_log_log_commands() { return hyper_log_log_door::kCommands; }

}  // namespace claret
