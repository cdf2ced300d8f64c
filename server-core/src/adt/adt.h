// The contract of a data type: everything that the rest of Claret needs from one.
//
// A type is a stateless singleton derived from `TypeOf<State>`: one .cc file, and one line in registry.cc. A record's state is an object of
// the type's own class. The gate owns the object and passes it to every call.
//
// An operation has two parts (the paper, section 3). *Execute* computes a result on the committed state without changing the state; it
// refuses everything that can go wrong. *Commit* changes the state and cannot fail. Between the two the operation *holds* the record's
// gate. Pending effects of other transactions are never visible.
//
// What was committed to a state can be taken back: *undo* is the inverse of commit, given what was kept from *before* it.
//
// The gate's rule (the paper, section 5.1): an operation may join the holders only if, whichever of them commit or abort, and in whatever
// order, all results stay what they are, every commit can be applied, and the final state is the same. A type states this in three ways,
// each finer than the one before:
//   modes      `relation(mode, mode)` answers for two modes: always, never, or it depends;
//   pairwise   where it depends, `commutes(call, result, call, result, state)` is asked for each holder. A yes must stay true in every
//              state that holders compatible with both can produce;
//   summed     `reserve` may still answer "wait", judging by the sum of all pending reservations (escrow).
//
// Not thread-safe. Types read no clock, draw no random numbers, and let no hash order become visible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adt/state_codec.h"
#include "adt/value.h"

namespace claret {

namespace resp {
struct CommandSpec;
}

// The kinds of parameters and results.
enum class Kind : std::uint8_t {
  kVoid,  // no result
  kBoolean,
  kInteger,  // 64-bit
  kNumber,  // finite double; integers are accepted too
  kText,  // up to 64 KiB
  kScalar,  // text, integer, number, boolean
  kOptional,  // scalar or absent
  kTexts,  // list of text
  kScalars,  // list of scalar; as a result it may be one of optional, one for each requested field
  kEntries,  // list of [text, scalar]
  kScored,  // list of [text, integer]
  kRanked,  // list of [text, number]
  kRankedItem,  // [text, number] or absent
};

// docs/rules.md, section 1: how an operation treats the record.
enum class OperationClass : std::uint8_t {
  kObserve,  // result, no change
  kMutate,  // change, no result
  kBoth,  // result and change
  kBlind,  // change that overwrites the previous state, whatever that was
};

struct Parameter {
  std::string_view name;
  Kind kind;
  std::string_view meaning;
};

// A mode is a group of a type's operations that queue together and usually hold the gate together (the paper, 5.1.2). Modes are numbered
// from 0 within the type; there are at most kModesMax.
using Mode = std::uint8_t;
inline constexpr std::size_t kModesMax = 8;

struct OperationSpec {
  std::uint8_t id;  // stable, from 1; part of the operation code on the wire
  std::string_view name;
  std::span<const Parameter> parameters;
  Kind result;
  OperationClass operation_class;
  Mode mode;
  std::string_view meaning;
  // The operation takes a reservation (escrow). Only the shard can grant it, so clients never join it to another operation (combining).
  bool reserves = false;
  // Each result is new by contract: no order of commits changes it, and a replay may give a different one.
  bool fresh = false;
};

inline constexpr bool kReserves = true;

struct ModeSpec {
  std::string_view name;
  std::string_view meaning;
};

enum class Relation : std::uint8_t { kAlways, kNever, kDepends };

// The meaning of a row of the commutativity table.
enum class Ruling : std::uint8_t {
  kAlways,
  kNever,
  kDepends,  // on arguments, results or the state; decided pair by pair
  kSummed,  // every pair commutes, but an operation whose reservation is not certain waits for the others
};

// One row of the commutativity table in words, for the catalogue and the pages derived from it. `first` and `second` are operation names.
struct CommutativityRule {
  std::string_view first;
  std::string_view second;
  // "always"; "never"; "always; " and the cases that wait nevertheless; or the condition: "different items, or equal scores".
  std::string_view when;

