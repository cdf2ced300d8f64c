#include "transaction/epoch_reports.h"

#include <utility>

#include "wire/epoch_fields.h"

namespace claret {

EpochReports::Open* EpochReports::find(EpochNumber epoch) {
  const auto found = open_.find(epoch);
  return found == open_.end() ? nullptr : &found->second;
}

void EpochReports::closed(EpochNumber epoch, double gathered_ms, double now_ms) {
  if (witness_ == nullptr || open_.size() == kOpenMax) return;
  open_[epoch].told = {.manager = manager_of(epoch), .gathered_ms = gathered_ms, .closed_ms = now_ms};
}

void EpochReports::joined(EpochNumber epoch) {
  if (Open* open = find(epoch)) ++open->members;
}

void EpochReports::kept_out(EpochNumber epoch) {
  if (Open* open = find(epoch)) ++open->told.came_back;
}

void EpochReports::listed(EpochNumber epoch, double now_ms) {
  Open* open = find(epoch);
  if (open == nullptr) return;
  if (open->told.listed_ms == 0) open->told.listed_ms = now_ms;
  if (open->members > 0) return;
  // Nobody was listed: only those that were kept out are worth telling.
  if (open->told.came_back > 0) {
    open->told.decided_ms = open->told.ended_ms = now_ms;
    witness_->epoch_ended(open->told);
  }
  open_.erase(epoch);
}

void EpochReports::decided(EpochNumber epoch, double now_ms) {
  if (Open* open = find(epoch); open != nullptr && open->told.decided_ms == 0) open->told.decided_ms = now_ms;
}

void EpochReports::called_off(EpochNumber epoch, const std::vector<std::uint32_t>& late, double now_ms) {
  Open* open = find(epoch);
  if (open == nullptr) return;
  open->told.called_off = true;
  open->told.late = late;
  decided(epoch, now_ms);
}

void EpochReports::came_back(EpochNumber epoch, double now_ms) {
  Open* open = find(epoch);
  if (open == nullptr) return;
  ++open->told.came_back;
  decided(epoch, now_ms);
  left(epoch, now_ms);
}

void EpochReports::had_turn(const Turn& turn, bool committed, double now_ms) {
  Open* open = find(turn.epoch);
  if (open == nullptr) return;
  decided(turn.epoch, now_ms);
  if (committed) {
    ++(turn.observes_only ? open->told.reads : open->told.writes);
    (turn.observes_only ? open->told.read_operations : open->told.write_operations) += turn.operations;
  }
  left(turn.epoch, now_ms);
}

void EpochReports::left(EpochNumber epoch, double now_ms) {
  Open& open = open_.find(epoch)->second;
  if (--open.members > 0) return;
  open.told.ended_ms = now_ms;
  witness_->epoch_ended(open.told);
  open_.erase(epoch);
}

}  // namespace claret
