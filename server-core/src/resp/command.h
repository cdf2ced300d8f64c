// What is known of a command before it runs: its name, how many arguments it takes, where its keys are, and words about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "resp/arguments.h"

namespace claret::resp {

// In the order in which COMMAND INFO lists them.
enum class CommandFlag : std::uint8_t {
  kWrite,
  kReadonly,
  kDenyoom,
  kAdmin,
  kPubsub,
  kNoscript,
  kBlocking,
  kLoading,
  kStale,
  kSkipMonitor,
  kSkipSlowlog,
  kAsking,
  kFast,
  kNoAuth,
  kNoMandatoryKeys,
  kNoMulti,
  kAllowBusy,
  // Not listed: MULTI does not queue the command, it runs at once.
  kNeverQueued,
  // Not listed: MULTI refuses the command, as it does one with kNoMulti.
  kNotInMulti,
};

// The categories of access lists, in the order of COMMAND INFO. Read, write, admin, pubsub, fast, slow and blocking follow from the flags.
enum class CommandCategory : std::uint8_t {
  kKeyspace,
  kRead,
  kWrite,
  kSets,
  kSortedSets,
  kLists,
  kHashes,
  kStrings,
  kBitmap,
  kHyperloglog,
  kGeo,
  kStream,
  kPubsub,
  kAdmin,
  kFast,
  kSlow,
  kBlocking,
  kDangerous,
  kConnection,
  kTransaction,
  kScripting,
};

// A few values of an enumeration, as bits.
template <typename Value>
class FewOf {
 public:
  constexpr FewOf() = default;
  constexpr FewOf(std::initializer_list<Value> values) {
    for (const Value value : values) add(value);
  }
  constexpr bool has(Value value) const { return (bits_ >> static_cast<unsigned>(value) & 1) != 0; }
  constexpr void add(Value value) { bits_ |= std::uint32_t{1} << static_cast<unsigned>(value); }

 private:
  std::uint32_t bits_ = 0;
};

// Texts are views of what outlives the table of commands.
struct CommandSpec {
  // In small letters. A subcommand's is "container|name"; its container is a spec as well.
  std::string_view name;
  // The number of arguments, counting the name, or both names of a subcommand; -n means n or more.
  int arity = 0;
  FewOf<CommandFlag> flags;
  // Those that do not follow from the flags.
  FewOf<CommandCategory> categories;

  // The places of the first and the last key and the distance between keys. 0: no keys; a negative last one counts from the end.
  int first_key = 0;
  int last_key = 0;
  int key_step = 0;
  // The place of an argument that tells how many keys follow it, besides the key at first_key; 0: there is none.
  int key_count_at = 0;
  // What is done to the keys, as COMMAND names it, such as "RW access update". Empty: it follows from the flags.
  std::string_view key_use;
  // The same of the keys counted by an argument.
  std::string_view counted_key_use;

  // ---- for COMMAND DOCS
  std::string_view summary;
  std::string_view since;  // the version of Redis, or of this server, that introduced it
  std::string_view group;
  std::span<const std::string_view> tips;

  // What runs the command: means something only to whom the spec belongs.
  const void* runner = nullptr;

  bool has(CommandFlag flag) const { return flags.has(flag); }
  // Whether the command takes that many arguments, with its name.
  bool takes(std::size_t arguments) const {
    const auto given = static_cast<std::int64_t>(arguments);
    return arity < 0 ? given >= -arity : given == arity;
  }
};

class Connection;

// A command that needs no data: the connection runs it itself.
struct OwnCommand {
  void (*run)(Connection& connection, Arguments arguments);
};

}  // namespace claret::resp
