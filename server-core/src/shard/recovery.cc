#include "shard/recovery.h"

#include <algorithm>
#include <limits>

#include "wire/server_frame.h"

namespace claret {

void Recovery::bind(std::uint32_t peer, std::uint32_t shard) {
  Link link;
  link.shard = shard;
  client_frame::add_hello(link.out, "shard " + std::to_string(shard_), shard_);
  links_.insert_or_assign(peer, std::move(link));
  ask_at_ms_ = 0;
}

void Recovery::unbind(std::uint32_t peer) { links_.erase(peer); }

std::vector<std::uint32_t> Recovery::wanted_shards() const {
  std::vector<std::uint32_t> wanted;
  for (const Participant::Doubt& doubt : participant_.in_doubt()) {
    for (const std::uint32_t shard : doubt.participants) {
      const bool linked = std::any_of(links_.begin(), links_.end(), [&](const auto& link) {
        return link.second.shard == shard;
      });
      if (!linked && std::find(wanted.begin(), wanted.end(), shard) == wanted.end()) wanted.push_back(shard);
    }
  }
  return wanted;
}

bool Recovery::take(std::uint32_t peer, std::string_view bytes) {
  const auto found = links_.find(peer);
  if (found == links_.end()) return true;
  Link& link = found->second;
  server_frame::FromShard frame;
  if (!server_frame::decode(bytes, frame) || frame.closing) return false;
  link.frames_in = frame.sequence;
  if (frame.welcomed) link.incarnation = frame.incarnation;
  for (const InquiryAnswerMessage& answer : frame.answers) {
    if (answer.id.size() != limits::kAttemptIdBytes) continue;
    AttemptId id;
    std::copy(answer.id.begin(), answer.id.end(), id.begin());
    if (answer.state == AttemptState::kVoted) answers_[id].voted[link.shard] = answer.timestamp;
    if (answer.state == AttemptState::kCommitted) participant_.resolve(id, true, answer.timestamp);
    if (answer.state == AttemptState::kAborted) participant_.resolve(id, false, 0);
  }
  return true;
}

void Recovery::tick(double now_ms, std::vector<std::uint32_t>& outputs) {
  if (!participant_.any_in_doubt()) {
    answers_.clear();
    return;
  }
  for (const Participant::Doubt& doubt : participant_.in_doubt()) {
    const Answers& answers = answers_[doubt.id];
    Timestamp at = doubt.voted_at;
    bool all_voted = true;
    for (const std::uint32_t shard : doubt.participants) {
      const auto voted = answers.voted.find(shard);
      all_voted = all_voted && voted != answers.voted.end();
      if (voted != answers.voted.end()) at = std::max(at, voted->second);
    }
    if (all_voted) participant_.resolve(doubt.id, true, at);
  }
  if (now_ms < ask_at_ms_) return;
  ask_at_ms_ = now_ms + kAskAgainMs;
  for (const Participant::Doubt& doubt : participant_.in_doubt()) {
    for (auto& [peer, link] : links_) {
      const bool takes_part =
          std::find(doubt.participants.begin(), doubt.participants.end(), link.shard) != doubt.participants.end();
      if (!takes_part || link.incarnation == 0 || answers_[doubt.id].voted.contains(link.shard)) continue;
      client_frame::add_inquiry(link.out, doubt.id, 0);
    }
  }
  for (const auto& [peer, link] : links_) {
    if (!link.out.empty()) outputs.push_back(peer);
  }
}

bool Recovery::drain(std::uint32_t peer, std::string& frame) {
  const auto found = links_.find(peer);
  if (found == links_.end() || found->second.out.empty()) return false;
  Link& link = found->second;
  frame = std::move(link.out);
  link.out.clear();
  client_frame::add_header(frame, ++link.frames_out, link.frames_in, link.incarnation);
  return true;
}

double Recovery::next_ms() const {
  return participant_.any_in_doubt() ? ask_at_ms_ : std::numeric_limits<double>::infinity();
}

}  // namespace claret
