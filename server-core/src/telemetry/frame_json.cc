#include <string>

#include "structure/json_writer.h"
#include "telemetry/frame.h"

namespace claret {

namespace {

std::string_view name_of(Course course) {
  switch (course) {
    case Course::kGranted:
      return "granted";
    case Course::kWaited:
      return "waited";
    case Course::kWaiting:
      return "waiting";
    case Course::kDenied:
      return "denied";
    case Course::kRefused:
      return "refused";
    case Course::kAhead:
      return "ahead";
    case Course::kUntried:
      return "untried";
  }
  return "untried";
}

// Writes a frame member by member.
class FrameWriter {
 public:
  explicit FrameWriter(const TelemetryFrame& frame) : frame_(frame) {}

  std::string write() {
    json_.reserve(telemetry::kFrameBytesUsual);
    json_.open('{');
    number("wallMs", frame_.wall_ms);
    number("monotonicMs", frame_.monotonic_ms);
    number("elapsedMs", frame_.elapsed_ms);
    count("number", frame_.number);
    totals();
    latencies();
    count("inFlight", frame_.in_flight);
    count("waiting", frame_.waiting);
    count("inDoubt", frame_.in_doubt);
    count("records", frame_.records);
    count("sessions", frame_.sessions);
    count("undecidedMembers", frame_.undecided_members);
    count("clocksApart", frame_.clocks_apart);
    count("membersOfEpochs", frame_.members_of_epochs);
    count("grantsStanding", frame_.grants_standing);
    list("conflicts", frame_.conflicts, [this](const ShownConflict& one) { conflict(one); });
    count("conflictsLeftOut", frame_.conflicts_left_out);
    list("hotRecords", frame_.hot_records, [this](const ShownRecord& one) { hot_record(one); });
    count("recordsTracked", frame_.records_tracked);
    count("phasesLeftOut", frame_.phases_left_out);
    count("warrantiesLeftOut", frame_.warranties_left_out);
    list("turnSlices", frame_.turns, [this](const ShownTurns& one) { turns(one); });
    optional("turn", frame_.turn, [this](const ShownTurns& one) { turns(one); });
    count("turnsLeftOut", frame_.turns_left_out);
    list("epochSlices", frame_.epochs, [this](const ShownEpochs& one) { epochs(one); });
    count("epochsLeftOut", frame_.epochs_left_out);
    list("waiters", frame_.waiters, [this](const ShownWaiter& one) { waiter(one); });
    list("samples", frame_.samples, [this](const Sample& one) { sample(one); });
    count("commitsSampledOneIn", frame_.commits_sampled_one_in);
    count("abortsLeftOut", frame_.aborts_left_out);
    json_.close('}');
    return json_.take();
  }

 private:
  void text(std::string_view name, std::string_view value) { json_.name(name).text(value); }
  void number(std::string_view name, double value) { json_.name(name).number(value); }
  void count(std::string_view name, std::uint64_t value) { json_.name(name).count(value); }
  void sum(std::string_view name, std::uint64_t value) { count(name, value); }
  void sum(std::string_view name, double value) { number(name, value); }
  void flag(std::string_view name, bool value) { json_.name(name).flag(value); }
  void operation(std::string_view name, const ShownOperation& shown) {
    json_.name(name);
    if (shown.operation == nullptr) {
      json_.literal("null");
      return;
    }
    std::string qualified(shown.type->name());
    qualified += '.';
    qualified += shown.operation->name;
    json_.text(qualified);
  }
  void transaction(std::uint64_t id) {
    json_.name("transaction");
    if (id == 0) {
      json_.literal("null");
      return;
    }
    char digits[16];
    for (int i = 0; i < 16; ++i) digits[i] = "0123456789abcdef"[id >> 4 * (15 - i) & 15];
    json_.text({digits, sizeof digits});
  }
  void object(std::string_view name, const auto& members) {
    json_.name(name).open('{');
    members();
    json_.close('}');
  }
  void optional(std::string_view name, const auto& item, const auto& write_members) {
    if (item) {
      object(name, [&] { write_members(*item); });
    } else {
      json_.name(name).literal("null");
    }
  }
  void list(std::string_view name, const auto& items, const auto& write_members) {
    json_.name(name).open('[');
    for (const auto& item : items) {
      json_.open('{');
      write_members(item);
      json_.close('}');
    }
    json_.close(']');
  }

  void counts(std::string_view name, const absl::btree_map<std::string_view, std::uint64_t>& counts) {
    object(name, [&] {
      for (const auto& [word, times] : counts) count(word, times);
    });
  }

  void totals() {
    const Totals& totals = frame_.totals;
    totals.for_each_sum([this](std::string_view name, auto value, bool in_frames) {
      if (in_frames) sum(name, value);
    });
    counts("aborts", totals.aborts);
    counts("breaks", totals.breaks);
    counts("standBacks", totals.stand_backs);
    object("waits", [&] {
      for (const auto& [cause, total] : totals.waits) {
        object(cause, [&] {
          count("count", total.count);
          number("totalMs", total.total_ms);
        });
      }
    });
  }

  // [bucket, count] of the buckets that are not empty.
  void latencies() {
    json_.name("latencies").open('[');
    const auto& counts = frame_.totals.latencies.counts();
    for (std::size_t bucket = 0; bucket < counts.size(); ++bucket) {
      if (counts[bucket] != 0) json_.open('[').count(bucket).count(counts[bucket]).close(']');
    }
    json_.close(']');
    number("latencyTotalMs", frame_.totals.latencies.total_ms());
    number("thrownAwayMs", frame_.totals.before.thrown_away_ms);
    number("backingOffMs", frame_.totals.before.backing_off_ms);
    number("queuedMs", frame_.totals.before.queued_ms);
  }

