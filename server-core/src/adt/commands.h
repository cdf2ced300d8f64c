// The commands of the Redis door that data types answer: a type's *_commands.cc says which, and translates each into the type's operations.
//
// A command runs on one shard, within one call, and as one: nothing comes between its operations. It is run from its start again if it has to
// wait, so that
//   - what it draws from its arguments alone, such as a syntax error, comes before its first operation;
//   - a command that changes something more than once is `alone`: all its keys are cleared before it begins, so that none of its operations
//     waits any more. Any other command may observe as often as it likes, and then change something once.
// An operation that cannot be executed stops the command: what the command has replied is dropped, and each further operation answers with an
// absent value. So the command only has to end: results are read by `integer_of`, `truth_of` and `list_of`, which take that for nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adt/adt.h"
#include "adt/byte_text.h"
#include "adt/value.h"
#include "resp/arguments.h"
#include "resp/command.h"
#include "resp/connection.h"
#include "resp/glob.h"
#include "resp/reply_writer.h"

namespace claret {

class CommandRun {
 public:
  // `operands`: where the arguments of each operation are collected.
  CommandRun(resp::Arguments arguments, resp::ReplyWriter& reply, std::vector<Value>& operands)
      : arguments_(arguments), reply_(reply), operands_(operands), was_muted_(reply.muted()) {}
  virtual ~CommandRun() {
    if (stopped_) reply_.mute(was_muted_);
  }
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  // The first one is the command's name. Any bytes, of at most 64 KiB; keys are valid UTF-8.
  std::size_t size() const { return arguments_.size(); }
  std::string_view operator[](std::size_t place) const { return arguments_[place]; }
  resp::Arguments from(std::size_t place) const { return arguments_.subspan(place); }
  // The same as it is stored.
  std::string text(std::size_t place) const { return text_of_bytes(arguments_[place]); }
  resp::ReplyWriter& reply() { return reply_; }

  // Executes an operation on the record of that key. The result is valid until the next call; absent if the command has stopped.
  template <typename... Operands>
  const Value& execute(std::string_view key, const DataType& type, std::uint8_t operation, Operands&&... operands) {
    if (stopped_) return nothing();
    operands_.clear();
    (operands_.emplace_back(std::forward<Operands>(operands)), ...);
    return execute_now(key, type, operation, operands_);
  }
  // The same for a change whose result only the reply shows: what the command does next does not depend on it. So over several shards it goes
  // on at once.
  template <typename... Operands>
  const Value& execute_for_reply(std::string_view key, const DataType& type, std::uint8_t operation, Operands&&... operands) {
    is_for_reply_ = true;
    const Value& result = execute(key, type, operation, std::forward<Operands>(operands)...);
    is_for_reply_ = false;
    return result;
  }
  // The type of what is there; null if nothing is, or the command has stopped. As expires(), this is only a look: it does not wait for what is
  // about to change the record. So unless the command is alone, an operation on the same key has to follow, which waits.
  virtual const DataType* type_of(std::string_view key) = 0;
  // Whether the record of that key has an expiry. It may be left from what was there before and is gone.
  virtual bool expires(std::string_view key) = 0;
  // Clears the way to the key for several changes, which may then follow. False if the command has stopped: it has to return then. At once true in
  // a command that is alone. REQUIRES: the command has changed nothing yet, or is alone.
  virtual bool clear(std::string_view key) = 0;
  // Answers with an error, whatever was replied before, and stops.
  void fail(std::string_view error) {
    if (stopped_) return;
    fail_now(error);
    stop();
  }
  bool stopped() const { return stopped_; }

  // ---- operations of records, whatever their type
  bool exists(std::string_view key);
  // Asks by an operation only if there seems to be nothing. What removes does not go on then, so that it does not create the record.
  bool is_missing(std::string_view key) { return type_of(key) == nullptr && !exists(key); }
  // What is there takes about so much memory, in bytes; 0: nothing is there.
  virtual std::size_t memory_of(std::string_view key) = 0;
  // Whether it was there, for the reply.
  bool remove(std::string_view key);
  // `at_ms`: by the wall clock; `when`: see gate/record_operations.h.
  bool expire(std::string_view key, std::int64_t at_ms, std::string_view when = "always");
  bool persist(std::string_view key);
  std::optional<std::int64_t> expires_at_ms(std::string_view key);

  // ---- commands that wait until something is there
  // Stops: the command is run again once there is something at one of its keys, and at the latest after that time; 0: whenever that is.
  // False: it must not wait, in EXEC, or any longer. Then it answers that there was nothing. REQUIRES: nothing has been changed.
  virtual bool block(double for_ms) = 0;
  // It has waited: what has come may be of another type, which ends no wait.
  virtual bool has_waited() = 0;

  // The wall clock, in milliseconds since 1970.
  virtual std::int64_t now_ms() = 0;
  // A number from 0 to below − 1, without order. REQUIRES: below > 0.
  virtual std::uint64_t draw(std::uint64_t below) = 0;

