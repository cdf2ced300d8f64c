#include "shard/epoch_exchange.h"

#include <algorithm>
#include <limits>

#include "ground/mutation.h"
#include "wire/server_frame.h"

namespace claret {

void EpochExchange::take(Session& session, ClientFrame& frame) {
  if (!session.of_shard) return;
  if (frame.epoch_want || !frame.epoch_lists.empty()) {
    followers_[session.shard] = &session;
    manager_.linked(session.shard);
  }
  if (frame.epoch_want) manager_.want(session.shard, *frame.epoch_want);
  for (EpochListMessage& list : frame.epoch_lists) manager_.listed(session.shard, std::move(list), engine_.ground.clock.now_ms());
  for (const EpochNumber epoch : frame.epochs_asked) {
    asked(epoch);
    const bool undecided = engine_.epochs.asked(epoch);
    session.depend_on(engine_.ground.journal.position(), engine_.ground.journal.durable());
    server_frame::add_epoch_answer(session.out, {epoch, undecided});
    has_output_(session);
  }
}

void EpochExchange::session_lost(const Session& session) {
  const auto found = followers_.find(session.shard);
  if (!session.of_shard || found == followers_.end() || found->second != &session) return;
  followers_.erase(found);
  manager_.lost(session.shard);
}

void EpochExchange::asked(EpochNumber epoch) {
  if (manager_of(epoch) != shard_) return;
  manager_.asked(epoch);
  pass_on_told();
}

void EpochExchange::take(std::uint32_t manager, const std::vector<EpochCloseMessage>& closes, const std::vector<EpochSealMessage>& seals) {
  for (const EpochCloseMessage& close : closes) {
    if (manager_of(close.epoch) == manager) engine_.epochs.close(close);
  }
  for (const EpochSealMessage& seal : seals) {
    if (manager_of(seal.epoch) == manager) engine_.epochs.seal(seal);
  }
}

void EpochExchange::link_lost(std::uint32_t shard) {
  held_.erase(shard);
  engine_.epochs.manager_lost(shard);
}

ShardList EpochExchange::wanted() const {
  ShardList managers = engine_.epochs.managers();
  managers.erase(std::remove(managers.begin(), managers.end(), shard_), managers.end());
  return managers;
}

void EpochExchange::send_wants(PeerLinks& links) {
  const auto is_reached = [&](std::uint32_t manager) { return manager == shard_ || links.output_to(manager) != nullptr; };
  for (const auto& [manager, want] : engine_.epochs.take_wants(is_reached)) {
    if (manager == shard_) {
      manager_.want(shard_, want);
    } else {
      client_frame::add_epoch_want(*links.output_to(manager), want);
    }
  }
}

void EpochExchange::send_lists(PeerLinks& links, double now_ms) {
  for (Epochs::List& list : engine_.epochs.take_lists()) {
    const std::uint32_t manager = manager_of(list.message.epoch);
    if (manager == shard_) manager_.own_listed();
    held_[manager].push_back({std::move(list.message), list.position});
  }
  for (auto& [manager, held] : held_) {
    std::string* out = manager == shard_ ? nullptr : links.output_to(manager);
    while (!held.empty() && held.front().needs <= engine_.ground.journal.durable() && (manager == shard_ || out != nullptr)) {
      if (out == nullptr) {
        manager_.listed(shard_, std::move(held.front().list), now_ms);
      } else {
        client_frame::add_epoch_list(*out, held.front().list);
      }
      held.pop_front();
    }
  }
}

bool EpochExchange::pass_on_told() {
  const std::vector<EpochManager::Told> told = manager_.take_told();
  for (const auto& [shard, close, seal] : told) {
    if (shard == shard_) {
      if (close) engine_.epochs.close(*close);
      if (seal) engine_.epochs.seal(*seal);
      continue;
    }
    const auto found = followers_.find(shard);
    if (found == followers_.end()) {
      if (close) manager_.lost(shard);
      continue;
    }
    if (close) server_frame::add_epoch_close(found->second->at_once, *close);
    if (seal) server_frame::add_epoch_seal(found->second->at_once, *seal);
    has_output_(*found->second);
  }
  return !told.empty();
}

void EpochExchange::tick(PeerLinks& links, double now_ms) {
  send_wants(links);
  // What this shard's manager says to its own members is answered in the same turn.
  do {
    send_lists(links, now_ms);
    manager_.tick(now_ms, engine_.ground.clock.reached(), engine_.ground.context.incarnation);
    if (pass_on_told()) engine_.epochs.turn();
  } while (manager_.any_told() || engine_.epochs.any_lists());
}

double EpochExchange::next_ms() const {
  if (engine_.epochs.busy()) return 0;
  return std::min(manager_.next_ms(), engine_.epochs.next_ms());
}

}  // namespace claret