  void conflict(const ShownConflict& one) {
    text("holderLabel", one.holder_label);
    text("comerLabel", one.comer_label);
    operation("holderOperation", one.holder);
    operation("comerOperation", one.comer);
    text("outcome", one.outcome);
    count("count", one.count);
  }

  void phase(const ShownPhase& one) {
    text("mode", one.mode);
    text("session", one.session);
    number("agoMs", one.began_ago_ms);
    number("lengthMs", one.length_ms);
    count("letIn", one.let_in);
    flag("capped", one.capped);
  }

  void warranty(const ShownWarranty& one) {
    operation("operation", one.operation);
    count("holders", one.holders);
    number("agoMs", one.began_ago_ms);
    number("lengthMs", one.length_ms);
    number("recalledMs", one.recalled_ms);
    flag("ended", one.ended);
    flag("lapsed", one.lapsed);
  }

  void obstacle(const ShownObstacle& one) {
    operation("operation", one.operation);
    list("holders", one.holders, [this](const ShownHolder& holder) {
      text("session", holder.session);
      flag("lost", holder.lost);
      number("silentMs", holder.silent_ms);
    });
    flag("moreHolders", one.more_holders);
  }

  void hot_record(const ShownRecord& one) {
    text("key", one.key);
    text("type", one.type);
    number("heat", one.heat);
    number("trackedMs", one.tracked_ms);
    count("operations", one.operations);
    count("conflicts", one.conflicts);
    count("waits", one.waits);
    number("waitMs", one.wait_ms);
    count("natives", one.natives);
    count("nativeWaits", one.native_waits);
    count("nativeBreaks", one.native_breaks);
    count("waiting", one.waiting);
    list("modes", one.modes, [this](const ShownMode& mode) {
      text("mode", mode.mode);
      count("holders", mode.holders);
      count("waiting", mode.waiting);
    });
    list("phases", one.phases, [this](const ShownPhase& ended) { phase(ended); });
    optional("phase", one.phase, [this](const ShownPhase& current) { phase(current); });
    list("warranties", one.warranties, [this](const ShownWarranty& shown) { warranty(shown); });
  }

  void turns(const ShownTurns& one) {
    text("session", one.session);
    count("peer", one.peer);
    number("agoMs", one.began_ago_ms);
    number("lengthMs", one.length_ms);
    count("turns", one.turns);
    count("waiting", one.waiting);
    count("recalled", one.recalled);
    count("timedOut", one.timed_out);
  }

  void epochs(const ShownEpochs& one) {
    count("manager", one.manager);
    number("agoMs", one.closed_ago_ms);
    number("gatherMs", one.gather_ms);
    number("listMs", one.list_ms);
    number("heldMs", one.held_ms);
    number("turnMs", one.turn_ms);
    count("epochs", one.epochs);
    count("reads", one.reads);
    count("writes", one.writes);
    count("readOperations", one.read_operations);
    count("writeOperations", one.write_operations);
    count("cameBack", one.came_back);
    count("calledOff", one.called_off);
    json_.name("late").open('[');
    for (const std::uint32_t shard : one.late) json_.count(shard);
    json_.close(']');
  }

  void waiter(const ShownWaiter& one) {
    transaction(one.transaction);
    text("label", one.label);
    text("key", one.key);
    operation("operation", one.operation);
    text("mode", one.mode);
    text("cause", one.cause);
    number("waitedMs", one.waited_ms);
    list("blockers", one.blockers, [this](const ShownBlocker& blocker) {
      transaction(blocker.transaction);
      text("label", blocker.label);
      operation("operation", blocker.operation);
      flag("holds", blocker.holds);
      flag("voted", blocker.voted);
      flag("waits", blocker.waits);
    });
    flag("moreBlockers", one.more_blockers);
    optional("warranty", one.warranty, [this](const ShownObstacle& shown) { obstacle(shown); });
  }

  void slice(const OperationSlice& one) {
    text("key", one.key);
    operation("operation", one.operation);
    text("verdict", name_of(one.course));
    count("beside", one.beside);
    number("waitedMs", one.waited_ms);
    text("blockingLabel", one.blocker_label);
    operation("blockingOperation", one.blocker);
  }

  void ago(std::string_view name, double at_ms) {
    if (at_ms < 0) {
      json_.name(name).literal("null");
    } else {
      number(name, frame_.monotonic_ms - at_ms);
    }
  }

  void sample(const Sample& one) {
    transaction(one.transaction);
    text("label", one.label);
    count("retries", one.retries);
    flag("traced", one.traced);
    ago("begunAgoMs", one.began_ms);
    ago("votedAgoMs", one.voted_ms);
    ago("endedAgoMs", one.ended_ms);
    text("outcome", one.committed ? "committed" : "aborted");
    text("code", one.code);
    text("cause", one.cause);
    count("warranted", one.warranted);
    count("batchMembers", one.batch_members);
    text("stoodBack", one.stood_back);
    count("operationsLeftOut", one.operations_left_out);
    list("requests", one.requests, [this](const RequestSlice& request) {
      ago("agoMs", request.at_ms);
      list("operations", request.operations, [this](const OperationSlice& operation) { slice(operation); });
    });
  }

  const TelemetryFrame& frame_;
  JsonWriter json_;
};

}  // namespace

std::string to_json(const TelemetryFrame& frame) { return FrameWriter(frame).write(); }

}  // namespace claret
