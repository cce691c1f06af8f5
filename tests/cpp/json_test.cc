#include "json_reader.h"
#include "json_syntax.h"
#include "json_writer.h"
#include "support.h"

#include <gtest/gtest.h>

#include <string>

namespace interlock {
namespace {

using tests::verdict;

std::string written(std::string_view text) {
  std::string out;
  detail::appendJsonString(text, out);
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out;
  detail::appendBase64(bytes, out);
  return out;
}

std::string syntax(std::string_view text, const Limits &limits = {}) {
  detail::JsonShape shape;
  detail::ErrorSlot errors;
  return detail::checkJsonSyntax(text, limits, shape, errors) ? "good" : verdict(errors.take());
}

std::string unescaped(std::string_view text) {
  std::string scratch;
  return std::string(detail::readJsonString(text, scratch));
}

TEST(JsonWriter, EscapesWhatItHasTo) {
  EXPECT_EQ(written("plain"), R"("plain")");
  EXPECT_EQ(written("\"\\"), R"("\"\\")");
  EXPECT_EQ(written("\b\t\n\f\r"), R"("\b\t\n\f\r")");
  EXPECT_EQ(written(std::string_view("\0\x01\x1f", 3)), R"("\u0000\u0001\u001f")");
}

TEST(JsonWriter, EscapesNothingElse) {
  EXPECT_EQ(written("/\x7f<>&'"), "\"/\x7f<>&'\"");
  EXPECT_EQ(written("\u2028\u20ac\U0001f600"), "\"\u2028\u20ac\U0001f600\"");
}

TEST(JsonWriter, PadsBase64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xfb\xff\xfe"), "+//+");
}

TEST(JsonSyntax, AcceptsEveryKindOfValue) {
  EXPECT_EQ(syntax(" { \"a\" : [ 0 , -1 , 10 , true , false , null , \"\\u00e9\\ud83d\\ude00\" , { } , [ ] ] "
                   "} \r\n\t"),
            "good");
}

TEST(JsonSyntax, NamesThePathOfAValueAndOfItsContainer) {
  EXPECT_EQ(syntax(R"({"a":{"b":[1,2,{"c":01}]}})"), "json.number-spelling [a.b[2].c] 20");
  EXPECT_EQ(syntax(R"({"a":{"b":[1,2,{"c":*}]}})"), "json.syntax [a.b[2]] 20");
  EXPECT_EQ(syntax(R"([[0,[tru]]])"), "json.invalid-literal [[0][1][0]] 5");
}

TEST(JsonSyntax, HidesNamesThatAreNoFieldNames) {
  EXPECT_EQ(syntax(R"({"a b":.5})"), "json.number-spelling [?] 7");
  EXPECT_EQ(syntax(R"({"":.5})"), "json.number-spelling [?] 4");
  EXPECT_EQ(syntax("{\"" + std::string(64, 'x') + "\":.5}"),
            "json.number-spelling [" + std::string(64, 'x') + "] 68");
  EXPECT_EQ(syntax("{\"" + std::string(65, 'x') + "\":.5}"), "json.number-spelling [?] 69");
  EXPECT_EQ(syntax(R"({"\u0061":.5})"), "json.number-spelling [a] 10");
}

TEST(JsonSyntax, FindsDuplicateNamesAlsoAmongManyAndAlsoEscaped) {
  EXPECT_EQ(syntax(R"({"a":1,"\u0061":2})"), "json.duplicate-key [] 7");
  std::string many = "{";
  for (int i = 0; i < 100; ++i)
    many += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(syntax(many + "\"k100\":0}"), "good");
  EXPECT_EQ(syntax(many + "\"k3\":0}"), "json.duplicate-key [] " + std::to_string(many.size()));
  EXPECT_EQ(syntax(R"([{"a":1},{"a":1}])"), "good");
}

TEST(JsonSyntax, BoundsTheDepthWithoutRecursion) {
  Limits limits;
  limits.jsonDepth = 2;
  EXPECT_EQ(syntax("[[]]", limits), "good");
  EXPECT_EQ(syntax("[[[]]]", limits), "limit.json-depth [[0][0]] 2");
  limits.jsonDepth = 2'000'000;
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(syntax(deep + std::string(deep.size(), ']'), limits), "good");
}

TEST(JsonSyntax, JudgesSurrogates) {
  EXPECT_EQ(syntax(R"("\ud800")"), "json.lone-surrogate [] 1");
  EXPECT_EQ(syntax(R"("\udc00")"), "json.lone-surrogate [] 1");
  EXPECT_EQ(syntax(R"("\ud800\n")"), "json.lone-surrogate [] 1");
  EXPECT_EQ(syntax(R"("\ud800A")"), "json.lone-surrogate [] 1");
  EXPECT_EQ(syntax(R"("\ud800)"), "json.lone-surrogate [] 1");
  EXPECT_EQ(syntax(R"("\ud800\u12)"), "json.truncated [] 11");
  EXPECT_EQ(syntax(R"("\ud800\u12")"), "json.invalid-escape [] 7");
  EXPECT_EQ(syntax(R"("\udbff\udfff")"), "json.noncharacter [] 1");
}

TEST(JsonSyntax, CallsEveryFaultByItsName) {
  EXPECT_EQ(syntax("\xff"), "json.invalid-utf8 [] 0");
  EXPECT_EQ(syntax("\xEF\xBB\xBF{}"), "json.byte-order-mark [] 0");
  EXPECT_EQ(syntax(""), "json.truncated [] 0");
  EXPECT_EQ(syntax("{} x"), "json.trailing-bytes [] 3");
  EXPECT_EQ(syntax("[/**/]"), "json.comment [] 1");
  EXPECT_EQ(syntax("{a:1}"), "json.unquoted-key [] 1");
  EXPECT_EQ(syntax("{'a':1}"), "json.single-quote [] 1");
  EXPECT_EQ(syntax("['a']"), "json.single-quote [[0]] 1");
  EXPECT_EQ(syntax("[1,]"), "json.trailing-comma [] 2");
  EXPECT_EQ(syntax("[1,}"), "json.trailing-comma [] 2");
  EXPECT_EQ(syntax("\"\n\""), "json.control-character [] 1");
  EXPECT_EQ(syntax("\"\\x\""), "json.invalid-escape [] 1");
  EXPECT_EQ(syntax("\"\uffff\""), "json.noncharacter [] 1");
  EXPECT_EQ(syntax("[NaN]"), "json.invalid-literal [[0]] 1");
  EXPECT_EQ(syntax("[-Infinity]"), "json.number-spelling [[0]] 1");
  EXPECT_EQ(syntax("[1 2]"), "json.syntax [] 3");
}

TEST(JsonReader, UnescapesStrings) {
  EXPECT_EQ(unescaped(R"("plain" rest)"), "plain");
  EXPECT_EQ(unescaped(R"("a\"\\\/\b\f\n\r\tz")"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(unescaped(R"("\u0041\u00e9\u20AC\ud83d\ude00")"), "A\u00e9\u20ac\U0001f600");
}

} // namespace
} // namespace interlock
