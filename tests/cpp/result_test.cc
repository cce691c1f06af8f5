#include "interlock/error.h"

#include <gtest/gtest.h>

#include <memory>

namespace interlock {
namespace {

TEST(Result, HoldsAValue) {
  const Result<int> result = 7;
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result);
  EXPECT_EQ(*result, 7);
  EXPECT_EQ(result.value(), 7);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = Error{"wire.truncated", "body", 12, "the bytes end"};
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error().code, "wire.truncated");
}

TEST(Result, TellsAStringFromAnError) {
  const Result<std::string> result = std::string("text");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->size(), 4U);
}

TEST(Result, GivesItsValueAway) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, GivesItsErrorAway) {
  Result<int> result = Error{"a.b", "", std::nullopt, "text"};
  const Error taken = std::move(result).error();
  EXPECT_EQ(taken.message, "text");
}

TEST(Error, PrintsPlaceOffsetCodeAndMessage) {
  EXPECT_EQ((Error{"wire.truncated", "body.nodes[3]", 12, "the bytes end"}).toString(),
            "body.nodes[3] (byte 12): error[wire.truncated] the bytes end");
}

TEST(Error, PrintsTheDocumentForAnEmptyPath) {
  EXPECT_EQ((Error{"text.malformed", "", std::nullopt, "no text"}).toString(),
            "document: error[text.malformed] no text");
}

} // namespace
} // namespace interlock
