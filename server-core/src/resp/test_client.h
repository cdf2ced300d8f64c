// For tests: a connection, its backend, and what it answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "resp/connection.h"
#include "resp/test_backend.h"

namespace claret::resp {

struct TestClient {
  explicit TestClient(std::string password = "", ConnectionOptions options = {}) {
    backend.password = std::move(password);
    options.address = "127.0.0.1:5000";
    options.local_address = "127.0.0.1:6379";
    connection.emplace(TestBackend::table(), backend, std::move(options));
  }

  // Takes the bytes and returns the answers. Lines may end with \n.
  std::string ask(std::string_view bytes) {
    connection->take(bytes);
    return output();
  }
  std::string output() { return std::exchange(connection->output(), {}); }

  TestBackend backend;
  std::optional<Connection> connection;
};

}  // namespace claret::resp
