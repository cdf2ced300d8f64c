// Tries the laws (adt/laws.h) on the definition of a data type: `type_check [--seconds=N] [--seed=N] < definition`. It is a process of its own, so
// that whatever a definition costs falls on nobody else; its caller limits its time. Behind a byte 0 the input may have the definition of the version
// that is to be replaced, whose records must be such as can be migrated.
//
// Prints one line of JSON:
//   {"problem"}                                          the text is no definition
//   {"name", "version", "seed", "pairs": [{"first", "second", "together", "apart", "waited"}],
//    "failure": {"law", "of", "broken", "case", "seed"}}
// `together`: how often the two held the record together; `apart`: how often they could not; `waited`: how often a reservation had to wait.
// `failure` is left out if no law was broken. `case` is the least history that was found to break one, in words, and `seed` finds it again.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>

#include "adt/laws.h"
#include "adt/registry.h"
#include "composed/composed_type.h"
#include "composed/migration_laws.h"
#include "composed/type_table.h"
#include "ground/check.h"
#include "structure/json_writer.h"

namespace claret::laws {

// Records of these stand beside those of the type.
std::vector<const DataType*> types_to_try() { return {all_types().begin(), all_types().end()}; }

namespace {

constexpr std::size_t kCasesOfAllPairs = 10'000;
constexpr std::int64_t kNamedLengthMax = 64;

using Clock = std::chrono::steady_clock;

struct Failure {
  std::string law;
  std::string of;
  std::string text;  // as the search returns it; empty: none
  std::uint64_t seed = 0;
};

class Trial {
 public:
  // `before`: the definition that is to be replaced; empty: there is none.
  Trial(const composed::ComposedType& type, std::string before, double seconds, std::uint64_t seed)
      : type_(type),
        before_(std::move(before)),
        ends_(Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000))),
        seed_(seed) {}

  // Every law is tried at least once, and then again and again while there is time.
  void run() {
    for (std::uint64_t round = 0; round == 0 || (failure_.text.empty() && Clock::now() < ends_); ++round) {
      const Effort effort{1, seed_ + round};
      if (!try_migrations(effort) || !try_pairs(effort) || !try_rest(effort)) return;
    }
  }

  void write(JsonWriter& json) const {
    json.name("seed").text(std::to_string(seed_)).name("pairs").open('[');
    for (const CommutativityRule& rule : type_.rules()) {
      const auto found = tally_.find(std::minmax(type_.find(rule.first)->id, type_.find(rule.second)->id));
      const Meetings meetings = found == tally_.end() ? Meetings{} : found->second;
      json.open('{').name("first").text(rule.first).name("second").text(rule.second);
      json.name("together").count(meetings.joined).name("apart").count(meetings.denied).name("waited").count(meetings.waited).close('}');
    }
    json.close(']');
    if (failure_.text.empty()) return;
    std::string broken, what;
    split(failure_.text, broken, what);
    json.name("failure").open('{').name("law").text(failure_.law).name("of").text(failure_.of).name("broken").text(broken);
    json.name("case").text(what).name("seed").text(std::to_string(failure_.seed)).close('}');
  }

  bool failed() const { return !failure_.text.empty(); }

 private:
  bool note(std::string_view law, std::string of, std::string found, const Effort& effort) {
    if (found.empty()) return true;
    failure_ = {std::string(law), std::move(of), std::move(found), effort.round};
    return false;
  }

  bool try_migrations(const Effort& effort) {
    return before_.empty() || note("migrations", "", find_migration_counterexample(before_, type_.definition().text, effort), effort);
  }

  bool try_pairs(const Effort& effort) {
    for (const OperationSpec& first : type_.operations()) {
      for (const OperationSpec& second : type_.operations()) {
        const std::string of = std::string(first.name) + ", " + std::string(second.name);
        if (!note("pairs", of, find_counterexample(type_, first, second, effort, tally_), effort)) return false;
      }
    }
    return true;
  }

  bool try_rest(const Effort& effort) {
    UndoTally undone;
    TogetherTally together;
    MemberTally members;
    return note("undo", "", find_undo_counterexample(type_, effort, undone), effort) &&
           note("taken out", "", find_take_out_counterexample(type_, effort, undone), effort) &&
           note("crowds", "", find_gate_counterexample(type_, Crowd{}, effort, together), effort) &&
           note("epochs", "", find_member_counterexample(type_, effort, members), effort);
  }

  // The search's text is the law's name, the seed, what was drawn, the place in the source that has failed, and what was wrong there.
  static void split(const std::string& text, std::string& broken, std::string& what) {
    std::istringstream lines(text);
    std::vector<std::string> kept;
    for (std::string line; std::getline(lines, line);) {
      const bool of_the_search = line.empty() || line.starts_with("seed=") || line.starts_with("Falsifiable") || line.starts_with("RC_") ||
                                 line.starts_with("claret::") || line.find(".cc:") != std::string::npos;
      if (!of_the_search) kept.push_back(std::move(line));
    }
    if (kept.empty()) return;
    broken = kept.back();
    for (std::size_t i = 1; i + 1 < kept.size(); ++i) what += (what.empty() ? "" : "\n") + kept[i];
  }

