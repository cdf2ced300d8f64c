// Chains: transactions that are sent whole, executed ahead of their commits, and answered (docs/decisions/0028-forecasts-and-chains.md).
//
// A member of a chain *enters* once no lock and no other chain is in its way on any of its records: all its operations are executed, its
// effects are applied, and its client gets the results. The client's word commits it, in the order of the chain. If the client withdraws it
// instead, its effects are undone, and what was executed on top of it is executed again and answered again. Everything irregular *breaks* the
// chain: all that is undecided of it is undone, and its client begins a new one.
//
// A member never waits for a lock: one that meets a lock is refused, so no cycle of waits mixes members and locked attempts. It waits for
// other chains, in the *turn queue*, first come, first served, and holds nothing meanwhile.
//
// A chain spans shards: it has the same number in the sessions of its client. A *wide* member has parts at several shards, and commits in a
// *batch*: an attempt that votes, whose operations are those of its members (batches.cc). It votes at once, since nothing undecided is below
// it. Until its outcome comes its effects stay in the runs, below all that enters, or it *stands back*: the chain is broken, the effects are
// undone, and the batch goes on as an ordinary attempt that has voted, under locks.
//
// Nothing undecided is logged, put into a checkpoint, shown to a watch or counted as a commit, except for the vote of a batch, as it is for
// every attempt. Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gate/locks.h"
#include "gate/records.h"
#include "ground/learnt_patience.h"
#include "transaction/attempt_log.h"
#include "transaction/boards.h"
#include "transaction/capability.h"
#include "transaction/chain.h"
#include "transaction/chain_replies.h"
#include "transaction/coordinator.h"
#include "transaction/effects.h"
#include "transaction/journal.h"
#include "transaction/outcomes.h"
#include "transaction/shard_clock.h"
#include "transaction/warranties.h"
#include "transaction/witness.h"
#include "wire/client_frame.h"

namespace claret {

;

// A member that waits for its turn, the first of its operations that another chain keeps waiting, and the newest one in its way.
struct TurnWait {
  const Member* member;
  const Visit* visit;
  const Visit* blocker;
};

// The participant, as its chains see it.
class MemberKeeper {
 public:
  // Begins a member, with its visits. An error if that cannot be; then the member has what visits were taken.
  virtual std::unique_ptr<Member> begin_member(Coordinator& coordinator, MemberMessage& message, double arrived_ms,
                                               std::optional<Error>& error) = 0;
  // Notes the commit of a member that is about to leave.
  virtual void member_committed(Member& member, Timestamp at, std::uint64_t position) = 0;
  // The batch has voted, and the other participants are to be asked for its outcome. `reason`: one of reasons::.
  virtual void put_in_doubt(Attempt& batch, std::string_view reason) = 0;

 protected:
  ~MemberKeeper() = default;
};

inline LearntPatience learnt(const Patience& patience) { return {patience.chain_least_ms, patience.chain_most_ms, patience.chain_times}; }

class Chains final : public Capability {
 public:
  struct Shard {
    Locks& locks;
    Journal& journal;
    ShardClock& clock;
    Effects& effects;
    AttemptLog& log;
    Outcomes& outcomes;
    Counters& counters;
    const Context& context;
    Boards& boards;
    Warranties& warranties;
  };

  // `has_output` is called for every session that gets output.
  Chains(const Shard& shard, MemberKeeper& keeper, std::function<void(Coordinator&)> has_output)
      : shard_(shard),
        patience_(learnt(patience_of(shard.locks))),
        keeper_(keeper),
        replies_(shard.journal, shard.clock, std::move(has_output)) {}

  // ---- input
  void take(Coordinator& coordinator, MemberMessage& message, double arrived_ms);
  void withdraw(Coordinator& coordinator, const WithdrawnMessage& message);
  void word(Coordinator& coordinator, const WordMessage& message);
  // The session's chain has this number now: older ones are over.
  void renew(Coordinator& coordinator, std::uint64_t number);

  // ---- batches (batches.cc)
  // Nothing if the batch consists of the first undecided members, as its client knows them. `changes_something`: set then.
  std::optional<Error> check_batch(Coordinator& coordinator, const BatchMessage& message, bool& changes_something);
  // The batch will not vote: its chain is broken.
  void refuse_batch(Coordinator& coordinator, const BatchMessage& message, const Error& error);
  // The attempt is this batch, and votes. REQUIRES: check_batch has found nothing.
  void form_batch(Attempt& attempt, const BatchMessage& message);
  // The batch has its outcome. To be called before anything is known of it; does nothing for a batch that has stood back.
  void commit_batch(Attempt& attempt, Timestamp at, std::uint64_t position);
  void abort_batch(Attempt& attempt);
  // The batch goes on as an attempt under locks, if it does not yet. `reason`: one of reasons::.
  void stand_back(Attempt& attempt, std::string_view reason);