  Ruling ruling() const {
    if (when == "always") return Ruling::kAlways;
    if (when == "never") return Ruling::kNever;
    return when.starts_with("always;") ? Ruling::kSummed : Ruling::kDepends;
  }
};

// An operation with its arguments, already checked against its spec.
struct Call {
  const OperationSpec* operation = nullptr;
  std::vector<Value> arguments;
};

// An operation that holds the gate or asks to.
struct Held {
  const Call* call;
  const Value* result;
};

// Why execute refuses a call. `code` is one of errors.h and never retryable: the same call on the same state is refused again.
struct Refusal {
  std::string_view code;
  std::string message;
};

// The part of a record's environment that is not in its state.
struct Context {
  std::uint64_t incarnation;  // of the shard's start
  // The count of numbers drawn for unique ids by this incarnation. Execute may advance nothing else. There is one Context per shard; the
  // count is not part of a state because a record that vanishes with its last abort must not issue a number again.
  mutable std::uint64_t numbers_drawn = 0;
  // Its shard's number plus 1 once it has records that came from other shards; otherwise 0. Another shard may have had this incarnation.
  std::uint32_t foreign_plus_one = 0;
};

class Outcome {  // the outcome of execute: a result (absent for void), or a refusal
 public:
  Outcome() = default;
  Outcome(Value result) : result_(std::move(result)) {}
  Outcome(Refusal refusal) : refusal_(std::move(refusal)), refused_(true) {}
  bool refused() const { return refused_; }
  const Value& result() const { return result_; }
  Value&& take_result() { return std::move(result_); }
  const Refusal& refusal() const { return refusal_; }

 private:
  Value result_;
  Refusal refusal_;
  bool refused_ = false;
};

// A record's contents; only the type that created the object knows its class.
class State {
 public:
  virtual ~State() = default;
};

// The bytes of a state, produced part by part while operations continue to be applied to the state. Together the parts equal what `encode`
// returned when the walk began. REQUIRES: the state outlives this object.
class StateParts {
 public:
  virtual ~StateParts() = default;
  // Appends the next part, which may be empty. A call takes about as long as encoding `bytes_wanted` bytes; a member is never split.
  // Returns true while more parts follow.
  virtual bool next(std::size_t bytes_wanted, std::string& out) = 0;
  // To be called before any operation is applied to the state.
  virtual void before(const Call& call) = 0;
  // To be called before any operation is undone. `kept`: see DataType::undo. Differs from `before` where the call does not name all places
  // that its undo changes: an item goes back to where it stood, and only `kept` tells where that was.
  virtual void before_undo(const Call& call, const Value& /*kept*/) { before(call); }
};

class DataType {
 public:
  virtual ~DataType() = default;

  virtual std::uint8_t id() const = 0;  // stable, from 1
  virtual std::string_view name() const = 0;
  virtual std::string_view meaning() const = 0;
  virtual std::span<const OperationSpec> operations() const = 0;
  virtual std::span<const ModeSpec> modes() const = 0;
  virtual std::span<const CommutativityRule> rules() const = 0;
  // What it answers to clients of the Redis door (commands.h).
  virtual std::span<const resp::CommandSpec> commands() const { return {}; }
  // What TYPE answers there. Empty: "claret-" and the name in small letters.
  virtual std::string_view redis_type() const { return {}; }

  // The empty record: the value of every key before its first commit.
  virtual std::unique_ptr<State> create() const = 0;

  // True if the state is as good as none: the record is not there then, and may become one of another type. Never for types that tell what
  // they hold at first from nothing, as Counter does.
  virtual bool is_empty(const State&) const { return false; }

  // Computes the result on the committed state. `own`: the operations that the same transaction already holds on this record, in order of
  // issue. They serve only the checks that keep commit total; a transaction never reads its own writes.
  virtual Outcome execute(const State& state, const Call& call, std::span<const Held> own, const Context& context) const = 0;

  // Symmetric.
  virtual Relation relation(Mode first, Mode second) const = 0;

  // Asked where relation says kDepends. Symmetric.
  virtual bool commutes(const Held& first, const Held& second, const State& committed) const = 0;

  // Summed types: can the call be promised, given all reservations kept beside the state? kYes takes the reservation; `release` gives it
  // back on commit (just before it) and on abort. `own` as in execute; without it a transaction could wait for itself.
  enum class Reservation : std::uint8_t { kYes, kWait };
  virtual Reservation reserve(State&, const Call&, const Value& /*result*/, std::span<const Held> /*own*/ = {}) const {
    return Reservation::kYes;
  }
  virtual void release(State&, const Call&, const Value& /*result*/) const {}

  // Applies the operation. Total. Commuting operations arrive in any order of their timestamps, which the state therefore does not show.
  virtual void commit(State& state, const Call& call, const Value& result) const = 0;

