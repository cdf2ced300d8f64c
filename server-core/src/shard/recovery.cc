#include "shard/recovery.h"

#include <absl/container/btree_set.h>

#include <algorithm>
#include <limits>

#include "ground/mutation.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

// A participant to which there is no stream yet is asked after this time, and then whenever the time since the first question has doubled.
constexpr double kAskUnheardMs = 1;

}  // namespace

// ---- streams ------------------------------------------------------------------------------------------------------------------

void Recovery::bind(std::uint32_t peer, std::uint32_t shard) {
  Link link;
  link.shard = shard;
  client_frame::add_hello(link.out, "shard " + std::to_string(shard_), shard_);
  links_.insert_or_assign(peer, std::move(link));
}

void Recovery::unbind(std::uint32_t peer) {
  const auto found = links_.find(peer);
  if (found == links_.end()) return;
  const std::uint32_t shard = found->second.shard;
  links_.erase(found);
  epochs_.link_lost(shard);
}

std::string* Recovery::output_to(std::uint32_t shard) {
  for (auto& [peer, link] : links_) {
    if (link.shard == shard && !link.broken && link.incarnation != 0) return &link.out;
  }
  return nullptr;
}

bool Recovery::broken(std::uint32_t peer) const {
  const auto found = links_.find(peer);
  return found != links_.end() && found->second.broken;
}

std::vector<std::uint32_t> Recovery::wanted_shards() const {
  absl::btree_set<std::uint32_t> wanted;
  for (const auto& [shard, questions] : wanted_) wanted.insert(shard);
  for (const auto& [shard, wounds] : wounds_) wanted.insert(shard);
  for (const std::uint32_t shard : epochs_.wanted()) wanted.insert(shard);
  for (const auto& [number, doubt] : epoch_doubts_) wanted.insert(doubt.unheard.begin(), doubt.unheard.end());
  for (const auto& [peer, link] : links_) wanted.erase(link.shard);
  return {wanted.begin(), wanted.end()};
}

bool Recovery::drain(std::uint32_t peer, std::string& frame) {
  const auto found = links_.find(peer);
  if (found == links_.end() || found->second.out.empty()) return false;
  Link& link = found->second;
  frame = std::exchange(link.out, {});
  client_frame::add_header(frame, ++link.frames_out, link.frames_in, link.incarnation);
  return true;
}

void Recovery::take(std::uint32_t peer, std::string_view bytes) {
  const auto found = links_.find(peer);
  if (found == links_.end() || found->second.broken) return;
  Link& link = found->second;
  server_frame::FromShard frame;
  const bool decoded = server_frame::decode(bytes, frame);
  if (decoded && frame.sequence != 0 && frame.sequence <= link.frames_in) return;  // a duplicate
  // Where a shard has moved, another one may be at its old address, and what that says of an attempt is not its own vote.
  const bool astray = frame.welcomed && frame.shard != link.shard;
  if (!decoded || astray || frame.closing || frame.sequence != link.frames_in + 1) {
    link.broken = true;
    epochs_.link_lost(link.shard);
    return;
  }
  link.frames_in = frame.sequence;
  link.silent_since_ms = 0;
  if (frame.welcomed) link.incarnation = frame.incarnation;
  epochs_.take(link.shard, frame.epochs_closed, frame.epochs_sealed);
  for (const EpochAnswerMessage& answer : frame.epoch_answers) heard_of(link.shard, answer.epoch);
  for (const InquiryAnswerMessage& answer : frame.answers) answered(link.shard, answer);
}

// ---- questions ----------------------------------------------------------------------------------------------------------------

void Recovery::add(Unsettled unsettled) {
  const AttemptId id = unsettled.id;
  remove(id);  // it was in doubt and is now committed
  Question& question = questions_[id];
  question.about = std::move(unsettled);
  if (question.about.committed_at != 0) question.needs = engine_.ground.journal.position();
  if (question.about.epoch != 0) doubt_epoch(question.about);
  queue(question, question.about.ask_at_ms);
}

