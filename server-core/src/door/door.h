// The Redis door of a shard: takes the bytes of Redis clients, and runs their commands as natives (docs/decisions/0041-redis-door.md).
//
// The commands of one chunk of bytes that run here are one run of natives: one entry of the log, and one piece of output, which leaves once
// that entry is durable. A command runs within one call, so nothing comes between its operations. If it has to wait for a transaction that
// has voted, it is undone as far as it has replied, and run again later; meanwhile nothing behind it on its connection runs.
//
// A key may be another shard's. Then the command is sent on to that shard's door over a link, unless clients are to be redirected. What needs
// keys of several shards is run as a transaction by the gateway's own client (spread.h).
//
// No I/O: its owner gives it bytes and takes bytes, of peers that it has numbered. Not thread-safe. Deterministic.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adt/commands.h"
#include "counters/counters.h"
#include "door/link.h"
#include "door/session.h"
#include "door/spread.h"
#include "gate/records.h"
#include "resp/backend.h"
#include "resp/cluster_view.h"
#include "transaction/journal.h"
#include "transaction/natives.h"
#include "transaction/shard_clock.h"

namespace claret {

struct DoorOptions {
  std::string password;  // of AUTH; empty: none is needed
  bool redirect = false;  // commands on keys of other shards are answered with MOVED
  std::function<std::uint64_t()> memory = nullptr;  // of the process, in bytes, for INFO; absent: unknown
  bool spreads = false;  // a client runs the transactions that wanted_spreads() names; otherwise what needs several shards is refused
};

struct WantedLink {
  std::uint32_t number;
  std::string host;
  std::uint16_t port;
};

class Door final : public resp::Backend {
 public:
  struct Shard {
    Natives& natives;
    Records& records;
    ShardClock& clock;
    Journal& journal;
    const SlotTable& slots;
    const Context& context;
    Counters& counters;
  };

  // `has_output` is called for every peer that gets output.
  Door(const Shard& shard, std::function<void(std::uint32_t peer)> has_output);
  ~Door() override;

  void open(DoorOptions options);
  bool is_open() const { return is_open_; }
  // `own`: the place of this shard among the nodes.
  void set_nodes(std::vector<resp::ClusterNode> nodes, std::size_t own);

  // ---- peers: clients, and links to other doors
  bool has(std::uint32_t peer) const { return sessions_.contains(peer) || links_by_peer_.contains(peer); }
  // REQUIRES: is_open()
  void connect(std::uint32_t peer, std::string address, std::string local_address);
  void take(std::uint32_t peer, std::string_view bytes);
  bool wants_input(std::uint32_t peer) const;
  void disconnect(std::uint32_t peer);
  // Moves what may leave now into `bytes`; false if nothing may.
  bool drain(std::uint32_t peer, std::string& bytes);
  // Its stream is to be closed: it has ended, and its output was drained.
  bool closed(std::uint32_t peer) const;

  // The links to be connected, each once.
  std::vector<WantedLink> wanted_links();
  // False if nobody wants it any more.
  bool connect_link(std::uint32_t peer, std::uint32_t link);

  // wanted_links() or wanted_spreads() would return something.
  bool wants_any() const { return !wanted_links_.empty() || !wanted_spreads_.empty(); }

  // ---- commands on several shards: see spread.h
  // The numbers of those that are to be run as transactions, each once.
  std::vector<std::uint32_t> wanted_spreads() { return std::exchange(wanted_spreads_, {}); }
  // Null if its client has left.
  Spread* spread(std::uint32_t number);
  // Its transaction has ended. `error`: for the client; empty: it has committed. `is_unknown`: nobody knows whether it has.
  void end_spread(std::uint32_t number, std::string_view error, bool is_unknown);

  // ---- turns
  // Runs what is behind commands that have their replies now.
  void finish();
  bool any_ready() const { return !ready_.empty(); }
  // When the next command has waited long enough for something to be there.
  double next_ms() const;
  // More of the log is durable.
  void durable();
  // Entries cannot be made durable: sessions with output that waits for them end.
  void refuse_changes();