  // What `undo` will need and the state after the commit will not show, such as a value that is overwritten; absent if that is nothing.
  // To be asked just before the commit. Kept for every operation that may yet be undone, so it is no larger than what the call replaces,
  // and takes no memory of its own if that is a number.
  virtual Value before(const State& state, const Call& call, const Value& result) const = 0;
  // The inverse of commit: the state's bytes are again those that it had when `kept` was asked from `before`. Reservations stay as they
  // are. Total. REQUIRES: all that was committed since has been undone.
  virtual void undo(State& state, const Call& call, const Value& result, const Value& kept) const = 0;

  // The state as bytes, and back. Deterministic: equal states give equal bytes. Reservations are not part of it.
  virtual void encode(const State& state, std::string& out) const = 0;
  // The same bytes in parts, for states that can grow large; null for types whose encoding is always quick. Starts from the current state.
  virtual std::unique_ptr<StateParts> parts(const State&) const { return nullptr; }
  // Null when the bytes are not a state of this type.
  virtual std::unique_ptr<State> decode(std::string_view bytes) const = 0;
  // Adds the next of a walk's parts to a state that has those before it: all parts, added to an empty state, make the state that was walked.
  // False if the bytes are no such part; the state is unchanged then. For types with parts.
  virtual bool add_part(State&, std::string_view /*part*/, bool /*is_first*/) const { return false; }

  const OperationSpec* find(std::string_view operation_name) const;
  const OperationSpec* find(std::uint8_t operation_id) const;
};

// Spares a type the casts: derive from TypeOf<MyState>, with MyState derived from State, and write the typed virtuals.
template <typename S>
class TypeOf : public DataType {
 public:
  std::unique_ptr<State> create() const override { return std::make_unique<S>(); }
  Outcome execute(const State& state, const Call& call, std::span<const Held> own, const Context& context) const final {
    return execute(static_cast<const S&>(state), call, own, context);
  }
  bool commutes(const Held& first, const Held& second, const State& committed) const final {
    return commutes(first, second, static_cast<const S&>(committed));
  }
  Reservation reserve(State& state, const Call& call, const Value& result, std::span<const Held> own = {}) const final {
    return reserve(static_cast<S&>(state), call, result, own);
  }
  bool is_empty(const State& state) const final { return is_empty(static_cast<const S&>(state)); }
  void release(State& state, const Call& call, const Value& result) const final { release(static_cast<S&>(state), call, result); }
  void commit(State& state, const Call& call, const Value& result) const final { commit(static_cast<S&>(state), call, result); }
  Value before(const State& state, const Call& call, const Value& result) const final {
    return before(static_cast<const S&>(state), call, result);
  }
  void undo(State& state, const Call& call, const Value& result, const Value& kept) const final {
    undo(static_cast<S&>(state), call, result, kept);
  }
  void encode(const State& state, std::string& out) const final { encode(static_cast<const S&>(state), out); }
  std::unique_ptr<StateParts> parts(const State& state) const final { return parts(static_cast<const S&>(state)); }
  bool add_part(State& state, std::string_view part, bool is_first) const final {
    StateReader reader(part);
    if (is_first) reader.count();
    return add_part(static_cast<S&>(state), reader);
  }

 protected:
  virtual bool is_empty(const S&) const { return false; }
  virtual Outcome execute(const S& state, const Call& call, std::span<const Held> own, const Context& context) const = 0;
  virtual bool commutes(const Held& first, const Held& second, const S& committed) const = 0;
  virtual Reservation reserve(S&, const Call&, const Value&, std::span<const Held>) const { return Reservation::kYes; }
  virtual void release(S&, const Call&, const Value&) const {}
  virtual void commit(S& state, const Call& call, const Value& result) const = 0;
  // Both or neither are overridden. The default keeps the bytes of the state; enough for types whose states are always small, and without
  // reservations.
  virtual Value before(const S& state, const Call& call, const Value&) const {
    if (call.operation->operation_class == OperationClass::kObserve) return {};
    std::string bytes;
    encode(state, bytes);
    return Value(std::move(bytes));
  }
  virtual void undo(S& state, const Call&, const Value&, const Value& kept) const {
    if (!kept.absent()) state = std::move(static_cast<S&>(*decode(kept.text())));
  }
  virtual void encode(const S& state, std::string& out) const = 0;
  virtual std::unique_ptr<StateParts> parts(const S&) const { return nullptr; }
  // The reader is at the first member of the part.
  virtual bool add_part(S&, StateReader&) const { return false; }
};

}  // namespace claret
