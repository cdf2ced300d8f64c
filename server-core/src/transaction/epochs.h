// Epochs: moments of the whole cluster at which all their members hold all their records together (after ALOHA-KV; docs/decisions/0039-epochs.md
// has the protocol and its proof).
//
// A member is a transaction whose operations are all known at once. It is *gathered* first, and holds nothing. When the manager closes an epoch,
// each shard *lists* members: they hold all their records here from then on, and have voted. The manager *seals* the epoch once all lists are
// there: a member commits if every shard that takes part in it has listed it, at the greatest of its votes. Each shard then gives the members
// their *turns*, in the order of their commits: their operations are executed and take effect, and the records are let go. What is not
// committed is gathered again. If a shard's list is late, the manager *calls the epoch off*.
//
//   gathered ──close──▶ listed (voted) ──seal──▶ decided ──turn──▶ committed
//       ▲                     └──not listed elsewhere, or called off──┐
//       └─────────────────────────────────────────────────────────────┘
//
// A manager that is silent is needed for no decision: the shards of the epoch settle it among themselves (shard/recovery.h). Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/functional/function_ref.h>

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "counters/counters.h"
#include "gate/locks.h"
#include "transaction/attempt.h"
#include "transaction/attempt_log.h"
#include "transaction/capability.h"
#include "transaction/doubts.h"
#include "transaction/epoch_reports.h"
#include "transaction/epoch_turns.h"
#include "transaction/journal.h"
#include "transaction/shard_clock.h"
#include "wire/epoch_fields.h"

namespace claret {

// What becomes of members.
class EpochKeeper {
 public:
  // The member votes now, and its vote is logged if it has to be. False: it may not, and has ended.
  virtual bool vote_listed(Attempt& member) = 0;
  // Its operations have been executed. It ends. False: it may not commit.
  virtual bool commit_member_of_epoch(Attempt& member, Timestamp at) = 0;
  virtual void refuse_member_of_epoch(Attempt& member, const Refusal& refusal, const Visit& refused) = 0;
  virtual void end_member_of_epoch(Attempt& member, const Error& error) = 0;

 protected:
  ~EpochKeeper() = default;
};

class Epochs final : public Capability {
 public:
  struct Shard {
    std::uint32_t number;
    Locks& locks;
    Journal& journal;
    ShardClock& clock;
    AttemptLog& log;
    Doubts& doubts;
    Counters& counters;
    const Context& context;
  };

  Epochs(const Shard& shard, EpochKeeper& keeper) : shard_(shard), keeper_(keeper), turns_(shard.context) {}

  // ---- members
  // An error if there are too many.
  std::optional<Error> check(std::size_t operations) const;
  // Null: the operations are executable, whatever the state; otherwise the one that is not.
  const Visit* refused(Attempt& member, Refusal& refusal) const;
  // REQUIRES: member.member_of_epoch is set.
  void gather(Attempt& member);
  // The attempt is about to end, whichever way.
  void ended(Attempt& member);
  // A vote from before this start.
  void restore(Attempt& member);

  // The cut of the log (transaction/cut.h) that was prepared is over: members are listed again.
  void go_on();

  // ---- what managers say
  void close(const EpochCloseMessage& close);
  void seal(const EpochSealMessage& seal);
  // `late`: the shards whose lists were.
  void call_off(EpochNumber epoch, const std::vector<std::uint32_t>& late = {});
  // The manager is gone, or restarted: it says nothing any more about its epochs up to now.
  void manager_lost(std::uint32_t manager);

  // ---- what other shards ask. From then on this shard lists nothing in the epoch, and takes no call-off.
  // Returns true if members listed in it are undecided.
  bool asked(EpochNumber epoch);
  // How the others that take part have decided it. `at` 0: it does not commit in its epoch. REQUIRES: it is listed.
  void decide(Attempt& member, Timestamp at);

