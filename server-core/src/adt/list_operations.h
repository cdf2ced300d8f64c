// The operations of List and their commutativity in words.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "adt/adt.h"
#include "adt/list_items.h"

namespace claret::list {

enum Modes : Mode { kRead, kAdd, kPush, kPop, kReplace, kEdit };

inline constexpr std::array kModes = {
    ModeSpec{"read", "reads elements or their number"},
    ModeSpec{"add", "adds elements at an end"},
    ModeSpec{"push", "adds elements at an end, and answers the length"},
    ModeSpec{"pop", "takes elements from an end"},
    ModeSpec{"replace", "replaces an element"},
    ModeSpec{"edit", "changes the list in between"},
};

// ---- Operations -------------------------------------------------------------------------------------------------------

inline constexpr std::array kBackParameters = {
    Parameter{"values", Kind::kScalars, "the elements; the last one given stands last"},
};
inline constexpr std::array kFrontParameters = {
    Parameter{"values", Kind::kScalars, "the elements, each put in front of the one before it: the last one given stands first"},
};
inline constexpr std::array kPopParameters = {
    Parameter{"count", Kind::kInteger, "elements at most, 1 to 10,000"},
};
inline constexpr std::array kSetAtParameters = {
    Parameter{"index", Kind::kInteger, "from 0; negative: -1 is the last element"},
    Parameter{"value", Kind::kScalar, "the new element"},
};
inline constexpr std::array kInsertParameters = {
    Parameter{"pivot", Kind::kScalar, "the first element that equals this, in kind too"},
    Parameter{"value", Kind::kScalar, "the new element"},
    Parameter{"before", Kind::kBoolean, "true: in front of the pivot; false: behind it"},
};
inline constexpr std::array kRemoveEqualParameters = {
    Parameter{"count", Kind::kInteger, "elements at most, the first ones; negative: the last ones; 0: all"},
    Parameter{"value", Kind::kScalar, "what the elements equal, in kind too"},
};
inline constexpr std::array kSectionParameters = {
    Parameter{"first", Kind::kInteger, "index of the first element, from 0; negative: -1 is the last element"},
    Parameter{"last", Kind::kInteger, "index of the last element, which is included; may be negative too"},
};
inline constexpr std::array kAtParameters = {
    Parameter{"index", Kind::kInteger, "from 0; negative: -1 is the last element"},
};
inline constexpr std::array kPositionOfParameters = {
    Parameter{"value", Kind::kScalar, "what the elements equal, in kind too"},
    Parameter{"rank", Kind::kOptional, "of the first match wanted; negative: the search goes from the back; absent: 1"},
    Parameter{"count", Kind::kOptional, "matches at most; 0: all, up to 10,000; absent: 1"},
    Parameter{"maxlen", Kind::kOptional, "elements to be compared at most; 0 or absent: all"},
};

inline constexpr std::array kOperations = {
    OperationSpec{kAppend, "append", kBackParameters, Kind::kVoid, OperationClass::kMutate, kAdd, "Adds the elements at the back."},
    OperationSpec{kPrepend, "prepend", kFrontParameters, Kind::kVoid, OperationClass::kMutate, kAdd, "Adds the elements at the front."},
    OperationSpec{kPushBack, "pushBack", kBackParameters, Kind::kInteger, OperationClass::kBoth, kPush,
                  "Adds the elements at the back; answers the new length."},
    OperationSpec{kPushFront, "pushFront", kFrontParameters, Kind::kInteger, OperationClass::kBoth, kPush,
                  "Adds the elements at the front; answers the new length."},
    OperationSpec{kPushBackIfPresent, "pushBackIfPresent", kBackParameters, Kind::kInteger, OperationClass::kBoth, kPush,
                  "As pushBack, but an empty list stays empty; then the answer is 0."},
    OperationSpec{kPushFrontIfPresent, "pushFrontIfPresent", kFrontParameters, Kind::kInteger, OperationClass::kBoth, kPush,
                  "As pushFront, but an empty list stays empty; then the answer is 0."},
    OperationSpec{kPopFront, "popFront", kPopParameters, Kind::kScalars, OperationClass::kBoth, kPop,
                  "Removes elements from the front and answers them, the first one first. Refused (out_of_range) if the transaction has "
                  "changed the list at that end, or taken elements from it.",
                  kReserves},
    OperationSpec{kPopBack, "popBack", kPopParameters, Kind::kScalars, OperationClass::kBoth, kPop,
                  "Removes elements from the back and answers them, the last one first. Refused as popFront is.", kReserves},
    OperationSpec{kSetAt, "setAt", kSetAtParameters, Kind::kVoid, OperationClass::kMutate, kReplace,
                  "Replaces an element. Refused (out_of_range) if there is none, or if the transaction has changed the list at the end "
                  "from which the index counts, or taken elements from it.",
                  kReserves},
    OperationSpec{kInsert, "insert", kInsertParameters, Kind::kInteger, OperationClass::kBoth, kEdit,
                  "Adds an element beside another one; answers the new length, -1 if no element equals the pivot, 0 if the list is empty."},
    OperationSpec{kRemoveEqual, "removeEqual", kRemoveEqualParameters, Kind::kInteger, OperationClass::kBoth, kEdit,
                  "Removes elements that equal the value; answers how many."},
    OperationSpec{kTrim, "trim", kSectionParameters, Kind::kVoid, OperationClass::kMutate, kEdit,
                  "Removes all elements but those from first to last."},
    OperationSpec{kRange, "range", kSectionParameters, Kind::kScalars, OperationClass::kObserve, kRead,
                  "The elements from first to last; of more than 10,000 the first 10,000."},
    OperationSpec{kAt, "at", kAtParameters, Kind::kOptional, OperationClass::kObserve, kRead,
                  "The element at the index; absent if there is none."},
    OperationSpec{kLength, "length", {}, Kind::kInteger, OperationClass::kObserve, kRead, "The number of elements."},
    OperationSpec{kPositionOf, "positionOf", kPositionOfParameters, Kind::kScalars, OperationClass::kObserve, kRead,
                  "The indices, from 0, of elements that equal the value, in the order of the search."},
};

// ---- Commutativity ----------------------------------------------------------------------------------------------------

// The same words for each of the first operations with each of the second.
struct RuleBlock {
  std::string_view firsts;
  std::string_view seconds;
  std::string_view when;
};

inline constexpr std::string_view kPushes = "pushBack pushFront pushBackIfPresent pushFrontIfPresent";
inline constexpr std::string_view kReads = "range at length positionOf";
inline constexpr std::string_view kEdits = "insert removeEqual trim";
inline constexpr std::string_view kOthers =
    "append prepend pushBack pushFront pushBackIfPresent pushFrontIfPresent popFront popBack setAt range at length positionOf";

inline constexpr std::array kRuleBlocks = {
    RuleBlock{kReads, kReads, "always"},
    RuleBlock{"append", "prepend", "always"},
    RuleBlock{"append", "append", "all values of both are equal, or one adds nothing"},
    RuleBlock{"prepend", "prepend", "all values of both are equal, or one adds nothing"},
    RuleBlock{"append prepend", kPushes, "the append or prepend adds nothing"},
    RuleBlock{kPushes, kPushes, "neither adds anything"},
    RuleBlock{"append", "popFront", "the pop finds all that it asks for, or the append adds nothing"},
    RuleBlock{"prepend", "popBack", "the pop finds all that it asks for, or the prepend adds nothing"},
    RuleBlock{"append", "popBack", "the append adds nothing"},
    RuleBlock{"prepend", "popFront", "the prepend adds nothing"},
    RuleBlock{kPushes, "popFront popBack", "the list is empty and stays so"},
    RuleBlock{"popFront", "popFront", "the list is empty"},
    RuleBlock{"popBack", "popBack", "the list is empty"},
    RuleBlock{"popFront", "popBack", "both find all that they ask for, and different elements; or the list is empty"},
    RuleBlock{"append", "setAt", "the index counts from the front, or the append adds nothing"},
    RuleBlock{"prepend", "setAt", "the index counts from the back, or the prepend adds nothing"},
    RuleBlock{kPushes, "setAt", "the index counts from the other end, or the push adds nothing"},
    RuleBlock{"popFront popBack", "setAt",
              "the index counts from the other end, and the pop finds all that it asks for without that element"},
    RuleBlock{"setAt", "setAt", "different elements, or equal values"},
    RuleBlock{"setAt", "length", "always"},
    RuleBlock{"setAt", "range at positionOf", "the element was not looked at, or equals the value already"},
    RuleBlock{"append prepend", "length", "the append or prepend adds nothing"},
    RuleBlock{"append", "range at positionOf",
              "the read ends before the back and its indices count from the front, or the append adds nothing"},
    RuleBlock{"prepend", "range at", "the read ends before the front and its indices count from the back, or the prepend adds nothing"},
    RuleBlock{"prepend", "positionOf", "the prepend adds nothing"},
    RuleBlock{kPushes, "length", "the push adds nothing"},
    RuleBlock{kPushes, "range at positionOf", "the push adds nothing, or adds at an end that the read did not see"},
    RuleBlock{"popFront popBack", "length", "the list is empty"},
    RuleBlock{"popFront", "range at",
              "the read counts from the back, and the pop takes none of the elements up to there; or the list is empty"},
    RuleBlock{"popFront", "positionOf", "the list is empty"},
    RuleBlock{"popBack", "range at positionOf",
              "the read counts from the front, and the pop takes none of the elements up to there; or the list is empty"},
    RuleBlock{kEdits, kOthers, "never"},
    RuleBlock{kEdits, kEdits, "never"},
};

// Calls each(name) for the names in a text that separates them by spaces.
constexpr void for_each_name(std::string_view names, const auto& each) {
  while (!names.empty()) {
    const std::size_t length = std::min(names.find(' '), names.size());
    each(names.substr(0, length));
    names.remove_prefix(std::min(length + 1, names.size()));
  }
}

inline constexpr auto kRules = [] {
  std::array<CommutativityRule, kOperations.size() * (kOperations.size() + 1) / 2> rules{};
  std::size_t count = 0;
  for (const RuleBlock& block : kRuleBlocks) {
    std::size_t firsts = 0;
    for_each_name(block.firsts, [&](std::string_view first) {
      std::size_t seconds = 0;
      for_each_name(block.seconds, [&](std::string_view second) {
        // Operations of one group meet each other: each pair has one rule.
        if (block.firsts == block.seconds && seconds++ < firsts) return;
        rules.at(count++) = {first, second, block.when};
      });
      ++firsts;
    });
  }
  return rules;
}();

inline constexpr Relation kAlways = Relation::kAlways, kNever = Relation::kNever, kDepends = Relation::kDepends;
inline constexpr Relation kRelations[6][6] = {
    // read     add       push      pop       replace   edit
    {kAlways, kDepends, kDepends, kDepends, kDepends, kNever},  // read
    {kDepends, kDepends, kDepends, kDepends, kDepends, kNever},  // add
    {kDepends, kDepends, kDepends, kDepends, kDepends, kNever},  // push
    {kDepends, kDepends, kDepends, kDepends, kDepends, kNever},  // pop
    {kDepends, kDepends, kDepends, kDepends, kDepends, kNever},  // replace
    {kNever, kNever, kNever, kNever, kNever, kNever},  // edit
};

}  // namespace claret::list
