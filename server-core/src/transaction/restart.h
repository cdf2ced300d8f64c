// The start of a shard with a log: first its contents, piece by piece, beginning with a checkpoint, then restored(), then any other call. Each returns an
// error message, after which the shard is unusable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "transaction/attempts.h"
#include "transaction/epochs.h"
#include "transaction/ground.h"
#include "transaction/importing.h"
#include "transaction/leftovers.h"
#include "transaction/replay.h"

namespace claret {

class Restart {
 public:
  struct Parts {
    Attempts& attempts;
    Epochs& epochs;
    Importing& importing;
    Leftovers& leftovers;
  };
  // `keeper`: of the attempts that have voted.
  Restart(Ground& ground, AttemptKeeper& keeper, const Parts& parts);

  std::optional<std::string> restore_checkpoint(std::string_view pairs);
  std::optional<std::string> restore(std::string_view entries);
  // Restores the locks of attempts that have voted, and logs this start. `incarnation`: of this start, if it was not known before.
  std::optional<std::string> restored(std::uint64_t incarnation = 0);

 private:
  // Absent, or why the log's end does not fit to the checkpoint.
  std::optional<std::string> ends_too_early(const Told& told) const;
  void restore_clock(const Told& told);
  void restore_outcomes(Told& told);
  std::optional<std::string> restore_votes(Told& told);

  Ground& ground_;
  Parts parts_;
  std::unique_ptr<Replay> replay_;  // until restored()
};

}  // namespace claret