 protected:
  // The operands may be taken.
  virtual const Value& execute_now(std::string_view key, const DataType& type, std::uint8_t operation, std::vector<Value>& operands) = 0;
  static const Value& nothing() {
    static const Value kNothing;
    return kNothing;
  }
  virtual void fail_now(std::string_view error) = 0;
  bool is_for_reply() const { return is_for_reply_; }
  // What was executed has to wait, or has failed. What the command still replies on its way to the end is dropped.
  void stop() {
    stopped_ = true;
    reply_.mute(true);
  }

 private:
  virtual const DataType& record_operations() = 0;

  resp::Arguments arguments_;
  resp::ReplyWriter& reply_;
  std::vector<Value>& operands_;
  bool was_muted_;
  bool stopped_ = false;
  bool is_for_reply_ = false;
};

// ---- errors that several types answer; some more are in resp/connection.h

inline constexpr std::string_view kWrongType = "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr std::string_view kWouldOverflow = "ERR increment or decrement would overflow";
inline constexpr std::string_view kNotAFloat = "ERR value is not a valid float";
inline constexpr std::string_view kNoFiniteSum = "ERR increment would produce NaN or Infinity";
inline constexpr std::string_view kMustBePositive = "ERR value is out of range, must be positive";
inline constexpr std::string_view kOutOfRange = "ERR value is out of range";

// What resp::CommandSpec::runner points to.
struct CommandRunner {
  void (*run)(CommandRun& run);
  // It may change something more than once, or has several keys.
  bool alone = false;
};

template <void (*kRun)(CommandRun&)>
inline constexpr CommandRunner kRunner{kRun, false};
template <void (*kRun)(CommandRun&)>
inline constexpr CommandRunner kAloneRunner{kRun, true};

// ---- values

// A canonical 64-bit decimal is an integer, anything else a text; both are the same bytes to a client of the door.
Value value_of(std::string_view text);
// The bytes of a scalar, as clients of the door see it. REQUIRES: not absent.
std::string text_of(const Value& value);
// A bulk string of a text that is stored.
void write_text(resp::ReplyWriter& reply, std::string_view text);
// A bulk string; absent: null.
void write_value(resp::ReplyWriter& reply, const Value& value);

// Of a result, which is absent once the command has stopped.
inline std::int64_t integer_of(const Value& value) { return value.is_integer() ? value.integer() : 0; }
inline bool truth_of(const Value& value) { return value.is_boolean() && value.boolean(); }
inline const Value::List& list_of(const Value& value) {
  static const Value::List kNone;
  return value.is_list() ? value.list() : kNone;
}

// ---- arguments

// Of a list or a set of texts, and of a list of values.
Value::List texts_of(resp::Arguments arguments);
Value::List values_of(resp::Arguments arguments);

inline bool same_name(const CommandRun& run, std::size_t place, std::string_view name) { return resp::same_name(run[place], name); }

// The integer at that place. Nothing if there is none: then the command has failed, with the words of Redis or those given.
std::optional<std::int64_t> integer_at(CommandRun& run, std::size_t place, std::string_view error = resp::kNotAnInteger);
// The same from 0.
std::optional<std::int64_t> count_at(CommandRun& run, std::size_t place, std::string_view error = kMustBePositive);
// The same without the least one, which has no opposite.
std::optional<std::int64_t> signed_count_at(CommandRun& run, std::size_t place);
// Whether a command that answers twice as many texts as members may be asked for that many members.
inline bool may_be_doubled(std::int64_t count) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
  return count >= -kMost && count <= kMost;
}
// A time in seconds, as a float, in milliseconds. Nothing: the command has failed.
std::optional<double> timeout_at(CommandRun& run, std::size_t place);
// Answers that the command does not take that many arguments, for what its spec cannot say.
void fail_arity(CommandRun& run);
// The command's name as errors write it.
std::string name_of(const CommandRun& run);

// ---- changes

// What an operation with a list of items has answered, for the reply: the sum of all its results, and the last one.
struct Answers {
  std::int64_t sum = 0;
  std::int64_t last = 0;
};
// Executes an operation that takes nothing but a list, which is of at most 1,000 items: as often as the number of items asks for.
Answers execute_in_pieces(CommandRun& run, std::string_view key, const DataType& type, std::uint8_t operation, Value::List items);

// ---- random members

// Places of some of that many members: `count` different ones, or all; if it is negative, as many as its opposite, each drawn from all.
std::vector<std::size_t> draw_places(CommandRun& run, std::size_t members, std::int64_t count);

// ---- SSCAN, HSCAN, ZSCAN: all members are answered at once, whatever the cursor and COUNT, so that the next cursor is 0.

class Scan {
 public:
  // `text`: as it is stored.
  bool wants(std::string_view text) const { return !pattern_ || resp::glob_matches(*pattern_, bytes_of_text(text)); }

  // False if the cursor at place 2 is none: then the command has failed.
  bool take_cursor(CommandRun& run);
  // The same of the options behind it.
  bool take_options(CommandRun& run);
  static void answer(CommandRun& run, std::span<const std::string> answers);

 private:
  std::optional<std::string_view> pattern_;
};

// All commands that data types answer, in order of type. The operations of records have theirs in gate/record_commands.h.
std::vector<resp::CommandSpec> type_commands();

}  // namespace claret
