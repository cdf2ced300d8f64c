// Register: one scalar, read and written as a whole.
//
// State: the scalar, or absent before the first write.
// Results: `get` returns the scalar. `compareAndSet` returns whether the value was the expected one, and writes only then. `exchange` returns
// the value that it replaces, `incrementAndGet` the sum of the committed value and its amount.
//
// Why it rarely commutes: a write replaces every other value. Only calls that agree commute: writes of the same value, a write of the value
// that was read, and a failed compareAndSet. The latter is only a read: it commutes with every write of a value other than the expected
// one. What answers with the value and replaces it goes with nothing; outside transactions it keeps nobody waiting.
#include <array>

#include "adt/adt.h"
#include "adt/state_codec.h"
#include "adt/type_commands.h"
#include "ground/errors.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct RegisterState final : State {
  Value value;
};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kGet = 1, kSet, kCompareAndSet, kExchange, kIncrementAndGet };
enum Modes : Mode { kRead, kWrite, kAnswer };

constexpr std::array kModes = {
    ModeSpec{"read", "reads the value"},
    ModeSpec{"write", "replaces the value, or does so only if it is the expected one"},
    ModeSpec{"answer", "replaces the value, and answers what it was or is"},
};

constexpr std::array kSetParameters = {
    Parameter{"value", Kind::kScalar, "the new value"},
};
constexpr std::array kCompareAndSetParameters = {
    Parameter{"expected", Kind::kOptional, "the value to compare with; absent: none was ever written"},
    Parameter{"value", Kind::kScalar, "the new value"},
};

constexpr std::array kIncrementParameters = {
    Parameter{"n", Kind::kInteger, "the amount; may be negative"},
};

