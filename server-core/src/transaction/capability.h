// A capability: one way to be at a record, or to keep what others rely on. A shard's engine (engine.h) has a list of them, and whatever none of
// them may forget is asked of all: the loss of a session, a change of slots, types or conditions, a log in trouble, a start, a cut.
//
// Everything is pure. A capability that has nothing to do says so; one that forgets does not compile. No capability calls another by this class:
// who needs all of them asks Ground (ground.h).
#pragma once

#include <limits>

#include "adt/adt.h"
#include "ground/errors.h"
#include "ground/slots.h"

namespace claret {

struct Conditions;
struct Coordinator;
class TransactionWitness;

// What is about to be another one at the shard.
enum class ChangeKind : std::uint8_t {
  kSlots,  // a run of slots goes to another shard
  kType,  // another version of a type
  kConditions,
  kQuarantine,  // it ends: nothing from before the start stands any more
};

enum class ChangeStep : std::uint8_t {
  kAnnounced,  // asked again until nothing goes by what is there now
  kMaking,  // it is made next
  kMade,
  kOver,  // made or called off: what has waited for it goes on
};

struct Change {
  ChangeKind kind;
  ChangeStep step;
  SlotRun slots{};  // of kSlots
  const DataType* type = nullptr;  // of kType: the version that is there
  bool replaces = false;  // of kType: records of it may be there, with another version's operations
  bool migrates = false;  // of kType: its records get another form
  const Conditions* before = nullptr;  // of kConditions
  const Conditions* after = nullptr;
};

inline constexpr double kNeverDue = std::numeric_limits<double>::infinity();

class Capability {
 public:
  // Null: nobody watches any more.
  virtual void watch(TransactionWitness* witness) = 0;

  // The session has ended, and may be destroyed afterwards.
  virtual void lose(Coordinator& session) = 0;
  // Called after a batch of calls, if `stirred`: lets go on what can. True if something has changed for which others may wait.
  virtual bool settle() = 0;
  bool stirred = false;
  // Once a turn: the next step of what is done in parts.
  virtual void turn() = 0;

  // When due() has something to do, in monotonic time; kNeverDue if it never has.
  virtual double next_due_ms() const = 0;
  virtual void due() = 0;

  // kAnnounced: false as long as something goes by what is there now. Otherwise the result says nothing.
  virtual bool change(const Change& change) = 0;
  // Entries cannot be made durable from now on, or can again.
  virtual void trouble(LogTrouble why) = 0;
  // The shard has its contents from the log.
  virtual void started() = 0;
  // False: a cut of the log must not come now. From then on nothing begins that would keep it from coming, until it is over.
  virtual bool may_cut() = 0;

 protected:
  ~Capability() = default;
};

}  // namespace claret
