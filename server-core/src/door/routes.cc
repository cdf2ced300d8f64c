// The door, continued: commands on keys of other shards.
#include <utility>

#include "door/door.h"
#include "resp/command_keys.h"
#include "resp/request_writer.h"

namespace claret {

namespace {

// A client's commands run without waiting for earlier replies up to these: their number, and the bytes that a link has not taken yet.
constexpr std::size_t kPlacesMax = 4096;
constexpr std::size_t kUnsentMax = 1 << 20;

std::string address_of(const std::string& host, std::uint16_t port) { return host + ":" + std::to_string(port); }

}  // namespace

void Door::set_nodes(std::vector<resp::ClusterNode> nodes, std::size_t own) {
  node_of_slot_.assign(nodes.size() > 1 ? kSlots : 0, -1);
  for (std::size_t node = 0; node < nodes.size() && !node_of_slot_.empty(); ++node) {
    for (const SlotRun& run : nodes[node].slots) {
      for (std::uint32_t slot = run.first; slot <= run.last; ++slot) node_of_slot_[slot] = static_cast<std::int16_t>(node);
    }
  }
  looks_at_blocked_ = true;
  view_ = {.nodes = std::move(nodes), .own = own, .epoch = view_.epoch + 1};
}

void Door::Route::join(const Route& other) {
  if (!other.has_keys) return;
  if (!has_keys) {
    *this = other;
  } else if (place != other.place || (place == At::kElsewhere && node != other.node)) {
    if (place == At::kHere) slot = other.slot;
    place = place == At::kNowhere || other.place == At::kNowhere ? At::kNowhere : At::kSeveral;
  }
}

Door::Route Door::route_of(std::string_view key) const {
  Route route{.has_keys = true};
  if (shard_.slots.owns_all()) return route;
  route.slot = slot_of(key);
  if (shard_.slots.owns(route.slot)) return route;
  const std::int16_t node = node_of_slot_.empty() ? std::int16_t{-1} : node_of_slot_[route.slot];
  // What was given away, and whose new owner is not known yet, is nowhere for a moment.
  const bool is_known = node >= 0 && static_cast<std::size_t>(node) != view_.own && view_.nodes[static_cast<std::size_t>(node)].port != 0;
  route.place = is_known ? At::kElsewhere : At::kNowhere;
  route.node = is_known ? static_cast<std::size_t>(node) : 0;
  return route;
}

Door::Route Door::route_of(const resp::CommandSpec& spec, resp::Arguments arguments) const {
  Route route;
  if (shard_.slots.owns_all() || !resp::has_keys(spec)) return route;
  const auto keys = resp::CommandKeys::of(spec, arguments);
  for (std::size_t n = 0; keys && n < keys->size(); ++n) route.join(route_of(arguments[keys->place(n)]));
  return route;
}

Door::Route Door::route_of(std::span<const resp::QueuedCommand> commands, const resp::WatchedKeys& watched) const {
  Route route;
  for (const auto& command : commands) {
    if (!command.own()) route.join(route_of(command.spec(), command.arguments()));
  }
  for (const auto& [key, version] : watched) route.join(route_of(key));
  return route;
}

std::string Door::hindrance(const Route& route) const {
  switch (route.place) {
    case At::kSeveral:
      return options_.spreads ? "" : "CROSSSLOT Keys in request are on several shards";
    case At::kNowhere:
      return "TRYAGAIN The slot has no shard with a Redis door at present";
    case At::kElsewhere:
      return options_.redirect ? moved(route) : "";
    case At::kHere:
      break;
  }
  return {};
}

std::string Door::moved(const Route& route) const {
  if (route.place == At::kSeveral) return "TRYAGAIN The slots of the keys move to other shards";
  if (route.place != At::kElsewhere) return hindrance(route);
  const resp::ClusterNode& node = view_.nodes[route.node];
  return "MOVED " + std::to_string(route.slot) + " " + address_of(node.host, node.port);
}

// ---- several shards ---------------------------------------------------------------------------------------------------------

resp::Backend::Ran Door::spread(DoorSession& session) {
  const std::uint32_t number = ++spreads_made_;
  spreads_.insert_or_assign(number, std::make_unique<Spread>(session, static_cast<std::int64_t>(shard_.clock.wall_ms()), shard_.context));
  wanted_spreads_.push_back(number);
  return Ran::kWaits;
}

Spread* Door::spread(std::uint32_t number) {
  const auto found = spreads_.find(number);
  return found == spreads_.end() || found->second->session() == nullptr ? nullptr : found->second.get();
}

void Door::end_spread(std::uint32_t number, std::string_view error, bool is_unknown) {
  const auto found = spreads_.find(number);
  if (found == spreads_.end()) return;
  const std::unique_ptr<Spread> spread = std::move(found->second);
  spreads_.erase(found);
  DoorSession* session = spread->session();
  if (session == nullptr) return;
  if (is_unknown) {
    session->connection.close();
  } else if (error.empty()) {
    session->connection.reply().raw(spread->reply());
  } else {
    session->connection.reply().error(spread->failure().empty() ? error : spread->failure());
  }
  hand_over(*session, 0);
  answered(*session);
}

// ---- links ------------------------------------------------------------------------------------------------------------------

Link& Door::link_to(DoorSession& session, const resp::ClusterNode& node) {
  const std::string address = address_of(node.host, node.port);
  if (const auto found = session.links.find(address); found != session.links.end()) return *links_.at(found->second);
  auto link = std::make_unique<Link>();
  link->number = ++links_made_;
  link->host = node.host;
  link->port = node.port;
  link->client = &session;
  if (has_password()) {
    resp::append_request(link->out, {"AUTH", options_.password});
    ++link->to_drop;
  }
  resp::append_request(link->out, {"CLARET", "FORWARDED"});
  ++link->to_drop;
  wanted_links_.push_back(link->number);
  session.links.emplace(address, link->number);
  return *links_.insert_or_assign(link->number, std::move(link)).first->second;
}

bool Door::has_versions(const DoorSession& session, const resp::ClusterNode& node) const {
  const auto link = session.links.find(address_of(node.host, node.port));
  return link != session.links.end() && link->second == session.watched_at;
}

bool Door::joins(resp::Connection& connection, const resp::CommandSpec& spec, resp::Arguments arguments) {
  const DoorSession& session = current();
  if (session.places.size() >= kPlacesMax || is_unread(session)) return false;
  if (is_of_door(spec) || spec.has(resp::CommandFlag::kBlocking) || !fault_of(spec, arguments).empty()) return false;
  const Route route = route_of(spec, arguments);
  if (route.place == At::kHere) return true;
  if (route.place != At::kElsewhere) return false;
  const auto link = session.links.find(address_of(view_.nodes[route.node].host, view_.nodes[route.node].port));
  if (link == session.links.end()) return true;
  const Link& there = *links_.at(link->second);
  return there.protocol == connection.reply().protocol() && there.out.size() < kUnsentMax;
}

resp::Backend::Ran Door::send_on(DoorSession& session, const Route& route, std::string_view requests, std::uint32_t dropped,
                                 bool is_write) {
  Link& link = link_to(session, view_.nodes[route.node]);
  ++shard_.counters.totals.redis_forwarded;
  if (const int protocol = session.connection.reply().protocol(); link.protocol != protocol) {
    resp::append_request(link.out, {"HELLO", protocol == 3 ? "3" : "2"});
    link.protocol = protocol;
    ++link.to_drop;
  }
  link.out += requests;
  link.to_drop += dropped;
  link.is_write = (!link.owed.empty() && link.is_write) || is_write;
  link.owed.push_back(session.owe());
  session.waits_for_answer = true;
  tell_output(link);
  return Ran::kWaits;
}

std::vector<WantedLink> Door::wanted_links() {
  std::vector<WantedLink> wanted;
  for (const std::uint32_t number : std::exchange(wanted_links_, {})) {
    const auto found = links_.find(number);
    if (found != links_.end()) wanted.push_back({number, found->second->host, found->second->port});
  }
  return wanted;
}

bool Door::connect_link(std::uint32_t peer, std::uint32_t number) {
  const auto found = links_.find(number);
  if (found == links_.end()) return false;
  found->second->peer = peer;
  links_by_peer_.insert_or_assign(peer, found->second.get());
  tell_output(*found->second);
  return true;
}

void Door::tell_output(Link& link) {
  if (link.peer == 0 || link.has_output) return;
  link.has_output = true;
  has_output_(link.peer);
}

void Door::take_answers(Link& link, std::string_view bytes) {
  if (link.client == nullptr) return;
  DoorSession& session = *link.client;
  link.in.feed(bytes);
  for (;;) {
    switch (link.in.next()) {
      case resp::ReplyScanner::Step::kMore:
        return;
      case resp::ReplyScanner::Step::kBroken:
        lose_link(link);
        return;
      case resp::ReplyScanner::Step::kReply:
        break;
    }
    if (link.to_drop > 0) {
      --link.to_drop;
      continue;
    }
    if (!link.owed.empty()) take_answer(link, session);
  }
}

void Door::take_answer(Link& link, DoorSession& session) {
  std::string_view answer = link.in.reply();
  const std::uint64_t number = link.owed.front();
  link.owed.pop_front();
  if (std::exchange(session.sends_watch, false) && answer.starts_with('-')) session.watched_at = kNoVersions;
  if (!session.to_flush.empty()) {
    session.to_flush.pop_back();
    if (answer.starts_with('-')) session.to_flush.clear();
    if (!session.to_flush.empty()) {
      drop_places(session);  // the next one's answer takes this one's place
      flush_next(session);
      return;
    }
  }
  // The slot has moved on meanwhile: this door learns where in a moment.
  if (answer.starts_with("-MOVED ")) answer = "-TRYAGAIN The slot moves to another shard\r\n";
  answer_place(session, number, answer);
  hand_over_places(session);
}

void Door::answer_place(DoorSession& session, std::uint64_t number, std::string_view answer) {
  ReplyPlace& place = session.place(number);
  place.is_there = true;
  place.reply = answer;
  session.placed_bytes += answer.size();
  count_unread(session);
}

bool Door::flush_next(DoorSession& session) {
  if (session.to_flush.empty()) return false;
  std::string request;
  resp::append_request(request, {"FLUSHALL"});
  send_on(session, {.place = At::kElsewhere, .node = session.to_flush.back()}, request, 0, true);
  return true;
}

// Its client is gone.
void Door::end_link(Link& link) {
  link.client = nullptr;
  link.closing = true;
  if (link.peer == 0) {
    links_.erase(link.number);
  } else {
    tell_output(link);
  }
}

// Its stream has ended, or makes no sense any more. What its client has asked for there may have happened or not.
void Door::lose_link(Link& link) {
  DoorSession* session = std::exchange(link.client, nullptr);
  link.closing = true;
  tell_output(link);
  if (session == nullptr) return;
  session->links.erase(address_of(link.host, link.port));
  session->sends_watch = false;
  if (session->watched_at == link.number) session->watched_at = kNoVersions;
  if (link.owed.empty()) return;
  if (link.is_write) {
    drop_places(*session);
    session->is_cut = true;
    session->connection.close();
    hand_over(*session, 0);
  } else {
    for (const std::uint64_t number : link.owed) answer_place(*session, number, "-TRYAGAIN The shard of the key cannot be reached\r\n");
    link.owed.clear();
    hand_over_places(*session);
  }
}

}  // namespace claret
