// Runs natives: single operations outside any transaction (gate/native.h has the rule by which they are admitted).
//
// A native is executed, applied and given a timestamp of its own within one call: it has no attempt, no id and no lock. The natives of one
// message form a *run*. A run is logged by one entry, and answered together once the entry is appended; the answers leave when the entry
// is durable. A native that has to wait is queued at its record's gate. It is served before the claims that wait there, and after Patience::wait_ms
// it is withdrawn without effect. Natives of one session on one record are executed in order. What a session has executed is settled once it
// is lost (native_sessions.h).
//
// The proof that natives and transactions together are strictly serializable: docs/decisions/0023-natives.md. Not thread-safe.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "counters/counters.h"
#include "gate/locks.h"
#include "gate/native.h"
#include "gate/records.h"
#include "transaction/capability.h"
#include "transaction/effects.h"
#include "transaction/intake.h"
#include "transaction/journal.h"
#include "transaction/native_run.h"
#include "transaction/past_reads.h"
#include "transaction/shard_clock.h"
#include "wire/client_frame.h"

namespace claret {

// What executes natives one by one within a call, and sees each result before it asks for the next one: a client's command (door/door.h).
//
// Its natives are a run of its coordinator's. If one has to wait, the command gives up what it was about to do, and is run again from its
// start once the native could be executed: until then nothing has been executed for it, or only what observes.
class NativeCommand {
 public:
  virtual ~NativeCommand() = default;
  // It is to be run again, in a run of its own. No other run is open.
  virtual void run_again() = 0;
  // The native for which it waits ends with an error. Nothing has been executed.
  virtual void give_up(Error error) = 0;
};

// A native that waits, and the first holder found for which it does. No blocker: it waits behind another native of its session.
struct NativeWait {
  const WaitingNative* native;
  const Visit* blocker;
};

class Natives final : public NativeServer, public Capability {
 public:
  struct Shard {
    Records& records;
    Locks& locks;
    Journal& journal;
    ShardClock& clock;
    Effects& effects;
    Counters& counters;
    const Context& context;
    const SlotTable& slots;
    NativeRun& run;
    PastReads& past_reads;
  };

  explicit Natives(const Shard& shard);

  // Executes the natives of a message, in order; some may be queued.
  // `arrived_ms`: when the message's frame arrived.
  void run(Coordinator& coordinator, NativesMessage& message, double arrived_ms);

  // ---- native_commands.cc: the natives of commands, between `open` and `close`
  // Opens a run. REQUIRES: none is open.
  void open(Coordinator& coordinator);
  // A command begins, or a list of commands that are executed as one. Up to the next one all natives have one timestamp, and nothing divides
  // them in the log: they are one step, as a transaction's operations are. REQUIRES: a run is open.
  void begin_command(std::string_view name);
  struct Executed {
    const Value* result = nullptr;  // null: it waits, or has failed
    const Error* error = nullptr;
    bool waits() const { return result == nullptr && error == nullptr; }
  };
  // Executes an operation, whose result is valid until the next one. REQUIRES: a run is open, the call is checked, and the shard owns the key.
  // The call's arguments may be taken.
  Executed execute(std::string_view key, const DataType& type, Call& call, NativeCommand& command);
  // Whoever holds the record is waited for or broken, so that nothing that is executed before the run is closed has to wait at it. `observes`:
  // nothing will be changed there. The result is absent.
  Executed clear(std::string_view key, bool observes, NativeCommand& command);
  // The record, as a command sees it without executing anything; null if nothing is there. REQUIRES: a run is open.
  const Record* look(std::string_view key);
  // The answers depend on all that was executed before.
  void depend_on_all() { run_.depend_on(shard_.journal.position()); }
  // Closes the run, and returns the position in the log on which its answers depend.
  std::uint64_t close() { return run_.close(); }

  std::size_t waiting() const { return waiting_.size(); }
  // At most `count`, longest wait first.
  std::vector<NativeWait> longest_waits(std::size_t count) const;

  void serve(Record& record) override;

