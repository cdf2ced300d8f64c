// The cluster as its clients see it: who serves which slots, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ground/slots.h"

namespace claret::resp {

struct ClusterNode {
  std::string id;  // 40 hexadecimal digits
  std::string host;
  std::uint16_t port = 0;
  bool connected = true;
  std::vector<SlotRun> slots;  // in order
};

struct ClusterView {
  std::vector<ClusterNode> nodes;
  std::size_t own = 0;  // the place among the nodes of the one that answers
  std::uint64_t epoch = 0;
};

}  // namespace claret::resp