  void watch(TransactionWitness* witness) override { witness_ = witness; }
  // Everything undecided of the session's chain is undone.
  void lose(Coordinator& coordinator) override;
  // Lets in the members whose turn has come.
  bool settle() override;
  void turn() override {}
  // Chains that have kept others waiting for too long are broken.
  double next_due_ms() const override;
  void due() override;
  // What has been executed, and waits for its commit, would be logged behind the change.
  bool change(const Change& change) override;
  void trouble(LogTrouble why) override;
  void started() override {}
  bool may_cut() override { return true; }

  // In order of creation.
  std::span<Chain* const> all() const { return all_; }
  // The number of members that have come and are undecided, in chains and batches.
  std::size_t members() const;
  // The number of operations that were executed again so far, because a member below was taken out.
  std::uint64_t executed_again() const { return executed_again_; }
  // At most that many, those of the queue's first chain first. Members that wait only for others of their chain are left out.
  std::vector<TurnWait> turn_waits(std::size_t most) const;

 private:
  enum class Tried : std::uint8_t { kWaits, kLeft };
  // How a member leaves the runs of its records (withdrawals.cc).
  class Removal;

  Chain& chain_of(Coordinator& coordinator);
  void wait(Chain& chain, std::unique_ptr<Member> member);
  // Gives the chain its place in the queue. REQUIRES: it has members that wait, and is not in the queue.
  void queue(Chain& chain);
  bool must_yield(const Chain& chain, std::size_t ahead) const;
  // Lets the member in, or refuses it; the pointer is null then.
  Tried try_enter(std::unique_ptr<Member>& member);
  // Waits for its turn at a run, passes, or is denied; then `error` is set.
  Verdict judge(const Member& member, Error& error) const;
  Error denied(const Member& member, const Visit& visit, Why why) const;
  void recall_violated(const Member& member, const Record& record) const;
  // The member's first visit to a record that is being drained; null if there is none.
  const Visit* drained(const Attempt& member) const;
  // Breaks chains that keep wide members of an earlier turn waiting.
  void displace();
  // A chain that keeps the first waiting member of `chain` waiting, and has entered a wide member of a later turn. Null if there is none.
  Chain* sent_later(const Chain& chain, Timestamp turn) const;
  bool overtakes_first(const Member& member) const;
  bool may_commit(const Member& member) const;
  // REQUIRES: it may not commit.
  Error too_late(const Member& member) const;
  void enter(std::unique_ptr<Member> member);
  // Executes the visits, which are of one party; none of them has taken effect. Their reservations are given back, since nobody else
  // can reserve beside them. Returns the visit that is refused, or null.
  const Visit* execute(std::span<Visit* const> visits, Refusal& refusal);
  // The member waits: names the first operation of another chain in its way.
  void count_turn_conflict(Member& member) const;
  // Null if no other chain is in the way of the member's visits. `wants`: which of them it keeps waiting.
  static const Visit* other_chain(const Member& member, const Visit*& wants);

  // Commits the first undecided member.
  void commit(Chain& chain);
  // Commits members that end by themselves, as long as one is the first undecided one.
  void advance(Chain& chain);
  // The members of the word are the first undecided ones of the chain, but for those that end by themselves.
  bool names_first(const Chain& chain, const WordMessage& message) const;
  // The client has named the member `n`, knows its newest answer, and it may commit.
  bool stands(const Member& member, std::uint64_t n, std::uint64_t answers) const;
  // `needs`: the position of the log that must be durable before the client of a member that ends by itself may know.
  void refuse(std::unique_ptr<Member> member, const Error& error, std::uint64_t needs);
  void tell_abort(const Attempt& member, std::string_view code, std::string_view cause) const;

  // `error`: what its client is told; null: it was withdrawn.
  void take_out(Chain& chain, std::size_t index, const Error* error = nullptr);
  void refuse_those_that_leave(Chain& chain, const Removal& removal);
  void count_again(const Visit& gone, const Visit& again) const;
  // The oldest entry of its run, which is the visit, has committed.
  // Returns what undoing it needs.
  Value leave_run(Visit& visit);
  // Undoes the newest entry of its run, which is the visit.
  void undo(const Chain& chain, Visit& visit);
  void undo_all(Chain& chain, std::string_view reason);
  // `reason`: one of reasons::.
  void break_chain(Chain& chain, std::string_view reason, const Error& error);
  // Breaks every chain. The reason is the error's code.
  void break_all(const Error& error);
  // Breaks those with a member that uses a record of the slots. What has voted stays.
  void leave(const SlotRun& slots);
  void count_break(std::string_view reason);
  // What has entered above it falls with it for this reason, if there is one.
  void undo_batch(Attempt& attempt, std::string_view reason);
  void end_run(Record& record);
  void release(Attempt& member);
  bool keeps_waiting(const Chain& chain, double since_ms) const;
  void expire(Chain& chain);

  Shard shard_;
  LearntPatience patience_;  // for the chains here
  MemberKeeper& keeper_;
  ChainReplies replies_;
  TransactionWitness* witness_ = nullptr;
  std::vector<Chain*> all_;
  std::vector<Chain*> turns_;  // chains with members that wait, in the order in which the first of these came
  std::uint64_t owners_ = 0;
  std::uint64_t executed_again_ = 0;
  double looked_ms_ = 0;  // when due() last ran
};

}  // namespace claret
