// Boards: results of observing operations on hot records, pushed to the sessions that forecast their transactions, and peeks, which complete
// them (docs/decisions/0028-forecasts-and-chains.md).
//
// A record becomes *hot* by its heat: each claim that has to wait there counts, and each member that is executed on top of something undecided.
// One that has changed since the picture that a peek is to complete is hot at once, since it would be in the way of the next forecasts too.
// At most every 2 ms (times the sessions that get boards, up to 10 ms) a *mark* is taken of the hot records: the results of the operations that
// were asked there lately, executed on the tips.
// It is *published* once every member that was undecided then has committed and the log is durable up to there. So a board never shows an
// effect that is taken out later, and all its results were right at one moment: that of the mark. If one of those members is taken
// out, the mark is dropped.
//
// A peek is answered at once, on the committed state of a record on which nothing undecided is, if no voted change may alter the result; it only
// predicts.
// Neither shows results of operations that reserve while attempts hold reservations on the record, since these count in such a result.
// Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gate/locks.h"
#include "gate/records.h"
#include "transaction/board_places.h"
#include "transaction/capability.h"
#include "transaction/chain.h"
#include "transaction/coordinator.h"
#include "transaction/journal.h"
#include "transaction/shard_clock.h"
#include "transaction/slot_table.h"
#include "wire/client_frame.h"

namespace claret {

class Boards final : public ConflictListener, public Capability {
 public:
  struct Shard {
    Records& records;
    Journal& journal;
    ShardClock& clock;
    const Context& context;
    const SlotTable& slots;
    const Locks& locks;
    double heat_hot = BoardPlaces::kHeatHot;  // with less, a record is not hot; 1: each that conflicts is
  };

  // `has_output` is called for every session that gets output.
  Boards(const Shard& shard, std::function<void(Coordinator&)> has_output)
      : shard_(shard), has_output_(std::move(has_output)), places_(shard.records, shard.clock, shard.heat_hot) {}

  // ---- what makes records hot
  void waits(const Claim& claim) override;
  // The call came upon something undecided on the record, or has to wait for it.
  void met(Record& record, const Call& call);
  // The call was asked for on a record that has a place among the hot ones.
  void observed(Record& record, const Call& call) { places_.observed(record, call); }

  // ---- sessions
  void want(Coordinator& coordinator, bool wanted);
  void peek(Coordinator& coordinator, PeekMessage& message);

  // ---- what becomes of undecided members
  // The member, and perhaps others after it, had no effect: marks that may show one are dropped.
  void taken_out(const Chain& chain, std::uint64_t n);
  void forget(const Chain& chain) { taken_out(chain, 0); }

  // Publishes marks that have become certain, and takes one if it is due. `chains`: all of the shard.
  void show(std::span<Chain* const> chains);
  // When show() has something to do although nothing else happens; infinity if never.
  double next_ms() const;

  void watch(TransactionWitness*) override {}
  void lose(Coordinator& coordinator) override {
    std::erase_if(readers_, [&](const Reader& reader) { return reader.coordinator == &coordinator; });
  }
  bool settle() override { return false; }
  void turn() override {}  // show() comes at its end, once all is decided that this turn decides
  double next_due_ms() const override { return kNeverDue; }
  void due() override {}
  bool change(const Change& change) override;
  void trouble(LogTrouble) override {}
  void started() override {}
  bool may_cut() override { return true; }

 private:
  static constexpr double kMarkEveryMs = 2;  // for each session that gets boards, of at most:
  static constexpr std::size_t kMarkSessionsMax = 5;
  static constexpr std::size_t kCallsMax = 256;
  static constexpr std::size_t kResultBytesMax = 256;
  static constexpr std::size_t kMarksMax = 2;

  struct ShownCall {
    Call call;
    std::uint32_t code;
    Value result;

    bool operator==(const ShownCall& other) const {
      return code == other.code && call.arguments == other.call.arguments && result == other.result;
    }
  };
  using Picture = absl::btree_map<std::string, std::vector<ShownCall>>;  // by key
  struct Mark {
    Timestamp at;
    Picture picture;
    // The members that were undecided: those of the chain up to n, also those in its batch.
    struct Undecided {
      const Chain* chain;
      std::uint64_t number;
      std::uint64_t n;
    };
    std::vector<Undecided> undecided;
    std::uint64_t needs = 0;  // the position of the log that must be durable; 0: not known yet
  };
  struct Reader {
    Coordinator* coordinator;
    bool begun = false;  // it has got a board
  };

  void heat(Record& record, const Call& call, double heat);
  void mark(std::span<Chain* const> chains);
  // `hides`: becomes true if a call is left out because of a vote or of reservations.
  Picture picture(Timestamp at, bool& hides) const;
  bool is_certain(Mark& mark) const;
  void publish(Mark mark);
  // Each board costs each session a frame. With many sessions, frames and their boards would be most of the work, and somewhat older boards
  // predict as well.
  double mark_every_ms() const { return kMarkEveryMs * static_cast<double>(std::clamp<std::size_t>(readers_.size(), 1, kMarkSessionsMax)); }
  // Something may have changed since the last mark.
  bool is_due() const { return shard_.clock.reached() != marked_at_; }
  // Or to be taken back.
  bool any_to_show() const { return places_.any() || !shown_.empty(); }
  void tell(Reader& reader, Timestamp at, const Picture& before, const Picture& now);

  Shard shard_;
  std::function<void(Coordinator&)> has_output_;
  BoardPlaces places_;
  std::vector<Reader> readers_;
  std::vector<Mark> marks_;  // pending, oldest first
  Picture shown_;  // by the last board
  double marked_ms_ = 0;
  Timestamp marked_at_ = 0;  // of the last mark; 0: it was dropped, or lacks something
};

}  // namespace claret
