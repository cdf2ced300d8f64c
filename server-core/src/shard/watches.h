// Subscriptions to records. A watch never holds a gate: it reads the committed state after each commit.
//
// Coalesced: a watch is *stale* if its record has changed since it last reported. Stale watches report when their session is drained, with
// the newest state, and at most every kWatchIntervalMs. A session that is not drained costs nothing.
//
// A watch of a slot that the shard has given away says nothing any more; it ends with an error in one of the next turns.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>
#include <absl/functional/function_ref.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counters/counters.h"
#include "gate/records.h"
#include "shard/session.h"
#include "transaction/effects.h"
#include "transaction/intake.h"
#include "transaction/journal.h"

namespace claret {

inline constexpr double kWatchIntervalMs = 16;

class Watches {
 public:
  Watches(Records& records, Effects& effects, const Context& context, const Journal& journal, const SlotTable& slots)
      : records_(records), effects_(effects), context_(context), journal_(journal), slots_(slots) {}

  // Reports at once unless nothing has changed after `message.since`.
  void add(Session& session, WatchMessage& message);
  void remove(Session& session, std::uint64_t id);
  void remove_all(Session& session);

  // Commits have changed or created this record. Adds the sessions that now have something to report.
  void changed(Record& record, std::vector<Session*>& stale);

  // Writes reports of stale watches into the session's output, if its interval has passed; up to a frame at a time.
  void speak(Session& session, double now_ms);
  // When the session may report next; infinity if it has nothing to report.
  double speaks_at_ms(const Session& session) const;
  std::size_t size() const { return count_; }

  // ---- slots that the shard has given away: their watches end, and their clients watch again at the new owner
  void begin_to_end_moved() { next_moved_ = {0, 0}; }
  bool any_moved() const { return next_moved_.has_value(); }
  // Once a turn: the next step. Returns the sessions that have output.
  std::vector<Session*> end_moved();

  // When patient, changes that are not durable are reported once they are, and delay no other output of their session meanwhile.
  void be_patient(bool on) { patient_ = on; }

 private:
  struct Watch {
    std::uint64_t id = 0;
    std::string key;
    std::uint32_t slot = 0;
    const DataType* type = nullptr;  // null: only report that the record changed
    Call call;
    bool stale = false;
    std::uint32_t peer = 0;
    Session* session = nullptr;
  };
  struct Speaker {
    absl::btree_map<std::uint64_t, std::unique_ptr<Watch>> watches;  // by id
    std::vector<Watch*> stale;
    double quiet_until_ms = 0;
  };

  bool waits_for_log(const Watch& watch) const;
  // Calls it while the record's state is the committed one. Null: there is no record.
  void see(Record* record, absl::FunctionRef<void()> say_all);
  // REQUIRES: the record's state is the committed one.
  void say(Session& session, Watch& watch);
  void forget(Watch& watch);

  Records& records_;
  Effects& effects_;
  const Context& context_;
  const Journal& journal_;
  const SlotTable& slots_;
  std::optional<std::pair<std::uint32_t, std::uint64_t>> next_moved_;  // peer and id of the next watch to be looked at
  absl::btree_map<std::uint32_t, Speaker> speakers_;  // by peer
  absl::flat_hash_map<std::string, std::vector<Watch*>, TextHash, std::equal_to<>> by_key_;  // looked up, never iterated
  std::size_t count_ = 0;
  bool patient_ = false;
};

}  // namespace claret
