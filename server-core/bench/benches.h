// What is measured; each in its file.
#pragma once

namespace claret::bench {

void register_types();  // types_bench.cc: execute and commit of every operation
void register_gate();  // gate_bench.cc: coming to a gate and leaving it
void register_wire();  // wire_bench.cc: frames in and out, whole transactions through a shard
void register_memory();
void register_telemetry();  // memory_bench.cc: bytes of records

}  // namespace claret::bench
