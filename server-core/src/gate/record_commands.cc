// The commands of Redis that concern a key of any type: DEL, EXISTS, TYPE, EXPIRE, TTL and their relatives.
//
// What differs from Redis: a type that Redis does not have is answered as "claret-" and its name, and time is that of the shard's clock. RENAME and
// COPY are left out, since no operation turns a record into another one.
#include "gate/record_commands.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "adt/commands.h"
#include "adt/type_commands.h"
#include "resp/numbers.h"

namespace claret {

namespace {

// ---- what is there

void del(CommandRun& run) {
  std::int64_t deleted = 0;
  absl::flat_hash_set<std::string_view> seen;  // looked up, never iterated
  for (const std::string_view key : run.from(1)) {
    if (seen.insert(key).second) deleted += run.remove(key);
  }
  run.reply().integer(deleted);
}

void exists(CommandRun& run) {
  std::int64_t there = 0;
  for (const std::string_view key : run.from(1)) there += run.exists(key);
  run.reply().integer(there);
}

void type(CommandRun& run) {
  const bool is_there = run.exists(run[1]);
  const DataType* type = is_there ? run.type_of(run[1]) : nullptr;
  if (type == nullptr) return run.reply().simple("none");
  if (!type->redis_type().empty()) return run.reply().simple(type->redis_type());
  std::string name = "claret-";
  for (const char character : type->name()) name.push_back(resp::lower(character));
  run.reply().simple(name);
}

// ---- expiry

enum class Unit : std::uint8_t { kSeconds, kMilliseconds };
enum class From : std::uint8_t { kNow, kEpoch };

struct Condition {
  bool if_none = false;
  bool if_any = false;
  bool if_later = false;
  bool if_sooner = false;

