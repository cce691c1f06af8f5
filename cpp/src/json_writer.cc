#include "json_writer.h"

#include "wire.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace interlock::detail {

namespace {

constexpr std::array<char, 128> makeEscapes() {
  std::array<char, 128> escapes{}; // 0: none. 'u': as \u00xx.
  for (std::size_t i = 0; i < 0x20; ++i)
    escapes[i] = 'u';
  escapes['\b'] = 'b';
  escapes['\t'] = 't';
  escapes['\n'] = 'n';
  escapes['\f'] = 'f';
  escapes['\r'] = 'r';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  return escapes;
}

constexpr std::array<char, 128> kEscapes = makeEscapes();

template <typename T> void appendNumber(T value, std::string &out) {
  std::array<char, 24> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), result.ptr);
}

std::uint64_t varint(const char *&at, const char *end) {
  std::uint64_t value = 0;
  if (readVarint(at, end, value) != VarintStatus::Minimal)
    std::abort();
  return value;
}

// The bytes of one field of a message. In canonical bytes the elements of a repeated field stand together.
struct Span {
  const char *begin; // Behind the first tag. Null: the field is not there.
  const char *end;
};

class Writer {
public:
  explicit Writer(std::size_t size) { out_.reserve(size * 2 + size / 4); }

  void writeMessage(const char *at, const char *end, const MessagePlan &plan) {
    std::array<Span, kMostFields> spans; // Only those of this message's fields are used.
    for (std::size_t i = 0; i < plan.fields.size(); ++i)
      spans[i].begin = nullptr;
    while (at < end) {
      const std::uint64_t tag = varint(at, end);
      const FieldPlan *field = plan.find(static_cast<std::uint32_t>(tag >> 3));
      if (field == nullptr)
        std::abort();
      Span &span = spans[field->index];
      if (span.begin == nullptr)
        span.begin = at;
      skip(at, end, static_cast<WireType>(tag & 7));
      span.end = at;
    }
    out_ += '{';
    bool first = true;
    for (const FieldPlan *field : plan.byJsonName) {
      const Span &span = spans[field->index];
      if (span.begin == nullptr)
        continue;
      if (!first)
        out_ += ',';
      first = false;
      out_ += field->jsonPrefix;
      writeField(span, *field);
    }
    out_ += '}';
  }

  std::string take() { return std::move(out_); }

private:
  static void skip(const char *&at, const char *end, WireType type) {
    std::uint64_t size = 0;
    if (type == WireType::Varint) {
      static_cast<void>(varint(at, end));
    } else if (type == WireType::Len) {
      size = varint(at, end);
    } else {
      size = type == WireType::Fixed32 ? 4 : 8;
    }
    if (size > static_cast<std::uint64_t>(end - at))
      std::abort();
    at += size;
  }

  void writeField(Span span, const FieldPlan &field) {
    const char *at = span.begin;
    if (!field.repeated)
      return writeValue(at, span.end, field);
    out_ += '[';
    if (field.packed())
      static_cast<void>(varint(at, span.end)); // The length, which the span knows.
    for (bool first = true; at < span.end; first = false) {
      if (!first) {
        out_ += ',';
        if (!field.packed())
          static_cast<void>(varint(at, span.end)); // The tag.
      }
      writeValue(at, span.end, field);
    }
    out_ += ']';
  }

  void writeValue(const char *&at, const char *end, const FieldPlan &field) {
    if (field.wireType != WireType::Len)
      return writeNumber(at, end, field);
    const std::uint64_t size = varint(at, end);
    const std::string_view bytes(at, size);
    at += size;
    if (field.type == FieldType::Message) {
      writeMessage(bytes.data(), bytes.data() + size, *field.message);
    } else if (field.type == FieldType::String) {
      appendJsonString(bytes, out_);
    } else {
      out_ += '"';
      appendBase64(bytes, out_);
      out_ += '"';
    }
  }

  void writeNumber(const char *&at, const char *end, const FieldPlan &field) {
    std::uint64_t value = 0;
    if (field.wireType == WireType::Varint) {
      value = varint(at, end);
    } else {
      value = readFixed(at, field.wireType == WireType::Fixed32 ? 4 : 8);
      if (field.isSigned && !field.wide)
        value = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)});
    }
    if (field.type == FieldType::Bool) {
      out_ += value != 0 ? "true" : "false";
      return;
    }
    if (field.type == FieldType::Enum) {
      out_ += field.enumeration->find(value)->json;
      return;
    }
    if (field.zigzag)
      value = (value >> 1) ^ (~(value & 1) + 1);
    if (field.wide)
      out_ += '"';
    if (field.isSigned)
      appendNumber(static_cast<std::int64_t>(value), out_);
    else
      appendNumber(value, out_);
    if (field.wide)
      out_ += '"';
  }

  std::string out_;
};

} // namespace

std::string writeJson(std::string_view canonical, const MessagePlan &plan) {
  Writer writer(canonical.size());
  writer.writeMessage(canonical.data(), canonical.data() + canonical.size(), plan);
  return writer.take();
}

void appendJsonString(std::string_view text, std::string &out) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  std::size_t plain = 0; // The start of what needs no escape.
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const char escape = byte < 0x80 ? kEscapes[byte] : '\0';
    if (escape == '\0') [[likely]]
      continue;
    out.append(text.substr(plain, i - plain));
    plain = i + 1;
    out += '\\';
    out += escape;
    if (escape == 'u') {
      out += "00";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  out.append(text.substr(plain));
  out += '"';
}

void appendBase64(std::string_view bytes, std::string &out) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (const unsigned shift : {18U, 12U, 6U, 0U})
      out += alphabet[group >> shift & 63];
  }
  const std::size_t left = bytes.size() - i;
  if (left == 0)
    return;
  const std::uint32_t group = byte(i) << 16 | (left == 2 ? byte(i + 1) << 8 : 0);
  out += alphabet[group >> 18 & 63];
  out += alphabet[group >> 12 & 63];
  out += left == 2 ? alphabet[group >> 6 & 63] : '=';
  out += '=';
}

} // namespace interlock::detail
