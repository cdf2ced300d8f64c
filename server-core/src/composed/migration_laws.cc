#include "composed/migration_laws.h"

#include <memory>
#include <ostream>
#include <utility>

#include "composed/composed_type.h"
#include "composed/type_table.h"
#include "ground/errors.h"

namespace claret::laws {

namespace {

constexpr int kEarlierCallsMax = 12;

// What a record has seen before its type's later version, and two calls, either of which may touch it first afterwards.
struct Earlier {
  const DataType* type;
  std::vector<Transaction> history;
  Transaction first, other;
};

std::ostream& operator<<(std::ostream& out, const Earlier& earlier) {
  out << earlier.type->name() << "\n  an earlier version has: ";
  for (const Transaction& transaction : earlier.history) laws::operator<<(out, transaction.calls);
  laws::operator<<(out << "\n  then comes: ", earlier.first.calls);
  return laws::operator<<(out << "or ", earlier.other.calls);
}

std::string bytes_in(const DataType& type, const State& state) {
  std::string bytes;
  type.encode(state, bytes);
  return bytes;
}

// Touches a record with these bytes by that call. Fails the running property if its migration fails.
std::string touched(const DataType& type, const std::string& left, const Call& call) {
  const std::unique_ptr<State> state = type.decode(left);
  if (state == nullptr) RC_FAIL("migrations: the later version cannot read the record");
  const Outcome outcome = type.execute(*state, call, {}, Context{1});
  if (outcome.refused() && outcome.refusal().code == errors::kRecordQuarantined) RC_FAIL("migrations: " + outcome.refusal().message);
  return bytes_in(type, *state);
}

}  // namespace

std::string find_migration_counterexample(const std::string& before, const std::string& later, const Effort& effort) {
  // Calls that were drawn once are drawn again when a case is made smaller, so their types outlive all of them.
  const composed::ComposedType before_type(composed::kFirstComposedId, composed::parse_definition(before).definition);
  const composed::ComposedType later_type(composed::kFirstComposedId, composed::parse_definition(later).definition);
  return find_failure("migrations", effort, [&] {
    const Context context{1};
    const Earlier drawn = *rc::gen::exec([&] {
      const DataType& type = before_type;
      auto history = draw_up_to<Transaction>(kEarlierCallsMax, [&] { return draw_transaction(type, nullptr, 1); });
      return Earlier{&type, std::move(history), draw_transaction(later_type, nullptr, 1), draw_transaction(later_type, nullptr, 1)};
    });
    const DataType& type = before_type;
    std::unique_ptr<State> state = type.create();
    for (const Transaction& transaction : drawn.history) {
      const Call& call = transaction.calls.front();
      const Outcome outcome = type.execute(*state, call, {}, context);
      if (!outcome.refused()) type.commit(*state, call, outcome.result());
    }
    const std::string left = bytes_in(type, *state);
    if (touched(later_type, left, drawn.first.calls.front()) != touched(later_type, left, drawn.other.calls.front()))
      RC_FAIL("migrations: what the record becomes depends on the operation that touches it first");
  });
}

}  // namespace claret::laws
