#include "transaction/native_sessions.h"

namespace claret {

NativeSession* NativeSessions::begin(std::uint64_t id, Coordinator& coordinator) {
  const auto [session, is_new] = sessions_.try_emplace(id);
  if (!is_new) return nullptr;
  session->second = std::make_unique<NativeSession>(NativeSession{.id = id, .coordinator = &coordinator});
  return session->second.get();
}

NativeSession* NativeSessions::find(std::uint64_t id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second.get();
}

void NativeSessions::lose(NativeSession& session, double now_ms) {
  session.coordinator = nullptr;
  lost_.push_back({session.id, now_ms + kNativeSessionKeptMs, session.answers.bytes().size()});
  lost_bytes_ += lost_.back().bytes;
  while (lost_.size() > kNativeSessionsLostMax || lost_bytes_ > kNativeSessionsBytesMax) forget_oldest();
}

void NativeSessions::forget_oldest() {
  sessions_.erase(lost_.front().id);
  lost_bytes_ -= lost_.front().bytes;
  lost_.pop_front();
}

void NativeSessions::forget_due(double now_ms) {
  for (int step = 0; step < kForgetStep && !lost_.empty() && lost_.front().until_ms <= now_ms; ++step) forget_oldest();
}

NativeSession& NativeSessions::restore(std::uint64_t id) {
  const auto [session, is_new] = sessions_.try_emplace(id);
  if (is_new) session->second = std::make_unique<NativeSession>(NativeSession{.id = id});
  return *session->second;
}

void NativeSessions::restored(double now_ms) {
  for (const auto& [id, session] : sessions_) {
    lost_.push_back({id, now_ms + kNativeSessionKeptMs, session->answers.bytes().size()});
    lost_bytes_ += lost_.back().bytes;
  }
  while (lost_.size() > kNativeSessionsLostMax || lost_bytes_ > kNativeSessionsBytesMax) forget_oldest();
}

}  // namespace claret