  bool is_given() const { return if_none || if_any || if_later || if_sooner; }
  // `now`: when the record expires now; a record that stays expires later than any other.
  bool allows(std::optional<std::int64_t> now, std::int64_t at_ms) const {
    if (if_none && now) return false;
    if (if_any && !now) return false;
    if (if_later && (!now || at_ms <= *now)) return false;
    return !if_sooner || !now || at_ms < *now;
  }
};

// Nothing if the command has failed.
std::optional<Condition> parse_condition(CommandRun& run) {
  Condition condition;
  for (std::size_t place = 3; place < run.size(); ++place) {
    if (same_name(run, place, "nx")) {
      condition.if_none = true;
    } else if (same_name(run, place, "xx")) {
      condition.if_any = true;
    } else if (same_name(run, place, "gt")) {
      condition.if_later = true;
    } else if (same_name(run, place, "lt")) {
      condition.if_sooner = true;
    } else {
      run.fail("ERR Unsupported option " + std::string(run[place]));
      return std::nullopt;
    }
  }
  if (condition.if_none && (condition.if_any || condition.if_later || condition.if_sooner)) {
    run.fail("ERR NX and XX, GT or LT options at the same time are not compatible");
  } else if (condition.if_later && condition.if_sooner) {
    run.fail("ERR GT and LT options at the same time are not compatible");
  }
  return run.stopped() ? std::nullopt : std::optional(condition);
}

// By the wall clock; before 1970 too. Nothing if the command has failed.
std::optional<std::int64_t> parse_time(CommandRun& run, Unit unit, From from) {
  const auto number = integer_at(run, 2);
  if (!number) return std::nullopt;
  std::int64_t at_ms = 0;
  const bool is_wrong = __builtin_mul_overflow(*number, unit == Unit::kSeconds ? 1000 : 1, &at_ms) ||
                        __builtin_add_overflow(at_ms, from == From::kNow ? run.now_ms() : 0, &at_ms);
  if (!is_wrong) return at_ms;
  run.fail("ERR invalid expire time in '" + name_of(run) + "' command");
  return std::nullopt;
}

template <Unit kUnit, From kFrom>
void expire(CommandRun& run) {
  const auto condition = parse_condition(run);
  if (!condition) return;
  const auto at_ms = parse_time(run, kUnit, kFrom);
  if (!at_ms) return;
  const std::string_view key = run[1];
  if (condition->is_given() && (!run.exists(key) || !condition->allows(run.expires_at_ms(key), *at_ms))) return run.reply().integer(0);
  run.reply().integer(*at_ms <= run.now_ms() ? run.remove(key) : run.expire(key, *at_ms));
}

// Answers when the record expires, from now on or from 1970 on: −1 if it stays, −2 if it is not there.
template <Unit kUnit, From kFrom>
void expiry(CommandRun& run) {
  const std::optional<std::int64_t> at_ms = run.expires_at_ms(run[1]);
  if (!at_ms) return run.reply().integer(run.exists(run[1]) ? -1 : -2);
  const std::int64_t left_ms = kFrom == From::kNow ? std::max<std::int64_t>(*at_ms - run.now_ms(), 0) : *at_ms;
  run.reply().integer(kUnit == Unit::kSeconds ? (left_ms + 500) / 1000 : left_ms);
}

void memory_usage(CommandRun& run) {
  const std::size_t bytes = run.memory_of(run[2]);
  if (bytes == 0) return run.reply().null();
  run.reply().integer(static_cast<std::int64_t>(bytes));
}

void persist(CommandRun& run) { run.reply().integer(run.persist(run[1])); }

// ---- specs

using namespace command_spec;

constexpr Group kGeneric{"generic", resp::CommandCategory::kKeyspace};
constexpr std::string_view kTipsSum[] = {"request_policy:multi_shard", "response_policy:agg_sum"};

// Of any number of keys, each of which counts.
constexpr resp::CommandSpec several(resp::CommandSpec spec) { return with_tips(with_keys(spec, -1), kTipsSum); }

constexpr Unit kSeconds = Unit::kSeconds, kMilliseconds = Unit::kMilliseconds;
constexpr From kNow = From::kNow, kEpoch = From::kEpoch;

constexpr resp::CommandSpec kCommands[] = {
    several(kGeneric("del", -2, kWrite, "RM delete", "1.0.0", kAloneRunner<del>, "Deletes keys, whatever they hold")),
    several(kGeneric("unlink", -2, kFastWrite, "RM delete", "4.0.0", kAloneRunner<del>, "Deletes keys, as DEL")),
    several(kGeneric("exists", -2, kFastRead, "RO", "1.0.0", kAloneRunner<exists>, "How many of some keys are there")),
    several(kGeneric("touch", -2, kFastRead, "RO", "3.2.1", kAloneRunner<exists>, "How many of some keys are there, as EXISTS")),
    kGeneric("type", 2, kFastRead, "RO", "1.0.0", kRunner<type>, "What kind of value a key holds"),
    kGeneric("expire", -3, kFastWrite, "RW update", "1.0.0", kRunner<expire<kSeconds, kNow>>, "Deletes a key after some seconds"),
    kGeneric("pexpire", -3, kFastWrite, "RW update", "2.6.0", kRunner<expire<kMilliseconds, kNow>>,
             "Deletes a key after some milliseconds"),
    kGeneric("expireat", -3, kFastWrite, "RW update", "1.2.0", kRunner<expire<kSeconds, kEpoch>>, "Deletes a key at a time in seconds"),
    kGeneric("pexpireat", -3, kFastWrite, "RW update", "2.6.0", kRunner<expire<kMilliseconds, kEpoch>>,
             "Deletes a key at a time in milliseconds"),
    with_tips(kGeneric("ttl", 2, kFastRead, "RO access", "1.0.0", kRunner<expiry<kSeconds, kNow>>, "The seconds until a key expires"),
              kTipsVarying),
    with_tips(
        kGeneric("pttl", 2, kFastRead, "RO access", "2.6.0", kRunner<expiry<kMilliseconds, kNow>>, "The milliseconds until a key expires"),
        kTipsVarying),
    kGeneric("expiretime", 2, kFastRead, "RO access", "7.0.0", kRunner<expiry<kSeconds, kEpoch>>, "When a key expires, in seconds"),
    kGeneric("pexpiretime", 2, kFastRead, "RO access", "7.0.0", kRunner<expiry<kMilliseconds, kEpoch>>,
             "When a key expires, in milliseconds"),
    {.name = "memory", .arity = -2, .summary = "Commands about memory", .since = "4.0.0", .group = "server"},
    {.name = "memory|usage",
     .arity = -3,
     .flags = {resp::CommandFlag::kReadonly},
     .first_key = 2,
     .last_key = 2,
     .key_step = 1,
     .key_use = "RO",
     .summary = "About how many bytes of memory a key and its value take",
     .since = "4.0.0",
     .group = "server",
     .runner = &kRunner<memory_usage>},
    kGeneric("persist", 2, kFastWrite, "RW update", "2.2.0", kRunner<persist>, "Lets a key stay that would expire"),
};

}  // namespace

std::span<const resp::CommandSpec> record_commands() { return kCommands; }

}  // namespace claret
