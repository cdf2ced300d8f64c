// The contract of a data type: everything the rest of Claret ever asks one.
//
// A type is a stateless singleton derived from `TypeOf<State>`, one .cc file, one line in registry.cc. The record's
// state is an object of the type's own; the gate holds it and hands it back.
//
// An operation has two parts (the paper, section 3): *execute* computes a result on the committed state without changing
// it; *commit* changes the state and cannot fail: whatever can go wrong is refused in execute. Between the two the
// operation *holds* the record's gate. Pending effects of others are never visible.
//
// The gate's rule (the paper, section 5.1): an operation may join the holders only if, whichever of them commit, in
// whatever order, or abort, its result and theirs stay what they are, every commit can be applied, and the final state
// is the same. A type says so in three ways, each finer than the one before:
//   modes      `relation(mode, mode)` answers for two modes: always, never, or it depends;
//   pairwise   where it depends, `commutes(call, result, call, result, state)` is asked for each holder. A yes must stay
//              true in every state that holders compatible with both can produce;
//   summed     `reserve` may still answer "wait" by looking at the sum of all reservations it keeps (escrow).
//
// Thread safety: none needed, none given. Nothing here reads a clock, draws a random number or lets a hash order out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adt/value.h"
#include "ground/identifiers.h"

namespace claret {

// What a parameter accepts and what a result is.
enum class Kind : std::uint8_t {
  kVoid,  // no result
  kBoolean,
  kInteger,  // 64-bit
  kNumber,  // finite double; an integer is taken too
  kText,  // up to 64 KiB
  kScalar,  // text, integer, number, boolean
  kOptional,  // scalar or absent
  kTexts,  // list of text
  kScalars,  // list of optional, one per asked field
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
  kBlind,  // change that overwrites, whatever stood there: later timestamp wins
};

struct Parameter {
  std::string_view name;
  Kind kind;
  std::string_view meaning;
};

// A mode is a group of a type's operations that queue together and, mostly, hold the gate together (the paper, 5.1.2).
// Numbered from 0 within the type, at most kModesMax of them.
using Mode = std::uint8_t;
inline constexpr std::size_t kModesMax = 8;

struct OperationSpec {
  std::uint8_t id;  // stable, from 1; part of the wire's code
  std::string_view name;
  std::span<const Parameter> parameters;
  Kind result;
  OperationClass operation_class;
  Mode mode;
  std::string_view meaning;
  // It takes a reservation (escrow): only the shard knows whether it may, so it joins nobody without asking there.
  bool reserves = false;
  // The result is new each time, by promise: no order of commits changes it, and a replay need not give it again.
  bool fresh = false;
};

inline constexpr bool kReserves = true;

struct ModeSpec {
  std::string_view name;
  std::string_view meaning;
};

enum class Relation : std::uint8_t { kAlways, kNever, kDepends };

// What a row of the commutativity table comes to.
enum class Ruling : std::uint8_t {
  kAlways,
  kNever,
  kDepends,  // on arguments, results or the state: pair by pair
  kSummed,  // every pair of them; but one whose reservation is not sure waits for the others
};

// One row of the commutativity table in words, for the catalogue: derived pages show it. First, second: operation names.
struct CommutativityRule {
  std::string_view first;
  std::string_view second;
  // "always"; "never"; "always; " and what waits nevertheless; or the condition: "different items, or equal scores".
  std::string_view when;

