// CLUSTER and its subcommands, READONLY, READWRITE and ASKING. All nodes are masters.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "ground/slots.h"
#include "resp/numbers.h"
#include "resp/own_commands.h"

namespace claret::resp::own {

namespace {

// The cluster, or nullptr if there is none; then the error has been answered.
const ClusterView* cluster_of(Connection& connection) {
  const ClusterView* cluster = connection.backend().cluster();
  if (cluster == nullptr) connection.reply().error("ERR This instance has cluster support disabled");
  return cluster;
}

std::uint32_t slots_of(const ClusterNode& node) {
  std::uint32_t slots = 0;
  for (const auto& run : node.slots) slots += run.last - run.first + 1;
  return slots;
}

constexpr int kBusPortsAbove = 10000;  // the port between nodes of Redis, which some clients read, is as far above that for clients

std::string node_line(const ClusterNode& node, bool own, std::uint64_t epoch) {
  const std::string port = std::to_string(node.port);
  std::string line = node.id + " " + node.host + ":" + port + "@" + std::to_string(node.port + kBusPortsAbove);
  line.append(own ? " myself,master - 0 0 " : " master - 0 0 ").append(std::to_string(epoch));
  line.append(own || node.connected ? " connected" : " disconnected");
  for (const auto& [first, last] : node.slots) {
    line.append(" ").append(std::to_string(first));
    if (last != first) line.append("-").append(std::to_string(last));
  }
  return line.append("\n");
}

void write_figure(std::string& text, std::string_view name, std::uint64_t figure) {
  text.append(name).append(":").append(std::to_string(figure)).append("\r\n");
}

struct PlacedRun {
  SlotRun run;
  const ClusterNode* node;
};

// All runs of slots, in order.
std::vector<PlacedRun> runs_of(const ClusterView& cluster) {
  std::vector<PlacedRun> runs;
  for (const auto& node : cluster.nodes) {
    for (const auto& run : node.slots) runs.push_back({run, &node});
  }
  std::sort(runs.begin(), runs.end(), [](const auto& left, const auto& right) { return left.run.first < right.run.first; });
  return runs;
}

void write_shard(ReplyWriter& reply, const ClusterNode& node) {
  reply.map(2);
  reply.bulk("slots");
  reply.array(2 * node.slots.size());
  for (const auto& [first, last] : node.slots) {
    reply.integer(first);
    reply.integer(last);
  }
  reply.bulk("nodes");
  reply.array(1);
  reply.map(7);
  reply.bulk("id");
  reply.bulk(node.id);
  reply.bulk("port");
  reply.integer(node.port);
  for (const auto address : {"ip", "endpoint"}) {
    reply.bulk(address);
    reply.bulk(node.host);
  }
  reply.bulk("role");
  reply.bulk("master");
  reply.bulk("replication-offset");
  reply.integer(0);
  reply.bulk("health");
  reply.bulk(node.connected ? "online" : "fail");
}

void set_reads_only(Connection& connection, bool reads_only) {
  if (cluster_of(connection) == nullptr) return;
  connection.client().reads_only = reads_only;
  connection.reply().ok();
}

}  // namespace

void cluster_info(Connection& connection, Arguments) {
  const ClusterView* cluster = cluster_of(connection);
  if (cluster == nullptr) return;
  std::uint32_t assigned = 0;
  std::uint32_t failed = 0;
  std::uint64_t serving = 0;
  for (const auto& node : cluster->nodes) {
    assigned += slots_of(node);
    if (!node.connected) failed += slots_of(node);
    if (!node.slots.empty()) ++serving;
  }
  std::string text;
  text.append("cluster_state:").append(assigned - failed == kSlots ? "ok" : "fail").append("\r\n");
  write_figure(text, "cluster_slots_assigned", assigned);
  write_figure(text, "cluster_slots_ok", assigned - failed);
  write_figure(text, "cluster_slots_pfail", 0);
  write_figure(text, "cluster_slots_fail", failed);
  write_figure(text, "cluster_known_nodes", cluster->nodes.size());
  write_figure(text, "cluster_size", serving);
  write_figure(text, "cluster_current_epoch", cluster->epoch);
  write_figure(text, "cluster_my_epoch", cluster->epoch);
  write_figure(text, "cluster_stats_messages_sent", 0);
  write_figure(text, "cluster_stats_messages_received", 0);
  write_figure(text, "total_cluster_links_buffer_limit_exceeded", 0);
  connection.reply().verbatim("txt", text);
}

void cluster_nodes(Connection& connection, Arguments) {
  const ClusterView* cluster = cluster_of(connection);
  if (cluster == nullptr) return;
  std::string lines;
  for (std::size_t i = 0; i < cluster->nodes.size(); ++i) lines += node_line(cluster->nodes[i], i == cluster->own, cluster->epoch);
  connection.reply().verbatim("txt", lines);
}

void cluster_slots(Connection& connection, Arguments) {
  const ClusterView* cluster = cluster_of(connection);
  if (cluster == nullptr) return;
  ReplyWriter& reply = connection.reply();
  const auto runs = runs_of(*cluster);
  reply.array(runs.size());
  for (const auto& [run, node] : runs) {
    reply.array(3);
    reply.integer(run.first);
    reply.integer(run.last);
    reply.array(4);
    reply.bulk(node->host);
    reply.integer(node->port);
    reply.bulk(node->id);
    reply.map(0);
  }
}

void cluster_shards(Connection& connection, Arguments) {
  const ClusterView* cluster = cluster_of(connection);
  if (cluster == nullptr) return;
  connection.reply().array(cluster->nodes.size());
  for (const auto& node : cluster->nodes) write_shard(connection.reply(), node);
}

void cluster_myid(Connection& connection, Arguments) {
  const ClusterView* cluster = cluster_of(connection);
  if (cluster != nullptr) connection.reply().bulk(cluster->nodes[cluster->own].id);
}

void cluster_keyslot(Connection& connection, Arguments arguments) {
  if (cluster_of(connection) != nullptr) connection.reply().integer(slot_of(arguments[2]));
}

void cluster_countkeysinslot(Connection& connection, Arguments arguments) {
  if (cluster_of(connection) == nullptr) return;
  const auto slot = parse_integer(arguments[2]);
  if (!slot) return connection.reply().error(kNotAnInteger);
  if (*slot < 0 || *slot >= kSlots) return connection.reply().error("ERR Invalid slot");
  connection.reply().integer(connection.backend().keys_in_slot(static_cast<std::uint32_t>(*slot)));
}

void cluster_help(Connection& connection, Arguments) {
  if (cluster_of(connection) == nullptr) return;
  help(connection, "CLUSTER",
       {"COUNTKEYSINSLOT <slot>", "    How many keys of the slot this node has.", "INFO", "    Figures about the cluster.", "KEYSLOT <key>",
        "    The slot of a key.", "MYID", "    The name of this node.", "NODES", "    The nodes, each in a line.", "SHARDS",
        "    The shards with their slots and nodes.", "SLOTS", "    Which node serves which slots."});
}

void readonly(Connection& connection, Arguments) { set_reads_only(connection, true); }

void readwrite(Connection& connection, Arguments) { set_reads_only(connection, false); }

void asking(Connection& connection, Arguments) {
  if (cluster_of(connection) != nullptr) connection.reply().ok();
}

}  // namespace claret::resp::own
