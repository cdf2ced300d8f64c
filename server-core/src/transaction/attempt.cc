#include "transaction/attempt.h"

#include "mutation.h"

namespace claret {

void Session::depend_on(std::uint64_t position, std::uint64_t durable) {
  if (position <= durable || mutated(Mutation::kAnswerBeforeDurable)) return;
  if (!out.empty() && out_needs <= durable) seal();
  out_needs = std::max(out_needs, position);
}

}  // namespace claret
