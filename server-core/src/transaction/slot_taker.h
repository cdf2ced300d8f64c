// Takes a run of slots that another shard gives (slot_giver.h). A shard takes one at a time. Each call returns an error if it is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "transaction/ground.h"
#include "transaction/importing.h"
#include "transaction/leftovers.h"

namespace claret {

class SlotTaker {
 public:
  struct Parts {
    Importing& importing;
    Leftovers& leftovers;
  };
  SlotTaker(Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  std::optional<Error> import_piece(std::string_view move, std::uint32_t from, std::string_view piece);
  // `at`: as `SlotGiver::given` returned it. The shard owns the run once that is durable.
  std::optional<Error> take_over(std::string_view move, Timestamp at);
  std::optional<Error> drop_import(std::string_view move);

 private:
  std::optional<Error> check_piece(std::string_view move, std::uint32_t from, const PieceHead& head) const;
  void drop(const LoggedMove& move);

  Ground& ground_;
  Parts parts_;
};

}  // namespace claret