  const composed::ComposedType& type_;
  std::string before_;
  Clock::time_point ends_;
  std::uint64_t seed_;
  Tally tally_;
  Failure failure_;
};

bool read_options(int count, char** arguments, double& seconds, std::uint64_t& seed) {
  for (int i = 1; i < count; ++i) {
    const std::string_view argument(arguments[i]);
    if (argument.starts_with("--seconds=")) {
      seconds = std::atof(arguments[i] + 10);
    } else if (argument.starts_with("--seed=")) {
      seed = std::strtoull(arguments[i] + 7, nullptr, 10);
    } else {
      return false;
    }
  }
  return true;
}

void collect(const composed::Expression& expression, std::vector<Value>& named) {
  const Value& constant = expression.constant;
  if (constant.is_text()) named.push_back(constant);
  if (constant.is_integer()) {
    // The nearest beside it too: most comparisons change their answer there.
    for (const std::int64_t by : {-1, 0, 1}) {
      std::int64_t near = 0;
      if (!__builtin_add_overflow(constant.integer(), by, &near)) named.emplace_back(near);
      // A number may be that of the bytes of a text.
      if (near > 0 && near <= kNamedLengthMax) named.emplace_back(std::string(static_cast<std::size_t>(near), 'x'));
    }
  }
  for (const composed::Expression& operand : expression.operands) collect(operand, named);
}

void collect(const composed::Definition& definition, const composed::Write& write, std::vector<Value>& named) {
  if (write.when) collect(*write.when, named);
  if (write.key) collect(*write.key, named);
  for (const composed::Expression& argument : write.arguments) collect(argument, named);
  if (definition.fields[write.field].values != nullptr) collect(static_cast<const composed::Update&>(*write.operation).to, named);
}

// What the expressions of a definition name.
std::vector<Value> named_in(const composed::Definition& definition) {
  std::vector<Value> named;
  for (const composed::Body& body : definition.bodies) {
    for (const composed::Requirement& requirement : body.requirements) collect(requirement.that, named);
    if (body.answer) collect(*body.answer, named);
    for (const composed::Write& write : body.writes) collect(definition, write, named);
  }
  for (const composed::Claim& claim : definition.claims) collect(claim.when, named);
  for (const composed::Migration& migration : definition.migrations) {
    for (const composed::MigrationWrite& one : migration.writes) collect(definition, one.write, named);
  }
  return named;
}

// The definition of the version that is to be replaced; empty: there is none, or this one cannot follow it.
std::string before_of(const composed::Definition& later, const std::string& text) {
  composed::Parsed parsed = composed::parse_definition(text);
  if (parsed.definition == nullptr) return {};
  return composed::ComposedType(composed::kFirstComposedId, std::move(parsed.definition)).can_adopt(later) ? std::string() : text;
}

int check(double seconds, std::uint64_t seed) {
  std::ostringstream text;
  text << std::cin.rdbuf();
  JsonWriter json;
  json.open('{');
  const std::string input = text.str();
  const std::size_t end = std::min(input.find('\0'), input.size());
  composed::Parsed parsed = composed::parse_definition(std::string_view(input).substr(0, end));
  if (parsed.definition == nullptr) {
    std::cout << json.name("problem").text(parsed.problem).close('}').take() << std::endl;
    return 1;
  }
  json.name("name").text(parsed.definition->name).name("version").literal(std::to_string(parsed.definition->version));
  // There are as many searches for pairs as the square of the number of operations, and each is as long as the search is configured for. Its
  // seed is counted from there.
  const std::size_t pairs = parsed.definition->operations.size() * parsed.definition->operations.size();
  const std::size_t cases = std::clamp<std::size_t>(kCasesOfAllPairs / pairs, 10, 100);
  setenv("RC_PARAMS", ("seed=1 max_success=" + std::to_string(cases)).c_str(), 1);
  draw_also(named_in(*parsed.definition));
  std::string before = end == input.size() ? std::string() : before_of(*parsed.definition, input.substr(end + 1));
  const composed::ComposedType type(composed::kFirstComposedId, std::move(parsed.definition));
  Trial trial(type, std::move(before), seconds, seed);
  trial.run();
  trial.write(json);
  std::cout << json.close('}').take() << std::endl;
  return trial.failed() ? 1 : 0;
}

}  // namespace
}  // namespace claret::laws

int main(int count, char** arguments) {
  double seconds = 2;
  std::uint64_t seed = std::random_device{}();
  if (!claret::laws::read_options(count, arguments, seconds, seed)) {
    std::cerr << "Valid are --seconds=N and --seed=N.\n";
    return 2;
  }
  claret::checks_are_on = true;
  return claret::laws::check(seconds, seed);
}