  std::size_t clients() const { return sessions_.size(); }

  // The command waits until something is at one of its keys. `for_ms`: 0 for ever.
  void block(DoorSession& session, const resp::CommandSpec& spec, resp::Arguments arguments, double for_ms);
  // CLIENT UNBLOCK. False: no client of that number waits so.
  bool unblock(std::uint64_t client, bool with_error) override;

  // ---- for sessions
  void run_again(DoorSession& session);
  void give_up(DoorSession& session, const Error& error);

  // ---- resp::Backend
  Ran run(resp::Connection& connection, const resp::CommandSpec& spec, resp::Arguments arguments) override;
  Ran execute(resp::Connection& connection, std::span<const resp::QueuedCommand> commands, const resp::WatchedKeys& watched) override;
  Ran watch(resp::Connection& connection, resp::Arguments keys) override;
  std::uint64_t version(std::string_view key) override;
  bool joins(resp::Connection& connection, const resp::CommandSpec& spec, resp::Arguments arguments) override;
  bool refuses(resp::Connection& connection, const resp::CommandSpec& spec, resp::Arguments arguments) override;
  std::uint64_t now_us() override;
  std::int64_t keys() override;
  std::vector<std::pair<std::string, std::string>> configuration() override;
  std::string info(resp::Arguments sections) override;
  std::string clients(resp::Connection& asking) override;
  bool has_password() override { return !options_.password.empty(); }
  bool accepts(std::string_view user, std::string_view password) override;
  const resp::ClusterView* cluster() override { return view_.nodes.empty() ? nullptr : &view_; }
  std::int64_t keys_in_slot(std::uint32_t slot) override;

 private:
  friend class DoorRun;

  // What comes next runs for the session, in a run of natives, and its output is handed over.
  template <typename Step>
  void work(DoorSession& session, Step step);
  void hand_over(DoorSession& session, std::uint64_t needs);
  void put_in_place(DoorSession& session, std::size_t begin);
  void hand_over_places(DoorSession& session);
  void drop_places(DoorSession& session);
  // From so many unread bytes on a client gets no more.
  std::size_t unread_max() const;
  bool is_unread(const DoorSession& session) const;
  void count_unread(DoorSession& session);
  void tell_output(DoorSession& session);

  // Runs what is behind commands that have their replies.
  void go_on();
  // Runs again what waits for something that is there now, or has waited long enough, in the order in which they began to wait.
  void serve_blocked();
  bool has_come(const DoorSession& session) const;
  void end_block(DoorSession& session);

  // Why the command is refused before it runs; empty: it is not.
  std::string fault_of(const resp::CommandSpec& spec, resp::Arguments arguments) const;

  // ---- here. False: the command waits, and has replied nothing.
  bool run_here(DoorSession& session, const resp::CommandSpec& spec, resp::Arguments arguments, bool may_block = true);
  bool execute_here(DoorSession& session, std::span<const resp::QueuedCommand> commands, const resp::WatchedKeys& watched);
  // Clears the way to all keys of EXEC. Nothing: it waits. False: it has failed, and has replied.
  std::optional<bool> clear_keys(DoorSession& session, std::span<const resp::QueuedCommand> commands, const resp::WatchedKeys& watched);
  // The command has run here, and goes on at other shards. Otherwise it has its whole reply.
  bool goes_on_elsewhere(DoorSession& session, const resp::CommandSpec& spec);
  // Deletes all records of this shard, and replies unless others have to follow.
  bool flush_here(DoorSession& session);

  // ---- elsewhere: routes.cc
  enum class At : std::uint8_t { kHere, kElsewhere, kSeveral, kNowhere };
  struct Route {
    At place = At::kHere;
    std::size_t node = 0;  // kElsewhere
    std::uint32_t slot = 0;  // the first one that is not here