  // Deletes what has expired, at most `most` records; a record whose holders have voted is tried again later.
  void expire_due(std::size_t most);
  // The record is about to be read or changed: it goes first if it has expired.
  void expire_before_use(std::string_view key);

  void watch(TransactionWitness*) override {}
  // The session's waiting natives are withdrawn without effect.
  void lose(Coordinator& coordinator) override;
  bool settle() override { return false; }
  void turn() override {}
  double next_due_ms() const override;
  // Withdraws the natives that have waited for too long, and tries again those that have waited long enough for a guarded transaction.
  void due() override;
  bool change(const Change& change) override;
  void trouble(LogTrouble) override {}
  void started() override {}
  bool may_cut() override { return true; }

 private:
  struct Waiting : WaitingNative {
    Coordinator* coordinator = nullptr;
    std::uint64_t number = 0;
    bool past_guards = false;
    NativeCommand* command = nullptr;  // the native is one of its; null: it is one of a message
    std::list<std::unique_ptr<Waiting>>::iterator position;
  };
  // Those that wait for records of the slots, which belong to another shard now, fail.
  void leave(const SlotRun& slots);
  void try_again(const SlotRun& slots);
  // The type has got another version: what waits goes by that.
  void renew(const DataType& type);
  enum class Tried : std::uint8_t { kEnded, kWaits };

  void take(OperationMessage& message, std::uint64_t number);
  // The record at which the operation is to be executed; null if it has been executed on nothing, or has failed. `record`: what is there.
  Record* record_for(Record* record, std::string_view key, const TakenOperation& taken, std::uint64_t number);
  // As of the time that the message names. `record`: null if nothing was ever there.
  void look_back(Record* record, const TakenOperation& taken, const OperationMessage& message, std::uint64_t number);
  // Nothing was ever there, though something of another type may come to be at the time that is asked for.
  bool is_anew(const Record* record, const TakenOperation& taken) const;
  // The call is moved from, unless the native has to wait; then `blocker`, if asked for, is a holder for which it waits.
  Tried attempt(Native& native, std::uint64_t number, bool heeds_guards, const Visit** blocker = nullptr);
  // The judgement that ends the native's wait, once those that it breaks have ended; nothing: it has to wait.
  std::optional<NativeJudgement> admit(Native& native, bool heeds_guards, const Visit** blocker);
  // Nobody is or waits there, and it would be admitted at once.
  bool is_free(const Native& native) const;
  void execute(Native& native, std::uint64_t number, Outcome outcome);
  void fail_refused(const Native& native, std::uint64_t number, const Refusal& refusal);
  // Deletes the record, which has expired or is vacant. False if it has to wait.
  bool expire(Record& record);
  // False if it is refused.
  bool observe_nothing(const TakenOperation& taken, std::uint64_t number);
  // Nothing was committed to the record, and nobody who holds it has voted: what they do comes later, or never.
  bool is_made_by_unvoted(const Record& record) const;
  // The record is of another type: ends the attempts that made it so, unless natives have to wait for them. False if it stays as it is.
  bool take_from_unvoted(Record& record, const TakenOperation& taken);
  // `blocker`: null if it waits only behind another native of its session. `command`: see Waiting.
  void enqueue(Native native, std::uint64_t number, const Visit* blocker, NativeCommand* command = nullptr);
  // The same for a command. It fails if too many wait.
  Executed wait(Native native, const Visit* blocker, NativeCommand& command);
  void run_again(Waiting& waiting);
  // It ends with an error.
  void fail_waiting(Waiting& waiting, Error error);
  void break_party(const Native& native, Visit& holder);
  // The native waits for the holder, or breaks it.
  void count_conflict(const Native& native, const Visit& holder, bool broke);
  void withdraw(Waiting& waiting);
  bool is_behind_own(const Record& record) const;

  Shard shard_;
  NativeRun& run_;  // the current one
  std::list<std::unique_ptr<Waiting>> waiting_;  // in order of arrival
  std::uint64_t serials_ = 0;
  std::vector<std::unique_ptr<State>> empty_states_;  // by type id: the state of a record that does not exist
};

}  // namespace claret
