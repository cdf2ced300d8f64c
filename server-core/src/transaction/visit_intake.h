// Takes the operations of an attempt's request: each becomes a visit to its record.
#pragma once

#include <optional>
#include <string_view>

#include "transaction/ground.h"
#include "transaction/intake.h"
#include "transaction/natives.h"
#include "transaction/warranties.h"

namespace claret {

class VisitIntake {
 public:
  VisitIntake(Ground& ground, Natives& natives, Warranties& warranties) : ground_(ground), natives_(natives), warranties_(warranties) {}

  // Returns an error if an operation cannot be taken; the attempt has the visits of those before it then. What an operation would use goes first
  // if it has expired.
  std::optional<Error> take(Attempt& attempt, RequestMessage& message, Request& request);

 private:
  // What the client wants to know besides the result.
  std::optional<Error> take_asked(const OperationMessage& operation, const TakenOperation& taken, Request& request) const;
  // True if the operation changes nothing, and the state that it would read is durable.
  bool stands_durably(std::string_view key, const OperationSpec& operation) const;
  void expire_before_use(Attempt& attempt, std::string_view key);
  // The record is one of another type.
  Error wrong_type(Attempt& attempt, Record& record, const TakenOperation& taken);

  Ground& ground_;
  Natives& natives_;
  Warranties& warranties_;
};

}  // namespace claret
