#include "tar.h"

#include "container_path.h"
#include "metadata.h"
#include "place.h"
#include "utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace interlock::detail {

namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

constexpr std::string_view kMagic = "ustar\00000"sv;
constexpr std::string_view kGnuMagic = "ustar  \0"sv;
constexpr std::size_t kEnd = 2 * kTarBlock;
// How many zeros may follow the end. Tools pad to the block size of tape drives, which is far less.
constexpr std::size_t kMostPadding = std::size_t{1} << 20;

Error malformedAt(std::uint64_t offset, std::string message) {
  return {"container.malformed", "", offset, std::move(message)};
}

// The text of a field: what stands before the first zero byte.
std::string_view fieldText(std::string_view block, std::size_t begin, std::size_t end) {
  const std::string_view raw = block.substr(begin, end - begin);
  return raw.substr(0, raw.find('\0'));
}

// Spaces, octal digits, then spaces and zero bytes.
std::optional<std::uint64_t> octal(std::string_view raw) {
  raw.remove_prefix(std::min(raw.find_first_not_of(' '), raw.size()));
  const std::size_t count = std::min(raw.find_first_not_of("01234567"), raw.size());
  std::uint64_t value = 0;
  if (count == 0 || raw.find_first_not_of(" \0"sv, count) != std::string_view::npos)
    return std::nullopt;
  std::from_chars(raw.data(), raw.data() + count, value, 8); // At most twelve digits.
  return value;
}

// What pax headers say that a reader has to heed.
struct PaxRecords {
  std::optional<std::string> path;
  std::optional<std::string> size;
  std::optional<std::string> linkPath;
  bool sparse = false;
  bool any = false;

  void take(std::string_view key, std::string_view value) {
    any = true;
    if (key == "path")
      path = value;
    else if (key == "size")
      size = value;
    else if (key == "linkpath")
      linkPath = value;
    else if (key.starts_with("GNU.sparse"))
      sparse = true;
  }

  void takeAll(const PaxRecords &other) {
    const auto replace = [](auto &mine, const auto &theirs) {
      if (theirs)
        mine = theirs;
    };
    replace(path, other.path);
    replace(size, other.size);
    replace(linkPath, other.linkPath);
    sparse = sparse || other.sparse;
  }
};

class TarReader {
public:
  TarReader(const InputFile &file, const Limits &limits)
      : file_(file), limits_(limits), length_(file.size()), window_(std::size_t{64} << 10, '\0') {}

  Result<TarMembers> read() {
    for (;;) {
      std::string_view block;
      if (std::optional<Error> error = readBlock(block))
        return *std::move(error);
      const bool end = block.find_first_not_of('\0') == std::string_view::npos;
      if (std::optional<Error> error = end ? checkEnd() : readMember(block))
        return *std::move(error);
      if (end)
        return std::move(members_);
    }
  }

private:
  // The block at the offset, by way of a window: small members share a read.
  std::optional<Error> readBlock(std::string_view &block) {
    if (length_ - offset_ < kTarBlock)
      return endsEarly(offset_);
    if (offset_ < windowBegin_ || offset_ + kTarBlock > windowBegin_ + windowSize_) {
      const Result<std::size_t> got = file_.readAt(offset_, window_.data(), window_.size());
      if (!got)
        return got.error();
      windowBegin_ = offset_;
      windowSize_ = *got;
      if (windowSize_ < kTarBlock)
        return shrank(offset_);
    }
    block = std::string_view(window_).substr(offset_ - windowBegin_, kTarBlock);
    return std::nullopt;
  }

  std::optional<Error> readBytes(std::uint64_t offset, std::size_t size, std::string &bytes) const {
    bytes.resize(size);
    const Result<std::size_t> got = file_.readAt(offset, bytes.data(), size);
    if (!got)
      return got.error();
    return *got < size ? std::optional(shrank(offset)) : std::nullopt;
  }

  static Error endsEarly(std::uint64_t offset) {
    return malformedAt(offset, "the archive ends without two blocks of zeros");
  }
  static Error shrank(std::uint64_t offset) {
    return malformedAt(offset, "the archive became shorter while it was read");
  }

