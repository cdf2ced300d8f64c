// The sessions whose natives are settled exactly once (docs/decisions/0023-natives.md): those that stand, and for a while those that are lost.
//
// A client that has lost its session names it when it connects again. It learns which of its natives were executed, with their answers;
// the others were not executed and never will be, since the lost session stands no more. A session that is not known here, or no longer,
// cannot be settled. Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "transaction/native_answers.h"

namespace claret {

inline constexpr double kNativeSessionKeptMs = 60'000;
inline constexpr std::size_t kNativeSessionsLostMax = 65'536;
inline constexpr std::size_t kNativeSessionsBytesMax = 64 * 1024 * 1024;  // of the answers of all lost sessions

struct Coordinator;

struct NativeSession {
  std::uint64_t id = 0;
  NativeAnswers answers{};
  Coordinator* coordinator = nullptr;  // null: the session is lost
};

class NativeSessions {
 public:
  // Null if the id is taken.
  NativeSession* begin(std::uint64_t id, Coordinator& coordinator);
  NativeSession* find(std::uint64_t id);
  void lose(NativeSession& session, double now_ms);

  // Forgets lost sessions that are due, at most kForgetStep of them, so that no call takes long.
  void forget_due(double now_ms);

  // ---- a restart
  // The session with this id; a new one if it is unknown.
  NativeSession& restore(std::uint64_t id);
  // All restored sessions are lost.
  void restored(double now_ms);

  // In order of their ids, for a checkpoint.
  const absl::btree_map<std::uint64_t, std::unique_ptr<NativeSession>>& all() const { return sessions_; }

 private:
  static constexpr int kForgetStep = 1024;
  struct Lost {
    std::uint64_t id;
    double until_ms;
    std::size_t bytes;
  };
  void forget_oldest();

  absl::btree_map<std::uint64_t, std::unique_ptr<NativeSession>> sessions_;
  std::deque<Lost> lost_;  // in order of loss
  std::size_t lost_bytes_ = 0;
};

}  // namespace claret
