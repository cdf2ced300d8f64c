#include "resp/transaction_queue.h"

#include <cstring>

namespace claret::resp {

QueuedCommand::QueuedCommand(const CommandTable::Entry& entry, Arguments arguments) : entry_(&entry) {
  std::size_t size = 0;
  for (const auto argument : arguments) size += argument.size();
  bytes_ = std::make_unique<char[]>(size);
  arguments_.reserve(arguments.size());
  char* at = bytes_.get();
  for (const auto argument : arguments) {
    if (!argument.empty()) std::memcpy(at, argument.data(), argument.size());
    arguments_.emplace_back(at, argument.size());
    at += argument.size();
  }
}

void TransactionQueue::add(const CommandTable::Entry& entry, Arguments arguments) {
  commands_.emplace_back(entry, arguments);
  for (const auto argument : arguments) bytes_ += argument.size() + sizeof(argument);
}

void TransactionQueue::end() {
  open_ = failed_ = false;
  bytes_ = 0;
  commands_ = std::vector<QueuedCommand>();
  watched_.clear();
}

}  // namespace claret::resp
