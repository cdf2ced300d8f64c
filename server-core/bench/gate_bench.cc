// Entering a record's gate and leaving it: alone, and with holders of the same mode that all commute. The cost must not depend on the
// number of holders.
#include <benchmark/benchmark.h>

#include <deque>

#include "adt/registry.h"
#include "benches.h"
#include "gate/judge.h"
#include "samples.h"

namespace claret::bench {

namespace {

struct Table {
  explicit Table(const DataType& data_type) {
    record.key = "hot";
    record.type = &data_type;
    record.state = filled(data_type, 2'000);  // enough for a thousand operations to take from
    record.gate = std::make_unique<Gate>();
  }

  Visit& visit(Party& party, const OperationSpec& operation, std::uint64_t number) {
    Visit& made = party.visit(record);
    made.type = record.type;
    made.call = sample_call(operation, number);
    made.mode = rule.mode_of(made);
    return made;
  }

  Record record;
  LockRule rule{LockKind::kAbstract};
  Context context{1};
};

void come_and_go(benchmark::State& bench, const DataType& type, const OperationSpec& operation, std::uint64_t holders) {
  Table table(type);
  std::deque<Party> parties(holders);
  Refusal refusal;
  for (std::uint64_t i = 0; i < holders; ++i) {
    Visit& visit = table.visit(parties[i], operation, i % 1000);
    if (!admit(visit, table.rule, table.context, refusal).passes()) {
      bench.SkipWithError("a holder was not let in");
      return;
    }
    table.record.gate->add_holder(visit, 0);
  }
  Party party;
  Visit& visit = table.visit(party, operation, 5);
  for (auto _ : bench) {
    if (!admit(visit, table.rule, table.context, refusal).passes()) {
      bench.SkipWithError("not let in");
      return;
    }
    table.record.gate->add_holder(visit, 0);
    table.record.gate->remove_holder(visit);
    withdraw(visit);
  }
}

}  // namespace

void register_gate() {
  for (const DataType* type : all_types()) {
    for (const OperationSpec& operation : type->operations()) {
      if (type->relation(operation.mode, operation.mode) != Relation::kAlways) continue;
      if (operation.operation_class == OperationClass::kObserve) continue;
      for (const std::uint64_t holders : {0, 10, 100, 1'000}) {
        const std::string name =
            "gate/" + std::string(type->name()) + '.' + std::string(operation.name) + "/holders:" + std::to_string(holders);
        const OperationSpec* spec = &operation;
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& bench) { come_and_go(bench, *type, *spec, holders); });
      }
    }
  }
}

}  // namespace claret::bench
