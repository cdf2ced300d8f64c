// A data type that an application has composed of the built-in ones and of values of its own, from its definition (definition.h).
//
// An operation is a list of *steps*: operations of the fields' types on the fields. It is executed by those that read, and committed by those
// that write. So everything follows from the fields' types, which are proved, or take every update for one that commutes with nothing:
//
//   commutes    two operations commute if all their steps on the same state do; and where the definition claims it, which only the laws can
//               confirm;
//   reserve     all writes take their reservations, or none does;
//   undo        the writes are undone, the last one first.
//
// Steps are not stored: the writes are a function of the call and its result, and the reads of a call that holds the record would give today
// what they gave when it was executed, as long as nothing that they do not commute with has been committed, which is the gate's whole business.
//
// An operation that reads, and that writes, never goes by a state that its own transaction has already changed: it is refused instead, since it
// would not see that change. As everywhere, an operation that only observes sees the committed state.
//
// A type may get another version while its shard runs, once no party holds or awaits an operation of it (transaction/type_changes.h). Fields keep
// their places, and later versions may add some, so one state serves all versions. Calls of an earlier version stay valid: the past and watches
// keep some. Not thread-safe.
//
// A version may have a *migration*, which fills its new fields from the earlier ones, for each record when it is first touched. Nothing that was
// executed before may be undone or committed after such a change; a call that has not been executed yet is taken for the same call of the new version. A
// record whose migration fails is quarantined: its operations are refused, and it stays as it is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composed/definition.h"
#include "composed/fields.h"
#include "composed/rulings.h"

namespace claret::composed {

// The bytes of a record's state. An operation that would leave it larger than that, and larger than it was, is refused. A soft limit: those that
// hold the record together may leave it a little above.
inline constexpr std::size_t kStateBytesMax = 1 << 20;

class ComposedType final : public TypeOf<Fields> {
 public:
  ComposedType(std::uint8_t id, std::unique_ptr<const Definition> definition) : id_(id) { adopt(std::move(definition)); }

  // From now on the type is what this definition says. REQUIRES: can_adopt(definition) is absent.
  void adopt(std::unique_ptr<const Definition> definition);
  // The definition's records have another form than those of now.
  bool migrates_to(const Definition& definition) const { return definition.schema() != this->definition().schema(); }
  // Absent, or why the definition is no later version of the type.
  std::optional<std::string> can_adopt(const Definition& definition) const;
  const Definition& definition() const { return *current().definition; }

  std::uint8_t id() const override { return id_; }
  std::string_view name() const override { return definition().name; }
  std::string_view meaning() const override { return definition().meaning; }
  std::span<const OperationSpec> operations() const override { return current().operations; }
  std::span<const ModeSpec> modes() const override { return current().rulings.modes(); }
  std::span<const CommutativityRule> rules() const override { return current().rulings.rules(); }
  std::unique_ptr<State> create() const override;
  Relation relation(Mode first, Mode second) const override {
    return modes_differ_ ? Relation::kDepends : current().rulings.relation(first, second);
  }

  // An operation of a built-in type on a field.
  struct Step {
    std::size_t field;
    std::string key;
    Call call;
    Value result;

    bool same_place(const Step& other) const { return field == other.field && key == other.key; }
  };
  using Steps = std::vector<Step>;

 protected:
  bool commutes(const Held& first, const Held& second, const Fields& committed) const override;
  Outcome execute(const Fields& state, const Call& call, std::span<const Held> own, const Context& context) const override;
  Reservation reserve(Fields& state, const Call& call, const Value& result, std::span<const Held> own) const override;
  void release(Fields& state, const Call& call, const Value& result) const override;
  void commit(Fields& state, const Call& call, const Value& result) const override;
  Value before(const Fields& state, const Call& call, const Value& result) const override;
  void undo(Fields& state, const Call& call, const Value& result, const Value& kept) const override;
  void encode(const Fields& state, std::string& out) const override { fields().encode(state, out); }

 public:
  std::unique_ptr<State> decode(std::string_view bytes) const override;

 private:
  struct Version {
    explicit Version(std::unique_ptr<const Definition> given);

    std::unique_ptr<const Definition> definition;
    FieldSet fields;
    Rulings rulings;
    std::vector<OperationSpec> operations;  // with their modes
  };

  const Version& current() const { return *versions_.back(); }
  const FieldSet& fields() const { return current().fields; }
  // The version by which a call is understood.
  const Version& version_of(const Call& call) const;
  std::size_t place_of(const Call& call) const { return std::size_t{call.operation->id} - 1; }
  // Brings a record of an earlier version to the fields as they are. It is the same record to everyone before and after, so it counts as no change.
  // Absent, or why it cannot be.
  std::optional<Refusal> migrate(const Fields& state) const;
  std::optional<Refusal> migrate(Fields& state, const Migration& migration) const;
  std::optional<Steps> migration_steps(const Fields& state, const Migration& migration, Refusal& refusal) const;
  const Body& body_of(const Call& call) const;
  // The reads of a call, on this state; absent: it is refused.
  std::optional<Steps> reads(const Fields& state, const Call& call) const;
  // What is written leaves all that the call reads as it is.
  bool read_commutes(const Call& reading, const Steps& written, const Fields& state) const;
  // Absent: they are refused, and `refusal` says why. An executed call's writes never are.
  std::optional<Steps> evaluate_writes(const Call& call, const Value& result, Refusal& refusal) const;
  // Null: they are refused.
  std::shared_ptr<const Steps> possible_writes(const Call& call, const Value& result) const;
  // REQUIRES: the call was executed with this result, or its writes cannot be refused.
  std::shared_ptr<const Steps> writes(const Call& call, const Value& result) const;
  // The step of a write; absent: it is not made, or it is refused.
  std::optional<Step> step_of(const Write& write, std::vector<Value> of_update, Evaluation& evaluation,
                              std::optional<Refusal>& refusal) const;
  bool is_update(const Step& step) const { return fields()[step.field].values != nullptr; }
  bool claimed(const Held& first, const Held& second) const;
  bool steps_commute(const Steps& first, const Steps& second, const Fields& state) const;
  // Null, or why the call may not follow its own transaction's earlier ones.
  std::optional<Refusal> check_own(const Fields& state, const Steps& read, std::span<const Held> own) const;
  std::optional<Refusal> check_writes(const Fields& state, const Steps& steps, std::span<const Held> own, const Context& context) const;
  std::optional<Refusal> check_size(const Fields& state, const Steps& steps) const;
  void apply(Fields& state, const Step& step) const;
  void give_back(Fields& state, std::span<const Step> steps) const;

  // The writes of the call that was looked at last. A call comes to execute, reserve, before, commit and release in turn.
  struct Memo {
    const OperationSpec* operation = nullptr;
    std::vector<Value> arguments;
    Value result;
    std::shared_ptr<const Steps> writes;
  };

  std::uint8_t id_;
  std::vector<std::unique_ptr<const Version>> versions_;
  bool modes_differ_ = false;  // a mode has not meant the same in all versions, and something may still wait in one of an earlier version
  mutable Memo memo_;
};

}  // namespace claret::composed
