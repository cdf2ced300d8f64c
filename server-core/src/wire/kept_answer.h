// The part of the deduplication table that a checkpoint keeps (docs/wire-format.md), as bytes and back. Protobuf:
//
//   piece := kept(1)*
//   kept  := transaction(1: bytes) at(2: fixed64) until(3: uint64) answer(4: bytes)
//
// `until` is in the shard's own time (log_entry.h), in ms since the Unix epoch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/client_frame.h"

namespace claret {

struct KeptAnswer {
  TransactionId id{};
  Timestamp committed_at = 0;
  std::uint64_t until_wall_ms = 0;
  std::string_view answer;
};

void add_kept_answer(std::string& piece, const KeptAnswer& kept);
// False if the bytes are not a piece. The answers are views into the bytes.
bool read_kept_answers(std::string_view piece, std::vector<KeptAnswer>& kept);

}  // namespace claret
