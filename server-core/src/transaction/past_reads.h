// Reads of the past: natives that only observe, with a time as of which they do.
//
// The shard's clock is raised to that time, so all that is yet to be voted on comes later. What has voted at that time or before may be
// committed then, so the read waits for its outcome. It waits at no gate: nobody waits for it.
//
// A read for a snapshot transaction is refused (`snapshot_behind`) if it would leave out what may have been acknowledged before the transaction
// began, since the shards' clocks differ: a change that commits later than the snapshot, and for which this shard voted before the transaction
// began, as far as is known here. The message says how old the transaction was when it left. It was under way for some time, so the
// transaction began no later than its arrival less that age. The vote counts, not the commit: a client acknowledges a commit once it has all
// votes, before the shards learn of it. A change that committed while nothing was kept has no known vote: it counts as early.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "counters/counters.h"
#include "gate/locks.h"
#include "gate/native.h"
#include "transaction/capability.h"
#include "transaction/intake.h"
#include "transaction/native_run.h"
#include "transaction/past.h"

namespace claret {

class PastReads final : public Capability {
 public:
  struct Shard {
    Records& records;
    Locks& locks;
    ShardClock& clock;
    Effects& effects;
    Past& past;
    Counters& counters;
    const Context& context;
    NativeRun& run;
  };
  explicit PastReads(const Shard& shard) : shard_(shard) {}

  // Raises the clock to the message's time. False if nothing can be asked of that time; the native has failed then. `record`: null if nothing was
  // ever there.
  bool begin(const Record* record, const TakenOperation& taken, const OperationMessage& message, std::uint64_t number);
  // Reads the record, or waits. REQUIRES: `begin` says so.
  void take(Record& record, const TakenOperation& taken, const OperationMessage& message, std::uint64_t number);
  // The native has read for a snapshot transaction: its changes are kept, and what is known of its begin.
  void note_snapshot(const OperationMessage& message, std::uint64_t number);

  void watch(TransactionWitness*) override {}
  void lose(Coordinator& coordinator) override;
  bool settle() override { return false; }
  // Tries again those that wait for an outcome, and fails those that have waited for too long.
  void turn() override;
  double next_due_ms() const override {
    return waiting_.empty() ? kNeverDue : waiting_.front().since_ms + patience_of(shard_.locks).wait_ms;
  }
  void due() override {}  // the turn has come, which is enough
  bool change(const Change& change) override;
  void trouble(LogTrouble) override {}
  void started() override {}
  bool may_cut() override { return true; }

 private:
  struct PastRead : Native {
    Timestamp at = 0;
    Coordinator* coordinator = nullptr;
    std::uint64_t number = 0;
    double since_ms = 0;
    // Of a read for a snapshot transaction: the transaction has begun by then. Of another read: before all times.
    double begun_by_ms = -std::numeric_limits<double>::infinity();

    bool is_of_snapshot() const { return begun_by_ms > -std::numeric_limits<double>::infinity(); }
  };

  // Something may be committed at the read's time or before, and would change what it sees.
  bool is_undecided(const PastRead& read) const;
  // Something that commits later than the snapshot, and that the read would have seen, may have been acknowledged before its transaction began:
  // a holder has voted by then; or so has a change that has committed.
  bool is_behind_holder(const PastRead& read) const;
  bool is_behind(const PastRead& read, const Past::Version& version) const;
  void fail_behind(const PastRead& read);
  // The transaction for which the message's native reads has begun by then.
  double begun_by_ms(const OperationMessage& message) const;
  // REQUIRES: nothing is undecided.
  void read(PastRead& read);
  void count_age(const PastRead& read);
  // `end` answers the read, which has waited.
  void answer(PastRead& read, const std::function<void(PastRead&)>& end);

  Shard shard_;
  std::vector<PastRead> waiting_;  // in order of arrival
};

}  // namespace claret
