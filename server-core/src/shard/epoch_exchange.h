// What shards tell each other of epochs: passes the wants and lists of this shard's members to their managers, and what those say to the members;
// and this shard's own manager to all that follow it.
//
// A shard follows a manager on its own stream to that shard (recovery.h), and a manager speaks to a shard in that shard's session. A list leaves once
// it is durable. A seal depends on this shard's own list, which has to be durable before. Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include "shard/epoch_manager.h"
#include "shard/session.h"
#include "transaction/engine.h"

namespace claret {

// This shard's streams to others.
class PeerLinks {
 public:
  // What leaves on the stream to that shard next; null if there is none that was welcomed.
  virtual std::string* output_to(std::uint32_t shard) = 0;

 protected:
  ~PeerLinks() = default;
};

class EpochExchange {
 public:
  EpochExchange(Engine& engine, std::uint32_t shard, std::function<void(Session&)> has_output)
      : engine_(engine), shard_(shard), manager_(shard), has_output_(std::move(has_output)) {}

  // ---- from sessions of other shards
  void take(Session& session, ClientFrame& frame);
  void session_lost(const Session& session);
  // Somebody asks about a member of that epoch.
  void asked(EpochNumber epoch);

  // ---- on this shard's streams
  void take(std::uint32_t manager, const std::vector<EpochCloseMessage>& closes, const std::vector<EpochSealMessage>& seals);
  void link_lost(std::uint32_t shard);
  // The shards to which streams are wanted.
  ShardList wanted() const;

  void tick(PeerLinks& links, double now_ms);
  double next_ms() const;

 private:
  struct Held {
    EpochListMessage list;
    std::uint64_t needs;  // position of the log
  };

  void send_wants(PeerLinks& links);
  void send_lists(PeerLinks& links, double now_ms);
  // True if there was something.
  bool pass_on_told();

  Engine& engine_;
  std::uint32_t shard_;
  EpochManager manager_;
  std::function<void(Session&)> has_output_;
  absl::btree_map<std::uint32_t, Session*> followers_;  // by shard: its newest session that has said something of epochs
  absl::btree_map<std::uint32_t, std::deque<Held>> held_;  // lists, by manager
};

}  // namespace claret