  std::optional<Error> readMember(std::string_view block) {
    if (std::optional<Error> error = checkHeader(block))
      return error;
    if (++headers_ > limits_.archiveMembers)
      return Error{"limit.archive-members", "", std::nullopt,
                   "the archive has more than `" + std::to_string(limits_.archiveMembers) +
                       "` members, the limit"};
    const std::optional<std::uint64_t> size = octal(block.substr(124, 12));
    if (!size)
      return malformedAt(offset_, "the size of a header is no octal number");
    const std::uint64_t taken = kTarBlock + *size + tarPadding(*size);
    if (taken > length_ - offset_)
      return malformedAt(offset_, "a member of `" + std::to_string(*size) +
                                      "` bytes goes on after the end of the archive");
    const char kind = block[156];
    std::optional<Error> error =
        kind == 'x' || kind == 'g' ? extend(kind, *size) : addMember(block, kind, *size);
    offset_ += taken;
    return error;
  }

  [[nodiscard]] std::optional<Error> checkHeader(std::string_view block) const {
    const std::string_view magic = block.substr(257, 8);
    if (magic != kMagic && magic != kGnuMagic)
      return malformedAt(offset_, "a header is not that of a ustar member");
    const std::optional<std::uint64_t> stated = octal(block.substr(148, 8));
    if (!stated)
      return malformedAt(offset_, "the checksum of a header is no octal number");
    std::uint64_t found = 8 * 0x20;
    for (std::size_t i = 0; i < block.size(); ++i)
      found += i >= 148 && i < 156 ? 0 : static_cast<unsigned char>(block[i]);
    if (found != *stated)
      return malformedAt(offset_, "a header has the checksum `" + std::to_string(found) + "`, and states `" +
                                      std::to_string(*stated) + '`');
    return std::nullopt;
  }

  std::optional<Error> addMember(std::string_view block, char kind, std::uint64_t size) {
    std::string name(fieldText(block, 0, 100));
    // GNU headers keep other things where ustar keeps the start of a long name.
    if (block.substr(257, 8) == kMagic && block[345] != '\0')
      name = std::string(fieldText(block, 345, 500)) + '/' + name;
    if (scanUtf8(name).illFormed != kNowhere)
      return malformedAt(offset_, "the name of a member is not UTF-8");
    if (std::optional<Error> error = checkUnchanged(block, name, size))
      return error;
    if (std::optional<Error> error = checkKind(kind, name))
      return error;
    const bool folder = kind == '5';
    if (folder && (name == "." || name == "./"))
      return std::nullopt;
    if (folder && name.ends_with('/'))
      name.pop_back();
    if (name.starts_with("./"))
      name.erase(0, 2);
    if (std::optional<Error> error = checkName(name))
      return error;
    if (members_.contains(name) || folders_.contains(name))
      return Error{"container.duplicate-member", name, std::nullopt,
                   detail::quoted(name) + " is there a second time"};
    if (folder && size > 0)
      return Error{"container.malformed", name, offset_, "a folder has bytes of its own"};
    if (folder)
      folders_.insert(std::move(name));
    else
      members_.emplace(std::move(name), TarExtent{offset_ + kTarBlock, size});
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Error> checkKind(char kind, const std::string &name) const {
    if (kind == '1' || kind == '2')
      return Error{"container.link", printable(name), offset_,
                   (kind == '1' ? "a hard link"s : "a symbolic link"s) +
                       " stands in an archive; only files and folders may"};
    if (kind != '0' && kind != '\0' && kind != '5')
      return Error{"container.unsupported-member", printable(name), offset_,
                   "a member of type " + detail::quoted(std::string(1, kind)) +
                       " is neither a file nor a folder"};
    return std::nullopt;
  }

  // Reads a pax header, which is about the next member, or about all that follow.
  std::optional<Error> extend(char kind, std::uint64_t size) {
    if (size > limits_.metadataBytes)
      return tooLarge(size, "pax header", limits_);
    std::string bytes;
    if (std::optional<Error> error = readBytes(offset_ + kTarBlock, size, bytes))
      return error;
    PaxRecords records;
    if (std::optional<std::uint64_t> fault = readRecords(bytes, records))
      return malformedAt(offset_ + kTarBlock + *fault, "a record of a pax header is malformed");
    if (kind == 'g')
      forAll_.takeAll(records);
    else
      forNext_ = std::move(records);
    return std::nullopt;
  }

  // Each record: length, space, key, `=`, value, line feed. \returns where one is malformed.
  static std::optional<std::uint64_t> readRecords(std::string_view bytes, PaxRecords &records) {
    std::set<std::string_view> keys;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::string_view rest = bytes.substr(at);
      const std::size_t space = std::min(rest.find_first_not_of("0123456789"), rest.size());
      std::size_t length = 0;
      if (space == 0 || space > 8 || rest[0] == '0' || !rest.substr(space).starts_with(' '))
        return at;
      std::from_chars(rest.data(), rest.data() + space, length);
      if (length <= space + 1 || length > rest.size() || rest[length - 1] != '\n')
        return at;
      const std::string_view record = rest.substr(space + 1, length - space - 2);
      const std::size_t equals = record.find('=');
      if (equals == std::string_view::npos || !keys.insert(record.substr(0, equals)).second)
        return at;
      records.take(record.substr(0, equals), record.substr(equals + 1));
      at += length;
    }
    return std::nullopt;
  }

