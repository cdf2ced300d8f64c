// Settles among the shards the attempts that a client has left open (docs/rules.md, section 6).
//
// An attempt that has voted here and whose coordinator is gone or late is *in doubt*: this shard asks the other participants (client/proto:
// Inquiry). A participant that knows the outcome decides it. If all have voted yes, the attempt is committed at the greatest vote
// timestamp. If one has aborted it, or does not know it and therefore aborts it now, the attempt is aborted. While a participant cannot be
// reached, the votes stay locked; the doubt is reported, and no outcome is guessed.
//
// A commit across shards whose client is gone is reported to the other participants until each has confirmed that it is durable there; then
// it is forgotten. It is reported only once it is durable here, together with this shard's vote that it may depend on.
//
// The members of an epoch are settled likewise, once all shards of the epoch have said that they will list nothing more in it
// (transaction/epochs.h).
//
// A wound of an attempt that has voted here is forwarded to its other participants on the same streams (section 4).
//
// A question is asked again after kAskAgainMs, then at growing intervals. A call handles at most kQuestionsPerTick questions. Not
// thread-safe.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "shard/epoch_exchange.h"
#include "transaction/engine.h"

namespace claret {

inline constexpr double kAskAgainMs = 50;
inline constexpr double kAskAgainMsMax = 1000;
inline constexpr int kQuestionsPerTick = 256;
// Limit of the wounds kept for a shard without a stream; notices are repeated in any case.
inline constexpr std::size_t kWoundsKeptMax = 1024;
// A stream to another shard that owes an answer for this long is taken for dead.
inline constexpr double kLinkSilentMsMax = 5000;

class Recovery : public PeerLinks {
 public:
  Recovery(Engine& engine, EpochExchange& epochs, std::uint32_t shard) : engine_(engine), epochs_(epochs), shard_(shard) {}

  // Records that the stream `peer` leads to that shard.
  void bind(std::uint32_t peer, std::uint32_t shard);
  void unbind(std::uint32_t peer);
  std::string* output_to(std::uint32_t shard) override;
  bool bound(std::uint32_t peer) const { return links_.contains(peer); }
  // True if the stream is unusable and should be closed.
  bool broken(std::uint32_t peer) const;
  // Shards that have to be asked, or told of a wound, and to which there is no stream.
  std::vector<std::uint32_t> wanted_shards() const;

  void take(std::uint32_t peer, std::string_view bytes);
  // Asks the questions that are due and sends the wounds; adds the peers that have output.
  void tick(double now_ms, std::vector<std::uint32_t>& outputs);
  bool drain(std::uint32_t peer, std::string& frame);
  // When the next question is due; infinity if there is none.
  double next_ms() const;

 private:
  struct Link {
    std::uint32_t shard = 0;
    std::uint64_t incarnation = 0;  // 0: not welcomed yet
    std::uint64_t frames_in = 0;
    std::uint64_t frames_out = 0;
    double silent_since_ms = 0;  // 0: the link owes no answer
    bool broken = false;
    std::string out;
  };
  struct Question {
    Unsettled about;
    absl::btree_map<std::uint32_t, Timestamp> answers;  // by shard: its vote, or the commit that is durable there
    std::uint64_t turn = 0;  // of its newest entry in due_; older entries are void
    double again_ms = kAskAgainMs;
    bool asked = false;  // counted in wanted_
    std::uint64_t needs = 0;  // position in the log: a commit concluded by this shard may depend on its own vote
  };
  struct Due {
    double at_ms;
    std::uint64_t turn;
    AttemptId id;
    friend bool operator>(const Due& a, const Due& b) { return a.at_ms != b.at_ms ? a.at_ms > b.at_ms : a.turn > b.turn; }
  };

  // The shards of an epoch of which members are in doubt. Each has to say that it will list nothing more in it before any member's outcome is
  // concluded; the manager's own has listed before any other.
  struct EpochDoubt {
    ShardList unheard;
    absl::btree_set<AttemptId> members;  // in doubt
    double ask_at_ms = 0;
  };
  void doubt_epoch(const Unsettled& unsettled);
  void ask_epochs(double now_ms);
  void heard_of(std::uint32_t shard, EpochNumber epoch);
  bool may_ask(const Unsettled& about) const;

  void add(Unsettled unsettled);
  void remove(const AttemptId& id);
  void queue(Question& question, double at_ms);
  void ask(Question& question, double now_ms);
  void answered(std::uint32_t shard, const InquiryAnswerMessage& answer);
  void conclude(AttemptId id);  // a copy: the question with its id goes
  void tell_wounds();

  Engine& engine_;
  EpochExchange& epochs_;
  std::uint32_t shard_;
  absl::btree_map<EpochNumber, EpochDoubt> epoch_doubts_;
  absl::btree_map<std::uint32_t, Link> links_;  // by peer
  absl::flat_hash_map<AttemptId, Question> questions_;  // looked up, never iterated
  absl::btree_map<std::uint32_t, std::uint32_t> wanted_;  // by shard: number of questions that it is asked
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::uint64_t next_turn_ = 1;
  struct Wound {
    AttemptId id;
    std::uint64_t priority;  // of the wounder
  };
  absl::btree_map<std::uint32_t, std::vector<Wound>> wounds_;  // by shard; kept until there is a stream to it
};

}  // namespace claret