  // ---- output
  // The managers to be told that members are gathered, of those that are reached.
  std::vector<std::pair<std::uint32_t, EpochWantMessage>> take_wants(absl::FunctionRef<bool(std::uint32_t)> is_reached);
  struct List {
    EpochListMessage message;
    std::uint64_t position;  // of the log, which has to be durable before it leaves
  };
  std::vector<List> take_lists() { return std::exchange(lists_, {}); }
  bool any_lists() const { return !lists_.empty(); }
  // The managers of members that are here. Links to them are wanted.
  ShardList managers() const;

  bool busy() const { return listing_.has_value() || !closes_.empty() || turns_.due(); }
  double next_ms() const;

  void watch(TransactionWitness* witness) override { reports_.watch(witness); }
  void lose(Coordinator&) override {}  // endings.h; a manager's: epoch_exchange.h
  bool settle() override { return false; }
  // Goes on listing, gives turns, and ends members that have waited for too long.
  void turn() override;
  double next_due_ms() const override { return kNeverDue; }  // next_ms() only makes a turn begin
  void due() override {}
  bool change(const Change&) override { return true; }
  void trouble(LogTrouble) override {}
  void started() override {}
  // Only between epochs. Until `go_on` this shard lists nobody; members stay gathered.
  bool may_cut() override;

  std::size_t gathered() const { return gathered_.size(); }
  std::size_t undecided() const { return undecided_; }

 private:
  // A member ends after so many epochs in which locks were in its way, or eight times as many that have not committed it for other reasons: on a busy
  // machine lists are late and parts of members come apart, and by locks it would fare worse.
  static constexpr std::uint32_t kContestedMax = 8;
  static constexpr std::uint32_t kMissesOfContested = 8;
  static constexpr double kWantAgainMs = 50;
  static constexpr double kWantAfterNothingMs = 3;
  static constexpr std::size_t kOperationsPerStep = 4096;
  static constexpr double kFloorAheadMsMax = 60'000;

  struct Epoch {
    std::vector<Attempt*> listed;  // in the order of the list; null once decided
    std::vector<Attempt*> alone;
    std::size_t undecided = 0;
    bool told = false;  // a peer knows of the list: no call-off counts
    bool settling = false;  // among the shards
    double since_ms = 0;
  };
  // A close that is under way.
  struct Listing {
    EpochCloseMessage close;
    bool writers = true;  // they are listed before readers
    std::uint64_t next = 0;  // serial of the member that is looked at next
    std::uint64_t last;  // later ones stay
    Epoch epoch;
    EpochListMessage message;
  };
  struct Want {
    bool told = false;
    double told_ms = 0;
    double heard_ms = 0;  // when its last epoch was listed
  };

  bool begin_listing(const EpochCloseMessage& close);
  // True if it is done.
  bool list_some(std::size_t& budget);
  void end_listing();
  void give_up_listing();
  void list(Attempt& member);
  void miss(Attempt& member);
  void leave_gathered(Attempt& member);
  // The shards decide its members among themselves.
  void settle(Epoch& epoch);
  void commit_in_turn(Attempt& member, Timestamp at);
  void give_turns(std::size_t& budget);
  void end_forgotten();
  bool refuses(EpochNumber epoch) const;

  Shard shard_;
  EpochKeeper& keeper_;
  absl::btree_map<std::uint64_t, Attempt*> gathered_;  // by serial: in order of arrival
  std::size_t gathered_operations_ = 0;
  absl::btree_map<std::uint32_t, std::size_t> gathered_for_;  // members, by manager
  absl::btree_map<std::uint32_t, Want> wants_;  // by manager
  std::deque<EpochCloseMessage> closes_;
  std::optional<Listing> listing_;
  absl::btree_map<EpochNumber, Epoch> epochs_;  // those with undecided members
  std::size_t undecided_ = 0;
  absl::btree_map<std::uint32_t, EpochNumber> newest_;  // by manager: listed, or refused; older ones are refused
  EpochTurns turns_;
  bool paused_ = false;
  std::vector<List> lists_;
  EpochReports reports_;
};

}  // namespace claret