    // The other one's keys have to be at the same place.
    void join(const Route& other);
    bool has_keys = false;
  };
  Route route_of(std::string_view key) const;
  Route route_of(const resp::CommandSpec& spec, resp::Arguments arguments) const;
  Route route_of(std::span<const resp::QueuedCommand> commands, const resp::WatchedKeys& watched) const;
  // The commands that session.waiting holds are run as a transaction.
  Ran spread(DoorSession& session);
  // The error that keeps what has this route from running here or being sent on; empty: none does.
  std::string hindrance(const Route& route) const;
  std::string moved(const Route& route) const;
  // Sends on requests, written as clients write them. `dropped`: replies before the one that the client gets, for which its connection waits.
  Ran send_on(DoorSession& session, const Route& route, std::string_view requests, std::uint32_t dropped, bool is_write);
  Link& link_to(DoorSession& session, const resp::ClusterNode& node);
  // The door there has noted the versions of all that the client watches.
  bool has_versions(const DoorSession& session, const resp::ClusterNode& node) const;
  // ---- scan.cc: SCAN goes over the slots of all shards, KEYS over those that are here
  Ran scan(DoorSession& session, resp::Arguments arguments);
  void keys(DoorSession& session, resp::Arguments arguments);
  std::vector<std::string> keys_of(std::uint32_t slot, std::string_view pattern, std::string_view type) const;
  // FLUSHALL at the next node that has not had it. False: all have.
  bool flush_next(DoorSession& session);
  void take_answers(Link& link, std::string_view bytes);
  void take_answer(Link& link, DoorSession& session);
  void answer_place(DoorSession& session, std::uint64_t number, std::string_view answer);
  void end_link(Link& link);
  void lose_link(Link& link);
  // The command for which the connection waits has its reply: it goes on at the end of the turn.
  void answered(DoorSession& session);
  void tell_output(Link& link);

  DoorSession& current() { return *current_; }

  Shard shard_;
  std::function<void(std::uint32_t)> has_output_;
  DoorOptions options_;
  bool is_open_ = false;
  resp::ClusterView view_;
  std::vector<std::int16_t> node_of_slot_;  // empty: there is no other node
  absl::btree_map<std::uint32_t, std::unique_ptr<DoorSession>> sessions_;  // by peer
  absl::btree_map<std::uint32_t, std::unique_ptr<Link>> links_;  // by number
  absl::btree_map<std::uint32_t, Link*> links_by_peer_;
  std::vector<std::uint32_t> wanted_links_;
  std::uint32_t links_made_ = 0;
  absl::btree_map<std::uint32_t, std::unique_ptr<Spread>> spreads_;  // by number
  std::vector<std::uint32_t> wanted_spreads_;
  std::uint32_t spreads_made_ = 0;
  std::vector<std::uint32_t> ready_;  // peers
  std::size_t unread_bytes_ = 0;  // of all clients
  absl::btree_map<std::uint64_t, DoorSession*> blocked_;  // by place
  std::uint64_t blocked_made_ = 0;
  struct LookedAt {
    std::uint64_t changes = 0;
    std::size_t slots = 0;
    bool operator==(const LookedAt&) const = default;
  };
  LookedAt looked_at_;  // when the blocked ones were looked at
  bool looks_at_blocked_ = false;  // though nothing has changed
  DoorSession* current_ = nullptr;
  Call call_;  // of the operation that a command executes: its memory is used again
  std::uint64_t clients_made_ = 0;
  std::uint64_t draws_ = 0;
  double opened_ms_ = 0;
};

// The table of all commands: those of the protocol, of records, of data types, and of doors among themselves.
const resp::CommandTable& door_commands();

// One of those below: what the door does itself, and no type.
inline bool is_of_door(const resp::CommandSpec& spec) { return static_cast<const CommandRunner*>(spec.runner)->run == nullptr; }
// On a link: what follows comes from another door.
bool is_mark_of_link(const resp::CommandSpec& spec);
bool is_scan(const resp::CommandSpec& spec);
bool is_keys(const resp::CommandSpec& spec);
// FLUSHALL or FLUSHDB.
bool is_flush(const resp::CommandSpec& spec);

// Why the key is none; empty if it is one.
std::string fault_of_key(std::string_view key);

// What a client of Redis is told.
std::string redis_error(const Error& error);

}  // namespace claret
