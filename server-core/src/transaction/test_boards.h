// For tests of boards and peeks: a session that looks at boards.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "adt/registry.h"
#include "transaction/test_chain_world.h"

namespace claret::testing {

// By the key and the name of the operation.
using Shown = std::map<std::string, Value>;

class ShownOnBoards : public ChainTest {
 protected:
  explicit ShownOnBoards(const ShardOptions& options = {}) : ChainTest(options), viewer(world, 20) {}
  void SetUp() override {
    for (TestClient* one : {&client, &other, &viewer}) one->read();
    viewer.want_boards().send();
  }

  // Makes a record hot, with this operation: a chain's members meet each other. Nothing of them stays.
  void heat(const Op& op) {
    TestClient heater(world, ++heaters_);
    for (std::uint64_t n = 1; n <= 6; ++n) heater.member(n, {op});
    heater.send();
    heater.hang_up();
  }
  // What is shown to the viewer now, after time enough for a mark and a board.
  Shown shown() {
    for (int i = 0; i < 3; ++i) world.tick(2.5);
    viewer.read();
    for (const BoardSeen& board : std::exchange(viewer.seen.boards, {})) {
      EXPECT_GE(board.at, at_);
      at_ = board.at;
      if (board.anew) shown_.clear();
      for (const std::string& key : board.gone) std::erase_if(shown_, [&](const auto& one) { return one.first.starts_with(key + ' '); });
      for (const BoardSeen::Shown& one : board.shown) {
        const DataType* type = all_types()[0];
        for (const DataType* each : all_types()) type = each->id() == one.code >> 8 ? each : type;
        std::string name = one.key + ' ';
        for (const OperationSpec& operation : type->operations()) {
          if (operation.id == (one.code & 0xFF)) name += operation.name;
        }
        shown_[name] = one.result;
      }
    }
    return shown_;
  }
  Timestamp at() const { return at_; }
  static Value number(std::int64_t n) { return Value(n); }

  TestClient viewer;

 private:
  std::uint32_t heaters_ = 1000;
  Shown shown_;
  Timestamp at_ = 0;
};

}  // namespace claret::testing
