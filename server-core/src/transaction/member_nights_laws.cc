#include <rapidcheck.h>

#include <ostream>

#include "transaction/member_nights.h"

namespace claret::laws {

namespace {

constexpr int kHappeningsMax = 40;

const char* name_of(Happening::What what) {
  using What = Happening::What;
  switch (what) {
    case What::kMember:
      return "a member comes";
    case What::kStranger:
      return "another transaction locks";
    case What::kStrangerCommits:
      return "another transaction commits";
    case What::kStrangerAborts:
      return "another transaction aborts";
    case What::kClose:
      return "an epoch is closed";
    case What::kSeal:
      return "an epoch is sealed";
    case What::kCallOff:
      return "an epoch is called off";
    case What::kAsk:
      return "a peer asks";
    case What::kDecide:
      return "a member is decided among the shards";
    case What::kStep:
      return "a step";
  }
  return "";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Night& night) {
  for (const Scenario& record : night.records) out << record << "\n";
  for (const Happening& happening : night.happenings) {
    out << "  " << name_of(happening.what) << " (" << happening.who << (happening.alone ? ", alone" : "")
        << (happening.asked_before ? ", asked before" : "") << ")";
    for (const CallOn& one : happening.calls) out << " " << one.record << ": " << one.call;
    if (!happening.others.empty()) out << " votes elsewhere:";
    for (const int after : happening.others) out << " " << after;
    out << "\n";
  }
  return out;
}

namespace {

// The records' types, and the operation of each that most calls are of: otherwise hardly any would meet.
struct Types {
  std::vector<const DataType*> types;
  std::vector<const OperationSpec*> favourites;
};

std::vector<CallOn> draw_calls(const Types& of) {
  std::vector<CallOn> calls;
  for (std::size_t parts = *rc::gen::inRange<std::size_t>(1, 4); parts > 0; --parts) {
    const std::size_t record = *rc::gen::inRange<std::size_t>(0, of.types.size());
    const OperationSpec* favourite = *rc::gen::inRange(0, 3) > 0 ? of.favourites[record] : nullptr;
    for (Call& call : draw_transaction(*of.types[record], favourite, 2).calls) calls.push_back({record, std::move(call)});
  }
  return calls;
}

Happening draw_happening(const Types& of, bool strangers) {
  using What = Happening::What;
  Happening happening{};
  happening.what = *rc::gen::weightedElement<What>({{10, What::kMember},
                                                    {strangers ? 4 : 0, What::kStranger},
                                                    {strangers ? 4 : 0, What::kStrangerCommits},
                                                    {strangers ? 1 : 0, What::kStrangerAborts},
                                                    {5, What::kClose},
                                                    {4, What::kSeal},
                                                    {1, What::kCallOff},
                                                    {1, What::kAsk},
                                                    {3, What::kDecide},
                                                    {1, What::kStep}});
  happening.who = *rc::gen::inRange<std::size_t>(0, 6);
  happening.alone = rarely(5);
  happening.asked_before = rarely(12);
  if (happening.what == What::kMember || happening.what == What::kStranger) happening.calls = draw_calls(of);
  if (happening.what == What::kClose) {
    for (int i = 0; i < 6; ++i) happening.others.push_back(rarely(6) ? kNotListed : *rc::gen::inRange(-6, 20));
  }
  return happening;
}

}  // namespace

Night draw_night(const DataType& type) {
  Night night;
  const std::vector<const DataType*> all = types_to_try();
  Types of{{&type, &type}, {}};
  if (*rc::gen::arbitrary<bool>()) of.types.push_back(all[*rc::gen::inRange<std::size_t>(0, all.size())]);
  for (const DataType* one : of.types) {
    const OperationSpec& any = one->operations().front();
    night.records.push_back(draw_scenario(*one, any, any));
    night.records.back().steps.clear();
    of.favourites.push_back(&one->operations()[*rc::gen::inRange<std::size_t>(0, one->operations().size())]);
  }
  const bool strangers = !rarely(3);
  // Shrinking draws again, later.
  night.happenings = draw_up_to<Happening>(kHappeningsMax, [of, strangers] { return draw_happening(of, strangers); });
  return night;
}

}  // namespace claret::laws
