// The order of the elements of a set.

#ifndef INTERLOCK_SRC_KEYS_H
#define INTERLOCK_SRC_KEYS_H

#include "schema.h"

#include <google/protobuf/message.h>

#include <set>
#include <string>

namespace interlock::detail {

/// Appends the key of one element of a set, spelled so that keys compare as their bytes do. Sets within the
/// element have to be in canonical order.
/// \param owner the message that holds the set.
void appendKey(const google::protobuf::Message &owner, const FieldPlan &set, int index, std::string &out);

/// Follows the elements of one set as they come.
class SetFollower {
public:
  enum class Found { Ascending, Descending, Duplicate };

  explicit SetFollower(const FieldPlan &set) : set_(&set) {}

  [[nodiscard]] const FieldPlan &set() const { return *set_; }

  /// Judges the next element against its predecessor only. For sets that have to be sorted already.
  [[nodiscard]] Found followSorted(const google::protobuf::Message &owner, int index);

  /// Judges the next element against all before it. Costs nothing but the comparison while they ascend.
  [[nodiscard]] Found follow(const google::protobuf::Message &owner, int index);

  /// Whether the elements are out of order.
  [[nodiscard]] bool unsorted() const { return unsorted_; }

private:
  const FieldPlan *set_;
  std::string previous_;
  std::string current_;
  bool unsorted_ = false;
  std::set<std::string, std::less<>> earlier_; // Filled once they are out of order.
};

/// Sorts a set that holds no duplicates.
void sortSet(google::protobuf::Message &owner, const FieldPlan &set);

} // namespace interlock::detail

#endif // INTERLOCK_SRC_KEYS_H
