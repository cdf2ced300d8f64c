// Standing questions about records. A watch never holds a gate: it asks the committed state, after the fact.
//
// Coalesced: a watch is *stale* when its record has changed since it last spoke; stale watches speak when their session
// is drained, with the newest state, and no more often than kWatchIntervalMs. A session that nobody drains costs nothing.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "counters/counters.h"
#include "gate/records.h"
#include "shard/session.h"
#include "transaction/intake.h"
#include "transaction/journal.h"

namespace claret {

inline constexpr double kWatchIntervalMs = 16;

class Watches {
 public:
  Watches(Records& records, const Context& context, const Journal& journal) : records_(records), context_(context), journal_(journal) {}

  // Answers at once unless nothing has changed after `message.since`.
  void add(Session& session, WatchMessage& message, const ShardPlace& place);
  void remove(Session& session, std::uint64_t id);
  void remove_all(Session& session);

  // Commits have changed this record, or made it. Adds the sessions that now have something to say.
  void changed(Record& record, std::vector<Session*>& stale);

  // Writes what is stale into the session's output, if its interval has passed; a frame of it at a time.
  void speak(Session& session, double now_ms);
  // When the session may speak: infinity if it has nothing to say.
  double speaks_at_ms(const Session& session) const;
  std::size_t size() const { return count_; }

  // Patient: what is not durable is told once it is, and keeps nothing else of its session waiting meanwhile.
  void be_patient(bool on) { patient_ = on; }

 private:
  struct Watch {
    std::uint64_t id = 0;
    std::string key;
    const DataType* type = nullptr;  // null: only tell that the record changed
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
  void say(Session& session, Watch& watch);
  void forget(Watch& watch);

  Records& records_;
  const Context& context_;
  const Journal& journal_;
  absl::btree_map<std::uint32_t, Speaker> speakers_;  // by peer
  absl::flat_hash_map<std::string, std::vector<Watch*>, TextHash, std::equal_to<>> by_key_;  // only asked, never walked
  std::size_t count_ = 0;
  bool patient_ = false;
};

}  // namespace claret
