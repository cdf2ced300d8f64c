// One shard: takes bytes from numbered peers and returns bytes for each peer; it does nothing else. The only public class of the core;
// everything else is reached through it.
//
// Deterministic: no I/O, threads, clock or random numbers. The same inputs give the same outputs in any process.
//
// The caller numbers the peers. A peer is either a session (the stream of a client, or of another shard, to this shard) or, once bound,
// this shard's own stream to another shard.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "counters/counters.h"
#include "door/door.h"
#include "shard/backlog.h"
#include "shard/epoch_exchange.h"
#include "shard/recovery.h"
#include "shard/sequencer.h"
#include "shard/session.h"
#include "shard/watches.h"
#include "telemetry/frame.h"
#include "transaction/engine.h"
#include "transaction/listed_warranties.h"
#include "wire/limits.h"

namespace claret {

struct ShardOptions {
  EngineOptions engine;
  double session_lease_ms = 5000;
  std::size_t frame_bytes_max = limits::kFrameBytesMax;
  std::size_t output_bytes_max = 64 << 20;
  // Budget of the operations from begin() to finish(): those of requests, members and peeks, and those that withdrawals execute again. The
  // rest of the requests, members and peeks is taken in the next turn. None of them is split.
  std::uint32_t operations_per_turn = 4096;
};

struct Now {
  double wall_ms;  // since the Unix epoch
  double monotonic_ms;  // since an arbitrary start
};

class Observer;

class Shard {
 public:
  explicit Shard(const ShardOptions& options);
  ~Shard();

  // ---- the log. A shard with a log starts from what the log holds: restore_checkpoint() and restore(), piece by piece, then restored(),
  // then any other call; with an empty log it may start at once. The calls return an error message, after which the shard is unusable.
  std::optional<std::string> restore_checkpoint(std::string_view pairs) { return engine_.restart.restore_checkpoint(pairs); }
  std::optional<std::string> restore(std::string_view entries) { return engine_.restart.restore(entries); }
  // `incarnation`: of this start, if the options do not say it.
  std::optional<std::string> restored(const Now& now, std::uint64_t incarnation = 0);
  // Moves the entries appended since the last call, complete and in order, into `entries`; false if there are none.
  bool take_log(std::string& entries) { return engine_.ground.journal.take(entries); }
  // take_log() would return something.
  bool any_log() const { return engine_.ground.journal.any_to_take(); }
  // The position of the last entry appended.
  std::uint64_t log_position() const { return engine_.ground.journal.position(); }
  // ---- checkpoints (transaction/checkpoint.h): after begin_checkpoint(), pieces are taken until one has a position. Both calls return an
  // error message. A piece is empty while there are entries that take_log() has not returned.
  std::optional<std::string> begin_checkpoint() { return engine_.begin_checkpoint(); }
  std::optional<std::string> take_checkpoint(std::size_t bytes_max, CheckpointPiece& piece) {
    return engine_.checkpointing.take(bytes_max, piece);
  }
  // Every entry up to `position` is durable. Returns the peers that have output now.
  std::vector<std::uint32_t> durable(std::uint64_t position, const Now& now);

  // ---- a consistent cut across all shards (docs/decisions/0018-backup.md): every shard is prepared before any of them learns the cut's
  // time. REQUIRES: a log, and that it has been restored.
  // 0 while a run of slots is between two shards, or members of epochs are undecided: to be tried again.
  Timestamp prepare_cut() { return engine_.prepare_cut(); }
  bool cut_prepared() const { return engine_.ground.outcomes.cut().prepared(); }
  // False if the clock has passed `at`. REQUIRES: cut_prepared().
  bool set_cut(Timestamp at) { return engine_.ground.outcomes.cut().set(at); }
  bool cut_set() const { return engine_.ground.outcomes.cut().is_set(); }
  // REQUIRES: cut_set().
  std::uint64_t cut() { return engine_.ground.outcomes.cut().pass(); }
  void call_off_cut() { engine_.ground.outcomes.cut().call_off(); }

  // ---- runs of slots that move from this shard, or to it (docs/decisions/0033-slots-that-move.md): see SlotGiver and SlotTaker. Each returns an error if it is
  // refused. finish() is to be called afterwards. REQUIRES: a log that it has has been restored.
  std::optional<Error> begin_give(Give give) { return engine_.slot_giver.begin(std::move(give)); }
  std::optional<Error> take_give(std::size_t bytes_max, GivePiece& piece) { return engine_.slot_giver.take(bytes_max, piece); }
  std::optional<Error> drain_give(double wound_after_ms, const Now& now);
  bool is_drained() { return engine_.slot_giver.is_drained(); }
  std::optional<Error> call_off_drain(const Now& now);
  std::optional<Error> call_off_give(const Now& now);
  std::optional<Error> give(const Now& now);
  std::optional<Timestamp> given(std::string_view move) const { return engine_.slot_giver.given(move); }
  std::optional<Error> settle_give(std::string_view move) { return engine_.slot_giver.settle_move(move); }
  std::optional<Error> import_piece(std::string_view move, std::uint32_t from, std::string_view piece, const Now& now);
  std::optional<Error> take_over(std::string_view move, Timestamp at, const Now& now);
  bool has_taken(std::string_view move) const { return engine_.ground.moves.has_taken(move); }
  std::optional<Error> drop_import(std::string_view move, const Now& now);
  // What is not settled, also after a restart.
  const Moves& moves() const { return engine_.ground.moves; }
  std::vector<OwnedRun> slots() const { return engine_.ground.slots().runs(); }
  // See Ground::set_shards.
  void set_shards(std::uint32_t shards) { engine_.ground.set_shards(shards); }