void Recovery::remove(const AttemptId& id) {
  const auto found = questions_.find(id);
  if (found == questions_.end()) return;
  if (found->second.asked) {
    for (const std::uint32_t shard : found->second.about.participants) {
      if (--wanted_[shard] == 0) wanted_.erase(shard);
    }
  }
  if (const auto doubt = epoch_doubts_.find(found->second.about.epoch); doubt != epoch_doubts_.end()) {
    doubt->second.members.erase(id);
    if (doubt->second.members.empty()) epoch_doubts_.erase(doubt);
  }
  questions_.erase(found);
}

// ---- epochs

void Recovery::doubt_epoch(const Unsettled& unsettled) {
  const auto [found, is_new] = epoch_doubts_.try_emplace(unsettled.epoch);
  found->second.members.insert(unsettled.id);
  if (!is_new || mutated(Mutation::kEpochNoMoment)) return;
  for (const std::uint32_t shard : unsettled.epoch_shards) {
    if (shard != shard_ && shard != manager_of(unsettled.epoch)) found->second.unheard.push_back(shard);
  }
}

void Recovery::ask_epochs(double now_ms) {
  for (auto& [number, doubt] : epoch_doubts_) {
    if (doubt.unheard.empty() || doubt.ask_at_ms > now_ms) continue;
    doubt.ask_at_ms = now_ms + kAskUnheardMs;
    for (auto& [peer, link] : links_) {
      if (link.broken || link.incarnation == 0 ||
          std::find(doubt.unheard.begin(), doubt.unheard.end(), link.shard) == doubt.unheard.end()) {
        continue;
      }
      client_frame::add_epoch_asked(link.out, number);
      if (link.silent_since_ms == 0) link.silent_since_ms = now_ms;
      doubt.ask_at_ms = now_ms + kAskAgainMs;
    }
  }
}

void Recovery::heard_of(std::uint32_t shard, EpochNumber epoch) {
  const auto found = epoch_doubts_.find(epoch);
  if (found == epoch_doubts_.end()) return;
  ShardList& unheard = found->second.unheard;
  unheard.erase(std::remove(unheard.begin(), unheard.end(), shard), unheard.end());
  if (!unheard.empty()) return;
  for (const AttemptId& id : found->second.members) queue(questions_.find(id)->second, 0);
}

bool Recovery::may_ask(const Unsettled& about) const {
  const auto found = epoch_doubts_.find(about.epoch);
  return found == epoch_doubts_.end() || found->second.unheard.empty();
}

void Recovery::queue(Question& question, double at_ms) {
  question.turn = next_turn_++;
  due_.push({at_ms, question.turn, question.about.id});
}

void Recovery::ask(Question& question, double now_ms) {
  if (question.needs > engine_.ground.journal.durable()) {
    queue(question, now_ms + question.again_ms);
    return;
  }
  if (!may_ask(question.about)) {
    queue(question, now_ms + kAskAgainMs);
    return;
  }
  if (question.about.epoch != 0 && question.about.participants.empty()) return conclude(question.about.id);
  if (!std::exchange(question.asked, true)) {
    for (const std::uint32_t shard : question.about.participants) ++wanted_[shard];
  }
  std::size_t heard = question.answers.size();
  for (auto& [peer, link] : links_) {
    const ShardList& participants = question.about.participants;
    const bool takes_part = std::find(participants.begin(), participants.end(), link.shard) != participants.end();
    if (!takes_part || link.broken || link.incarnation == 0 || question.answers.contains(link.shard)) continue;
    client_frame::add_inquiry(link.out, question.about.id, question.about.committed_at, question.about.epoch);
    if (link.silent_since_ms == 0) link.silent_since_ms = now_ms;
    ++heard;
  }
  if (heard >= question.about.participants.size()) {
    queue(question, now_ms + question.again_ms);
    question.again_ms = std::min(kAskAgainMsMax, 2 * question.again_ms);
  } else {
    // The stream to a participant is usually open a moment later.
    queue(question, now_ms + std::min(question.again_ms, kAskUnheardMs + (now_ms - question.about.ask_at_ms)));
  }
}