  // What pax headers say of the name and the size has to be what the header says too.
  std::optional<Error> checkUnchanged(std::string_view block, const std::string &name, std::uint64_t size) {
    PaxRecords stated = forAll_;
    stated.takeAll(std::exchange(forNext_, {}));
    const bool same = !stated.sparse && (!stated.path || *stated.path == name) &&
                      (!stated.size || *stated.size == std::to_string(size)) &&
                      (!stated.linkPath || *stated.linkPath == fieldText(block, 157, 257));
    if (same)
      return std::nullopt;
    return Error{"container.unsupported-member", printable(name), offset_,
                 "a pax header changes the name, the size or the kind of the member"};
  }

  [[nodiscard]] std::optional<Error> checkEnd() const {
    const std::uint64_t rest = length_ - offset_;
    if (rest < kEnd)
      return endsEarly(offset_);
    if (rest > kEnd + kMostPadding)
      return malformedAt(offset_, "more than padding follows the end of the archive");
    std::string bytes;
    if (std::optional<Error> error = readBytes(offset_, static_cast<std::size_t>(rest), bytes))
      return error;
    if (bytes.find_first_not_of('\0') != std::string::npos)
      return malformedAt(offset_, "something other than zeros follows the end of the archive");
    if (forNext_.any)
      return malformedAt(offset_, "a pax header precedes no member");
    return std::nullopt;
  }

  const InputFile &file_;
  const Limits &limits_;
  std::uint64_t length_;
  std::uint64_t offset_ = 0;
  std::uint64_t headers_ = 0;
  std::string window_;
  std::uint64_t windowBegin_ = 0;
  std::size_t windowSize_ = 0;
  TarMembers members_;
  std::set<std::string, std::less<>> folders_;
  PaxRecords forNext_;
  PaxRecords forAll_;
};

void putOctal(std::string &block, std::size_t begin, std::size_t digits, std::uint64_t value) {
  for (std::size_t i = digits; i-- > 0; value >>= 3)
    block[begin + i] = static_cast<char>('0' + (value & 7));
}

} // namespace

bool looksLikeTar(std::string_view start) {
  return start.size() >= kTarBlock && start.substr(257, 5) == kMagic.substr(0, 5);
}

Result<TarMembers> readTarMembers(const InputFile &file, const Limits &limits) {
  return TarReader(file, limits).read();
}

std::string tarHeader(std::string_view name, std::uint64_t size) {
  std::string block(kTarBlock, '\0');
  block.replace(0, name.size(), name);
  putOctal(block, 100, 7, 0644);
  putOctal(block, 108, 7, 0);
  putOctal(block, 116, 7, 0);
  putOctal(block, 124, 11, size);
  putOctal(block, 136, 11, 0);
  block.replace(148, 8, "        ");
  block[156] = '0';
  block.replace(257, kMagic.size(), kMagic);
  putOctal(block, 329, 7, 0);
  putOctal(block, 337, 7, 0);
  std::uint64_t sum = 0;
  for (const char byte : block)
    sum += static_cast<unsigned char>(byte);
  putOctal(block, 148, 6, sum);
  block[154] = '\0';
  return block;
}

std::size_t tarPadding(std::uint64_t size) {
  return static_cast<std::size_t>((kTarBlock - size % kTarBlock) % kTarBlock);
}

} // namespace interlock::detail
