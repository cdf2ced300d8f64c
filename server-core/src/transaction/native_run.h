// A run of natives: those of one message, or of a client's commands, that are executed within one call. A run is logged by one entry, and answered
// together once the entry is appended; the answers leave when the entry is durable. Its memory is used again by the next run. Not thread-safe.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "adt/adt.h"
#include "gate/records.h"
#include "gate/visit.h"
#include "transaction/coordinator.h"
#include "transaction/effects.h"
#include "transaction/journal.h"
#include "transaction/shard_clock.h"

namespace claret {

// Names the native's record and operation.
inline Error about(const Native& native, Error error) {
  error.key = native.record->key;
  error.operation = operation_name(*native.type, native.call);
  return error;
}

class NativeRun {
 public:
  struct Shard {
    Journal& journal;
    ShardClock& clock;
    Effects& effects;
  };
  struct Done {
    std::uint64_t number = 0;
    Timestamp at = 0;
    bool has_result = false;
    Record* changed = nullptr;  // null: the native has only observed
    const DataType* type = nullptr;  // of a change
    Call call{};  // of a change
    Value result{};
  };
  struct Failed {
    std::uint64_t number;
    Error error;
    bool observes;
  };

  // `has_output` is called for every session that gets output.
  NativeRun(const Shard& shard, std::function<void(Coordinator&)> has_output) : shard_(shard), has_output_(std::move(has_output)) {}

  Coordinator* coordinator = nullptr;  // null: no run is open, or one of nobody
  double arrived_ms = 0;
  std::vector<Done> done;  // in order of execution
  std::vector<Failed> failed;
  double waited_ms = 0;  // of a native that was served after a wait: a run of its own
  std::uint64_t next_number = 1;  // of a command's native
  std::optional<double> waits_since_ms;  // of a command that is run again
  bool of_commands = false;
  std::string_view command;  // its name in the table of commands
  const Value* last_result = nullptr;  // in `done`, where those for the log are, or here

  // A command begins: all its natives have one timestamp.
  void begin_command(std::string_view name);

  // ---- each native
  // The timestamp of the native that is executed now.
  Timestamp next();
  // Notes a change of the record. False if the current command has changed it before.
  bool is_first_change(const Record& record);
  // What is executed for a command, unless it is to be logged: the result is taken at once, and nothing else is answered.
  void keep_result(Value result);
  void fail(std::uint64_t number, Error error, bool observes) { failed.push_back({number, std::move(error), observes}); }
  // It would have to be logged, or would see what is not durable, while nothing can be made durable. `record`: null if there is none.
  bool is_refused_while_full(const Record* record, bool observes) const;

  // ---- the answers
  void depend_on(std::uint64_t position) { needs_ = std::max(needs_, position); }
  // They tell of that time: a restart must not commit anything then or before.
  void tell(Timestamp at) { told_ = std::max(told_, at); }

  // ---- the end
  // Appends the entry of the changes since the last one.
  void log();
  // Logs and answers the run.
  void finish();
  // Logs the run, and returns the position in the log on which its answers depend.
  std::uint64_t close();
  void clear();

 private:
  static constexpr std::size_t kFewChanged = 4;

  void answer_done();
  void answer_failed();
  // Keeps the answers for a client that loses its session: long ones only of natives that change something. `bytes`: the answer to all of them.
  void keep_answers(std::span<const Done> answered, std::string_view bytes);

  Shard shard_;
  std::function<void(Coordinator&)> has_output_;
  std::size_t logged_ = 0;  // of `done`, from the front
  std::uint64_t needs_ = 0;  // the position in the log on which the answers depend
  Timestamp told_ = 0;  // the greatest timestamp in its answers
  Timestamp command_at_ = 0;  // of the current command's natives; 0: it has executed nothing
  Value result_{};
  // What the current command has changed: the first few, and the others.
  absl::InlinedVector<const Record*, kFewChanged> few_changed_;
  absl::flat_hash_set<const Record*> changed_;  // never iterated
};

}  // namespace claret
