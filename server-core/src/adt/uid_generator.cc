// UIdGenerator: unique identifiers, not sequential ones (the paper, Table 1 and section 5).
//
// State: empty. Uniqueness comes from outside of the record (Context): from the shard's incarnation, which grows with every start, and from
// a counter that gives each number once per incarnation.
// Results: `next` returns a new text: both numbers in base 36, "1c-4f". A record may move to another shard, whose incarnation another one has
// had too: a shard with such records adds its own number, "1c-4f-2". So texts of two numbers come from the shard to which the record was
// dealt at first, and from no other.
//
// Why it commutes: no transaction is promised a particular id, only that the id is unique. A number is drawn when `next` is executed and is
// never given back: an attempt that aborts, or that executes again because it had to wait, uses up a number.
#include <algorithm>
#include <array>

#include "adt/adt.h"

namespace claret {

namespace {

// ---- State ------------------------------------------------------------------------------------------------------------

struct UIdGeneratorState final : State {};

// ---- Operations -------------------------------------------------------------------------------------------------------

enum OperationId : std::uint8_t { kNext = 1 };
enum Modes : Mode { kGenerate };

constexpr std::array kModes = {
    ModeSpec{"generate", "draws an identifier"},
};

constexpr std::array kOperations = {
    OperationSpec{.id = kNext,
                  .name = "next",
                  .parameters = {},
                  .result = Kind::kText,
                  .operation_class = OperationClass::kBoth,
                  .mode = kGenerate,
                  .meaning = "A new identifier of the characters 0-9, a-z and -. This record never answers it again.",
                  .fresh = true},
};

std::string base36(std::uint64_t number) {
  static constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  do {
    text.push_back(kDigits[number % 36]);
    number /= 36;
  } while (number > 0);
  std::reverse(text.begin(), text.end());
  return text;
}

// ---- Commutativity ----------------------------------------------------------------------------------------------------

constexpr std::array kRules = {
    CommutativityRule{"next", "next", "always"},
};

class UIdGenerator final : public TypeOf<UIdGeneratorState> {
 public:
  std::uint8_t id() const override { return 3; }
  std::string_view name() const override { return "UIdGenerator"; }
  std::string_view meaning() const override { return "Unique identifiers. They are not sequential, so nobody has to wait for one."; }
  std::span<const OperationSpec> operations() const override { return kOperations; }
  std::span<const ModeSpec> modes() const override { return kModes; }
  std::span<const CommutativityRule> rules() const override { return kRules; }

  Relation relation(Mode, Mode) const override { return Relation::kAlways; }

 protected:
  bool commutes(const Held&, const Held&, const UIdGeneratorState&) const override { return true; }

  Outcome execute(const UIdGeneratorState&, const Call&, std::span<const Held>, const Context& context) const override {
    std::string id = base36(context.incarnation) + "-" + base36(++context.numbers_drawn);
    if (context.foreign_plus_one != 0) id += "-" + base36(context.foreign_plus_one - 1);
    return Value(std::move(id));
  }

  void commit(UIdGeneratorState&, const Call&, const Value&) const override {}

  Value before(const UIdGeneratorState&, const Call&, const Value&) const override { return {}; }

  // The number stays used up.
  void undo(UIdGeneratorState&, const Call&, const Value&, const Value&) const override {}

  // ---- Encoding: empty ------------------------------------------------------------------------------------------------

  void encode(const UIdGeneratorState&, std::string&) const override {}

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override { return bytes.empty() ? create() : nullptr; }
};

}  // namespace

const DataType& uid_generator_type() {
  static const UIdGenerator type;
  return type;
}

}  // namespace claret
