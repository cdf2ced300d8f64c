// The records on which transactions wait or meet what is undecided, and the calls that are asked of them: what boards show (boards.h). Not
// thread-safe.
#pragma once

#include <absl/container/inlined_vector.h>

#include <cstddef>
#include <vector>

#include "gate/records.h"
#include "ground/slots.h"
#include "transaction/shard_clock.h"

namespace claret {

class BoardPlaces {
 public:
  // With so much heat a record is hot, unless a test wants less.
  static constexpr double kHeatHot = 3;
  static constexpr double kAskedMs = 1000;

  // A call of which results may be shown.
  struct Asked {
    Call call;
    double at_ms;  // when it was asked last
  };
  static constexpr std::size_t kCallsPerRecordMax = 4;
  // A record's place here. It pins the record.
  struct Place {
    Record* record;
    double heat = 0;
    double heat_at_ms = 0;
    double hot_until_ms = 0;
    absl::InlinedVector<Asked, kCallsPerRecordMax> calls;
  };

  BoardPlaces(Records& records, const ShardClock& clock, double heat_hot) : records_(records), clock_(clock), heat_hot_(heat_hot) {}

  // Something happened to the call on the record. True if the record has become hot.
  bool heat(Record& record, const Call& call, double heat);
  // The call was asked for on a record that has a place here.
  void observed(Record& record, const Call& call) { ask(places_[record.board - 1], call); }

  bool any() const { return !places_.empty(); }
  // Those that are hot now, the hottest first.
  std::vector<const Place*> hottest() const;

  // Frees the places of records that have not been hot for a while.
  void cool();
  // Frees the places of records of the slots.
  void leave(const SlotRun& slots);

 private:
  static constexpr double kHotMs = 200;
  static constexpr double kHalfLifeMs = 100;
  static constexpr double kAskAgainMs = 2;  // a call gives way to another one once it is so old
  static constexpr std::size_t kPlacesMax = 512;

  // Null: there is none for it.
  Place* place_of(Record& record);
  void ask(Place& place, const Call& call);
  void free(Place& place);

  Records& records_;
  const ShardClock& clock_;
  double heat_hot_;
  std::vector<Place> places_;  // those without a record are free
  double cooled_ms_ = 0;
};

// Its result can be predicted from the state: it has one, and it is not new by contract.
inline bool predicts(const OperationSpec& operation) { return operation.result != Kind::kVoid && !operation.fresh; }

}  // namespace claret