constexpr std::array kOperations = {
    OperationSpec{kGet, "get", {}, Kind::kOptional, OperationClass::kObserve, kRead, "The value; absent if none was ever written."},
    OperationSpec{kSet, "set", kSetParameters, Kind::kVoid, OperationClass::kBlind, kWrite, "Replaces the value."},
    OperationSpec{kCompareAndSet, "compareAndSet", kCompareAndSetParameters, Kind::kBoolean, OperationClass::kBoth, kWrite,
                  "Replaces the value if it equals the expected one, in kind too; answers whether it did."},
    OperationSpec{kExchange, "exchange", kSetParameters, Kind::kOptional, OperationClass::kBoth, kAnswer,
                  "Replaces the value and answers the one before; absent if none was ever written."},
    OperationSpec{kIncrementAndGet, "incrementAndGet", kIncrementParameters, Kind::kInteger, OperationClass::kBoth, kAnswer,
                  "Adds n to the integer, 0 at first, and answers the sum. Refused if the value is no integer (not_an_integer), or if the "
                  "sum would leave "
                  "64 bits (out_of_range).",
                  kReserves},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::array kRules = {
    CommutativityRule{"get", "get", "always"},
    CommutativityRule{"get", "set", "the value set is the one read"},
    CommutativityRule{"get", "compareAndSet", "the compareAndSet failed, or its new value is the expected one"},
    CommutativityRule{"set", "set", "equal values"},
    CommutativityRule{"set", "compareAndSet",
                      "the compareAndSet failed and the value set is not the one it expected, or both values and the "
                      "expected one are equal"},
    CommutativityRule{"compareAndSet", "compareAndSet",
                      "both failed, or one failed and the other does not bring the value it expected, or all values are "
                      "equal"},
    CommutativityRule{"get", "exchange", "never"},
    CommutativityRule{"get", "incrementAndGet", "never"},
    CommutativityRule{"set", "exchange", "never"},
    CommutativityRule{"set", "incrementAndGet", "never"},
    CommutativityRule{"compareAndSet", "exchange", "never"},
    CommutativityRule{"compareAndSet", "incrementAndGet", "never"},
    CommutativityRule{"exchange", "exchange", "never"},
    CommutativityRule{"exchange", "incrementAndGet", "never"},
    CommutativityRule{"incrementAndGet", "incrementAndGet", "never"},
};

// The values that a call relies on and the value that it writes; null where there is none.
struct Footprint {
  const Value* seen = nullptr;  // the value must be this
  const Value* missing = nullptr;  // the value must not be this
  const Value* written = nullptr;

  explicit Footprint(const Held& held) {
    const std::vector<Value>& arguments = held.call->arguments;
    switch (held.call->operation->id) {
      case kGet:
        seen = held.result;
        break;
      case kSet:
      case kExchange:
        written = &arguments[0];
        break;
      case kIncrementAndGet:
        written = held.result;
        break;
      default:
        if (held.result->boolean()) {
          seen = &arguments[0];
          written = &arguments[1];
        } else {
          missing = &arguments[0];
        }
    }
  }

  // Does the other call's write leave this call's result unchanged? If so, no later write with the same property changes the answer.
  bool survives(const Footprint& other) const {
    if (other.written == nullptr) return true;
    return (seen == nullptr || *seen == *other.written) && (missing == nullptr || *missing != *other.written);
  }
};

class Register final : public TypeOf<RegisterState> {
 public:
  std::uint8_t id() const override { return 1; }
  std::string_view name() const override { return "Register"; }
  std::string_view meaning() const override { return "One value: text, integer, number or boolean."; }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }
  std::span<const resp::CommandSpec> commands() const override { return register_commands(); }
  std::string_view redis_type() const override { return "string"; }

  Relation relation(Mode first, Mode second) const override {
    if (first == kAnswer || second == kAnswer) return Relation::kNever;
    return first == kRead && second == kRead ? Relation::kAlways : Relation::kDepends;
  }

 protected:
  bool is_empty(const RegisterState& state) const override { return state.value.absent(); }

  Outcome execute(const RegisterState& state, const Call& call, std::span<const Held> own, const Context&) const override {
    switch (call.operation->id) {
      case kGet:
        return state.value;
      case kCompareAndSet:
        return Value(state.value == call.arguments[0]);
      case kExchange:
        return state.value;
      case kIncrementAndGet:
        return increment(state.value, call.arguments[0].integer(), own);
      default:
        return {};
    }
  }

  // The transaction's earlier writes come first when it commits, and the sum has to be possible then too.
  static Outcome increment(const Value& committed, std::int64_t n, std::span<const Held> own) {
    Value before = committed;
    for (const Held& held : own) write(before, *held.call, *held.result);
    for (const Value* value : {&committed, static_cast<const Value*>(&before)}) {
      if (!value->absent() && !value->is_integer()) return Refusal{errors::kNotAnInteger, "the register holds no integer"};
      std::int64_t sum = 0;
      if (__builtin_add_overflow(integer_of(*value), n, &sum)) {
        return Refusal{errors::kOutOfRange, "adding " + std::to_string(n) + " would leave 64 bits"};
      }
    }
    return Value(integer_of(committed) + n);
  }

  static std::int64_t integer_of(const Value& value) { return value.absent() ? 0 : value.integer(); }

  static void write(Value& value, const Call& call, const Value& result) {
    if (call.operation->id == kIncrementAndGet) {
      value = Value(integer_of(value) + call.arguments[0].integer());
    } else if (const Value* written = Footprint({&call, &result}).written) {
      value = *written;
    }
  }

  bool commutes(const Held& first, const Held& second, const RegisterState&) const override {
    const Footprint a(first);
    const Footprint b(second);
    const bool both_write = a.written != nullptr && b.written != nullptr;
    return a.survives(b) && b.survives(a) && (!both_write || *a.written == *b.written);
  }

  void commit(RegisterState& state, const Call& call, const Value& result) const override { write(state.value, call, result); }

  Value before(const RegisterState& state, const Call& call, const Value& result) const override {
    return Footprint({&call, &result}).written != nullptr ? state.value : Value();
  }

  void undo(RegisterState& state, const Call& call, const Value& result, const Value& kept) const override {
    if (Footprint({&call, &result}).written != nullptr) state.value = kept;
  }

  // ---- Encoding: value ----------------------------------------------------------------------------------------------

  void encode(const RegisterState& state, std::string& out) const override { StateWriter(out).value(state.value); }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override {
    auto state = std::make_unique<RegisterState>();
    StateReader reader(bytes);
    state->value = reader.value();
    if (!reader.complete()) return nullptr;
    return state;
  }
};

}  // namespace

const DataType& register_type() {
  static const Register type;
  return type;
}

}  // namespace claret
