// MULTI, EXEC, DISCARD, WATCH and UNWATCH.
#include <algorithm>

#include "resp/own_commands.h"

namespace claret::resp::own {

void multi(Connection& connection, Arguments) {
  if (connection.queue().open()) return connection.reply().error("ERR MULTI calls can not be nested");
  connection.queue().begin();
  connection.reply().ok();
}

void exec(Connection& connection, Arguments) {
  TransactionQueue& queue = connection.queue();
  if (!queue.open()) return connection.reply().error("ERR EXEC without MULTI");
  auto ran = Backend::Ran::kReplied;
  if (queue.failed()) {
    connection.reply().error("EXECABORT Transaction discarded because of previous errors.");
  } else if (queue.commands().empty() && queue.watched().empty()) {
    connection.reply().array(0);
  } else {
    ran = connection.backend().execute(connection, queue.commands(), queue.watched());
  }
  if (ran == Backend::Ran::kReplied) queue.end();
  connection.await(ran);
}

void discard(Connection& connection, Arguments) {
  if (!connection.queue().open()) return connection.reply().error("ERR DISCARD without MULTI");
  connection.queue().end();
  connection.reply().ok();
}

void watch(Connection& connection, Arguments arguments) {
  const TransactionQueue& queue = connection.queue();
  if (queue.open()) return connection.reply().error("ERR WATCH inside MULTI is not allowed");
  if (queue.watched().size() + arguments.size() - 1 > connection.options().limits.watched_keys) {
    return connection.reply().error("ERR too many keys watched");
  }
  connection.await(connection.backend().watch(connection, arguments.subspan(1)));
}

void unwatch(Connection& connection, Arguments) {
  connection.queue().unwatch();
  connection.reply().ok();
}

}  // namespace claret::resp::own
