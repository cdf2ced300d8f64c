// The benchmarks, each in its own file.
#pragma once

namespace claret::bench {

void register_types();  // types_bench.cc: execute and commit of every operation
void register_gate();  // gate_bench.cc: admission at a gate, and release
void register_wire();  // wire_bench.cc: frames in and out, whole transactions through a shard
void register_memory();  // memory_bench.cc: bytes of records
void register_telemetry();  // telemetry_bench.cc: a shard watched and not watched

}  // namespace claret::bench
