#include <benchmark/benchmark.h>

#include "benches.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  claret::bench::register_wire();
  claret::bench::register_gate();
  claret::bench::register_memory();
  claret::bench::register_telemetry();
  claret::bench::register_types();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