  void connect(std::uint32_t peer, const Now& now);
  // A Redis client's stream, once the door is open: bytes come by take(), and go by drain(), without frames (door/door.h).
  void connect_resp(std::uint32_t peer, std::string address, std::string local_address, const Now& now);
  // The peer is a link to another door that was wanted. False if nobody wants it any more.
  bool connect_link(std::uint32_t peer, std::uint32_t link, const Now& now);
  Door& door() { return door_; }
  void disconnect(std::uint32_t peer, const Now& now);

  // process() in three steps, so that a caller can pass frames one by one: begin, take each frame, finish.
  void begin(const Now& now);
  void take(std::uint32_t peer, std::string_view frame);
  // Runs the work that is due. Returns the peers that have output, each once, in the order in which they got it.
  std::vector<std::uint32_t> finish();

  // Moves the peer's next frame into `frame`; false if there is none.
  bool drain(std::uint32_t peer, std::string& frame);
  // True if the session has ended and its last frame has been drained.
  bool closed(std::uint32_t peer) const;
  // Infinity if nothing is due.
  double next_deadline_ms() const;

  std::vector<std::uint32_t> wanted_shards() const { return recovery_.wanted_shards(); }
  void bind_shard(std::uint32_t peer, std::uint32_t shard);

  const Conditions& conditions() const { return engine_.ground.conditions; }
  void set_conditions(const Conditions& conditions, const Now& now);
  // An installed data type is to be as this one (transaction/type_changes.h). Returns why it cannot be.
  std::optional<std::string> change_type(composed::InstalledType wanted, const Now& now);
  const composed::TypeTable& types() const { return engine_.ground.records.types(); }
  // All changes of types that were requested have been made, and are durable.
  bool types_changed() const { return engine_.type_changes.done(); }
  // Whether, and why, entries cannot be made durable for now: see Engine::refuse_changes. When set, sessions with output that waits for the log
  // are closed, since nothing else would reach their clients before that output. The clients reconnect and ask for their outcomes.
  void refuse_changes(LogTrouble why, const Now& now);
  // The warranties that stand on the record, the oldest first. Valid until the shard is called again.
  std::vector<ListedWarranty> list_warranties(std::string_view key, const Now& now);
  // Asks for the grants of all of them. finish() is to be called afterwards.
  void recall_warranties(std::string_view key, const Now& now);
  // See Ground::skewed.
  void set_skewed(std::vector<std::uint32_t> shards) { engine_.ground.skewed = std::move(shards); }

  const Counters& counters() const { return counters_; }
  // Starts or stops watching. While the shard is not watched, nothing is kept for telemetry.
  void observe(bool on, const Now& now);
  bool observed() const { return observer_ != nullptr; }
  // The events since the last frame, or since the watch began. Changes nothing else. REQUIRES: observed(). The frame's texts are valid
  // until the shard is called again.
  TelemetryFrame take_telemetry(const Now& now);
  Engine& engine() { return engine_; }
  std::size_t sessions() const { return sessions_.size(); }
  std::size_t watches() const { return watches_.size(); }

 private:
  void take_session_frame(Session& session, ClientFrame& frame, std::string_view bytes);
  // False if that has closed the session.
  bool greet(Session& session, const ClientFrame& frame);
  // Closes the session if it stands, and says what is known of its natives. Nothing of it is executed after that.
  ResumedMessage resume(std::uint64_t lost, Session& session);
  // False if the budget was spent before the end.
  bool run_requests(Session& session, ClientFrame& frame, Progress& progress);
  void run_backlog();
  void take_outcomes(Session& session, const ClientFrame& frame);
  std::uint64_t durable_position() const { return engine_.ground.journal.durable(); }
  void close(Session& session, std::string_view code, std::string message);
  void lose(Session& session);
  void has_output(Session& session);
  void add_conditions(Session& session);
  void tell_conditions();
  void spread_changes();
  void remove_leftovers();
  double next_watch_ms() const;
  void tell_standings();
  void lose_silent_sessions();
  void close_overflowed_sessions();
  // While nothing can be logged: those that wait for the acknowledgement of outcomes, since they would soon send nothing more. Their clients
  // ask for what became of these.
  void close_unsafe_sessions();
  bool may_leave(const Outbox::Body& body) const;
  // Something of the session may leave that the log or the wall clock kept here.
  bool may_leave(Session& session) const;
  // When the wall clock lets something leave.
  double next_told_ms() const;

  ShardOptions options_;
  Counters counters_;
  Engine engine_;
  std::unique_ptr<Observer> observer_;  // null while the shard is not watched; refers to records, so it is destroyed before them
  Watches watches_;
  EpochExchange epochs_;
  Recovery recovery_;
  Door door_;
  Sequencer sequencer_;
  Backlog backlog_;
  std::int64_t operations_left_ = 0;  // in this turn
  absl::btree_map<std::uint32_t, std::unique_ptr<Session>> sessions_;  // by peer
  std::vector<std::uint32_t> outputs_;
  Conditions conditions_told_;
  Now now_{0, 0};
  double last_tick_ms_ = 0;
  double next_lease_check_ms_ = 0;
  std::uint64_t serials_given_ = 0;  // to sessions, in this start
};

}  // namespace claret
