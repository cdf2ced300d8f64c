#include "transaction/outbox.h"

#include "ground/mutation.h"

namespace claret {

void Outbox::hold_back(std::uint64_t position, std::uint64_t durable) {
  if (mutated(Mutation::kAnswerBeforeDurable)) return;
  if (!out.empty() && out_needs <= durable) seal();
  out_needs = std::max(out_needs, position);
}

}  // namespace claret