void Recovery::answered(std::uint32_t shard, const InquiryAnswerMessage& answer) {
  if (answer.id.size() != kIdBytes) return;
  AttemptId id;
  std::copy(answer.id.begin(), answer.id.end(), id.begin());
  const auto found = questions_.find(id);
  if (found == questions_.end() || answer.epoch != found->second.about.epoch) return;
  const bool known = found->second.about.committed_at != 0;
  // This question whether all have logged the commit has not been asked yet, so the answer is a late one to the question about the doubt.
  if (known && !found->second.asked) return;
  switch (answer.state) {
    case AttemptState::kPending:
      return;
    case AttemptState::kVoted:
      if (known) return;
      break;
    case AttemptState::kCommitted:
      if (known) break;
      remove(id);
      engine_.endings.resolve(id, answer.epoch, true, answer.timestamp);
      return;
    case AttemptState::kAborted:
      if (known) return;
      remove(id);
      engine_.endings.resolve(id, answer.epoch, false, 0);
      return;
  }
  found->second.answers[shard] = answer.timestamp;
  conclude(id);
}

// Concludes the question if every participant has answered.
void Recovery::conclude(AttemptId id) {
  const Question& question = questions_.find(id)->second;
  Timestamp at = question.about.voted_at;
  for (const std::uint32_t shard : question.about.participants) {
    const auto answer = question.answers.find(shard);
    if (answer == question.answers.end() && mutated(Mutation::kMissingVoteIsYes)) continue;
    if (answer == question.answers.end()) return;
    at = std::max(at, answer->second);
  }
  const bool known = question.about.committed_at != 0;
  const EpochNumber epoch = question.about.epoch;
  remove(id);
  if (known) {
    engine_.ground.outcomes.forget(id);
  } else {
    engine_.endings.resolve(id, epoch, true, at);
  }
}

// Puts all wounds of a turn into one frame. No answer is expected.
void Recovery::tell_wounds() {
  for (const WoundTold& told : engine_.requests.take_wounds_told()) {
    for (const std::uint32_t shard : told.participants) {
      std::vector<Wound>& kept = wounds_[shard];
      if (kept.size() < kWoundsKeptMax) kept.push_back({told.id, told.priority});
    }
  }
  for (auto& [peer, link] : links_) {
    const auto found = wounds_.find(link.shard);
    if (found == wounds_.end() || link.broken || link.incarnation == 0) continue;
    for (const Wound& wound : found->second) client_frame::add_wound(link.out, wound.id, wound.priority);
    wounds_.erase(found);
  }
}

void Recovery::tick(double now_ms, std::vector<std::uint32_t>& outputs) {
  for (Unsettled& unsettled : engine_.ground.doubts.take()) add(std::move(unsettled));
  for (int left = kQuestionsPerTick; left > 0 && !due_.empty() && due_.top().at_ms <= now_ms; --left) {
    const Due due = due_.top();
    due_.pop();
    const auto found = questions_.find(due.id);
    if (found == questions_.end() || found->second.turn != due.turn) continue;
    if (found->second.about.committed_at == 0 && !engine_.ground.outcomes.in_doubt(due.id)) {
      remove(due.id);  // its client has reported the outcome after all
    } else {
      ask(found->second, now_ms);
    }
  }
  ask_epochs(now_ms);
  tell_wounds();
  for (auto& [peer, link] : links_) {
    // The link still owes the welcome: the hello may have been lost.
    if (link.incarnation == 0 && link.silent_since_ms == 0) link.silent_since_ms = now_ms;
    if (link.silent_since_ms != 0 && now_ms - link.silent_since_ms > kLinkSilentMsMax && !link.broken) {
      link.broken = true;
      epochs_.link_lost(link.shard);
    }
    if (link.broken) link.out.clear();
    if (link.broken || !link.out.empty()) outputs.push_back(peer);
  }
}

double Recovery::next_ms() const {
  if (engine_.ground.doubts.any()) return 0;
  double next = due_.empty() ? std::numeric_limits<double>::infinity() : due_.top().at_ms;
  for (const auto& [number, doubt] : epoch_doubts_) {
    if (!doubt.unheard.empty()) next = std::min(next, doubt.ask_at_ms);
  }
  return next;
}

}  // namespace claret
