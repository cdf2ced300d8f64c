// The search for counterexamples: RapidCheck draws, tries and shrinks cases. The seed is fresh, printed, and can be set.
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <sstream>

#include "adt/laws.h"

namespace claret::laws {

bool rarely(int once_in) { return *rc::gen::inRange(0, once_in) == once_in - 1; }

std::string find_failure(const std::string& name, const Effort& effort, const std::function<void()>& property) {
  rc::detail::TestMetadata metadata;
  metadata.id = name;
  metadata.description = name;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess *= effort.times;
  params.seed += effort.round;
  rc::detail::TestListenerAdapter listener;
  const auto result = rc::detail::checkTestable(property, metadata, params, listener);
  if (result.template is<rc::detail::SuccessResult>()) return {};
  std::ostringstream text;
  text << name << "\nseed=" << params.seed << "\n";
  rc::detail::printResultMessage(result, text);
  return text.str();
}

}  // namespace claret::laws