  Ruling ruling() const {
    if (when == "always") return Ruling::kAlways;
    if (when == "never") return Ruling::kNever;
    return when.starts_with("always;") ? Ruling::kSummed : Ruling::kDepends;
  }
};

// Combining (the paper, 5.2 and Figure 4): when an app server's transaction may join an operation that another one of the
// same app server holds, without asking the shard. The result must follow from the held call and its result alone, so
// that it stays right for as long as that one holds. A call that equals the held one follows from it by every rule
// between an operation and itself; what else does, the rule says. Void operations follow only where they equal the held
// one; that one of a mode covers others of its mode needs no rule.
enum class JoinHow : std::uint8_t {
  kEqual,  // nothing else
  kPrefix,  // parameter: a count; the first of the held items
  kFirst,  // the first of the held items, or absent; the held call asks for one at least
  kFields,  // parameter: a list of names; some of those the held call asked for, in any order
  kSubRange,  // parameter and the next: first and last rank; a stretch of the held one, both counted from the start
  kSubRangeByScore,  // parameter and the next three: min, max, limit, after
};

struct JoinRule {
  std::uint8_t holder;  // ids of operations of the type
  std::uint8_t joiner;
  JoinHow how;
  std::uint8_t parameter = 0;  // index of the first parameter that may differ; all others are equal
};

// An operation with its arguments, already checked against its spec.
struct Call {
  const OperationSpec* operation = nullptr;
  std::vector<Value> arguments;
};

// An operation that holds the gate, or would.
struct Held {
  const Call* call;
  const Value* result;
};

// Why execute refuses. `code` is one of errors.h; never retryable: the same call on the same state is refused again.
struct Refusal {
  std::string_view code;
  std::string message;
};

// What the record is, beside its state.
struct Context {
  std::uint64_t incarnation;  // of the shard's start
  // How many numbers this incarnation has drawn for unique ids. The one thing that execute may advance, so there is one
  // Context per shard. Kept here and not in a state: a record that vanishes with its last abort must not issue a number
  // again.
  mutable std::uint64_t numbers_drawn = 0;
};

class Outcome {  // of execute: a result (absent for void), or a refusal
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

// A record's contents; the type that made it knows what it is.
class State {
 public:
  virtual ~State() = default;
};

// The bytes of a state, a part at a time, while operations go on to be applied to it: together the parts are what `encode`
// gave when the walk began. REQUIRES: the state outlives it.
class StateParts {
 public:
  virtual ~StateParts() = default;
  // Appends the next part, which may be empty, and takes time as `bytes_wanted` bytes do; a member is never cut in two.
  // True: there is more.
  virtual bool next(std::size_t bytes_wanted, std::string& out) = 0;
  // Before this operation, and every other, is applied to the state.
  virtual void before(const Call& call) = 0;
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
  // At most one for a holder and a joiner. Never for operations that reserve, or whose result is fresh.
  virtual std::span<const JoinRule> joins() const { return {}; }

  // The empty record: what every key holds before its first commit.
  virtual std::unique_ptr<State> create() const = 0;

  // Computes the result on the committed state. `own`: what the same transaction already holds on this record, in order
  // of issue; only for checks that keep commit total, never to read own writes.
  virtual Outcome execute(const State& state, const Call& call, std::span<const Held> own, const Context& context) const = 0;

  // Symmetric.
  virtual Relation relation(Mode first, Mode second) const = 0;

  // Asked where relation says kDepends. Symmetric.
  virtual bool commutes(const Held& first, const Held& second, const State& committed) const = 0;

  // Summed types: may the call be promised, given all reservations kept beside the state? kYes takes the reservation,
  // which `release` gives back on commit (just before it) and on abort. `own` as in execute; without it a transaction
  // may wait for itself.
  enum class Reservation : std::uint8_t { kYes, kWait };
  virtual Reservation reserve(State&, const Call&, const Value& /*result*/, std::span<const Held> /*own*/ = {}) const {
    return Reservation::kYes;
  }
  virtual void release(State&, const Call&, const Value& /*result*/) const {}

  // Applies the operation. Total. `at` is the transaction's commit timestamp; commuting operations arrive in any order of
  // timestamps.
  virtual void commit(State& state, const Call& call, const Value& result, Timestamp at) const = 0;

  // The state as bytes, and back. Deterministic: equal states give equal bytes. Reservations are not part of it.
  virtual void encode(const State& state, std::string& out) const = 0;
  // The same bytes in parts, for states that grow; null where they never take long. Begins at the state as it is.
  virtual std::unique_ptr<StateParts> parts(const State&) const { return nullptr; }
  // Null when the bytes are not a state of this type.
  virtual std::unique_ptr<State> decode(std::string_view bytes) const = 0;

  const OperationSpec* find(std::string_view operation_name) const;
  const OperationSpec* find(std::uint8_t operation_id) const;
};

// Saves a type from casting: derive from TypeOf<MyState>, with MyState derived from State, and write the typed virtuals.
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
  void release(State& state, const Call& call, const Value& result) const final { release(static_cast<S&>(state), call, result); }
  void commit(State& state, const Call& call, const Value& result, Timestamp at) const final {
    commit(static_cast<S&>(state), call, result, at);
  }
  void encode(const State& state, std::string& out) const final { encode(static_cast<const S&>(state), out); }
  std::unique_ptr<StateParts> parts(const State& state) const final { return parts(static_cast<const S&>(state)); }

 protected:
  virtual Outcome execute(const S& state, const Call& call, std::span<const Held> own, const Context& context) const = 0;
  virtual bool commutes(const Held& first, const Held& second, const S& committed) const = 0;
  virtual Reservation reserve(S&, const Call&, const Value&, std::span<const Held>) const { return Reservation::kYes; }
  virtual void release(S&, const Call&, const Value&) const {}
  virtual void commit(S& state, const Call& call, const Value& result, Timestamp at) const = 0;
  virtual void encode(const S& state, std::string& out) const = 0;
  virtual std::unique_ptr<StateParts> parts(const S&) const { return nullptr; }
};

}  // namespace claret
