#include "interlock/digest.h"

#include <gtest/gtest.h>

#include <string>

namespace interlock {
namespace {

// The examples that NIST publishes for SHA-256.
TEST(Digest, MatchesTheExamplesOfFips180) {
  EXPECT_EQ(digest("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "sha256:248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                   "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "sha256:cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(digest(std::string(1'000'000, 'a')),
            "sha256:cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Digest, MatchesTheShortAndLongMessagesOfTheValidationSuite) {
  EXPECT_EQ(digest(""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest("\xd3"), "sha256:28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
  EXPECT_EQ(digest("\x11\xaf"), "sha256:5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98");
  EXPECT_EQ(digest("\x74\xba\x25\x21"),
            "sha256:b16aa56be3880d18cd41e68384cf1ec8c17680c45a02b1575dc1518923ae8b0e");
}

// Messages whose padding just fits into a block, and just does not.
TEST(Digest, PadsAtTheEdgesOfABlock) {
  EXPECT_EQ(digest(std::string(55, 'a')),
            "sha256:9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(digest(std::string(56, 'a')),
            "sha256:b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(digest(std::string(63, 'a')),
            "sha256:7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
  EXPECT_EQ(digest(std::string(64, 'a')),
            "sha256:ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Digest, IsRecognised) {
  const std::string good = digest("");
  EXPECT_TRUE(isDigest(good));
  EXPECT_FALSE(isDigest(""));
  EXPECT_FALSE(isDigest(good.substr(0, good.size() - 1)));
  EXPECT_FALSE(isDigest(good + '0'));
  EXPECT_FALSE(isDigest("SHA256:" + good.substr(7)));
  EXPECT_FALSE(isDigest("sha256:" + std::string(64, 'A')));
}

} // namespace
} // namespace interlock
