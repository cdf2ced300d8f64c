// Shard, continued: runs of slots that move (docs/decisions/0033-slots-that-move.md).
#include "shard/shard.h"

namespace claret {

std::optional<Error> Shard::drain_give(double wound_after_ms, const Now& now) {
  begin(now);
  return engine_.slot_giver.drain(wound_after_ms);
}

std::optional<Error> Shard::call_off_drain(const Now& now) {
  begin(now);
  return engine_.slot_giver.call_off_drain();
}

std::optional<Error> Shard::call_off_give(const Now& now) {
  begin(now);
  return engine_.slot_giver.call_off();
}

std::optional<Error> Shard::give(const Now& now) {
  begin(now);
  auto error = engine_.slot_giver.give();
  if (!error) watches_.begin_to_end_moved();
  return error;
}

std::optional<Error> Shard::import_piece(std::string_view move, std::uint32_t from, std::string_view piece, const Now& now) {
  begin(now);
  return engine_.slot_taker.import_piece(move, from, piece);
}

std::optional<Error> Shard::take_over(std::string_view move, Timestamp at, const Now& now) {
  begin(now);
  return engine_.slot_taker.take_over(move, at);
}

std::optional<Error> Shard::drop_import(std::string_view move, const Now& now) {
  begin(now);
  return engine_.slot_taker.drop_import(move);
}

}  // namespace claret
