#include "input_file.h"

#if INTERLOCK_PORTABLE_FILES

#include "container_path.h"

#include <algorithm>
#include <fstream>
#include <mutex>
#include <system_error>
#include <utility>

namespace interlock::detail {

namespace {

namespace fs = std::filesystem;

class PortableFile final : public InputFile {
public:
  PortableFile(std::ifstream stream, std::uint64_t size, std::string name)
      : stream_(std::move(stream)), size_(size), name_(std::move(name)) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] Result<std::size_t> readAt(std::uint64_t offset, char *out, std::size_t size) const override {
    const std::lock_guard<std::mutex> guard(mutex_);
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    stream_.read(out, static_cast<std::streamsize>(size));
    if (stream_.bad())
      return isUnreadable(name_, "the stream failed");
    return static_cast<std::size_t>(stream_.gcount());
  }

private:
  mutable std::mutex mutex_;
  mutable std::ifstream stream_;
  std::uint64_t size_;
  std::string name_;
};

Result<std::shared_ptr<const InputFile>> openPortable(const fs::path &path, const std::string &name) {
  std::error_code problem;
  const std::uintmax_t size = fs::file_size(path, problem);
  std::ifstream stream(path, std::ios::binary);
  if (problem || !stream.is_open())
    return isUnreadable(name, problem ? problem.message() : "it cannot be opened");
  return std::shared_ptr<const InputFile>(std::make_shared<PortableFile>(std::move(stream), size, name));
}

class PortableFolder final : public InputFolder {
public:
  explicit PortableFolder(fs::path path) : path_(std::move(path)) {}

  [[nodiscard]] Result<std::shared_ptr<const InputFile>> openFile(const std::string &name) const override {
    fs::path path = path_;
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find('/', begin), name.size());
      path /= name.substr(begin, end - begin);
      std::error_code problem;
      const fs::file_status status = fs::symlink_status(path, problem);
      if (status.type() == fs::file_type::not_found)
        return std::shared_ptr<const InputFile>();
      if (problem)
        return isUnreadable(name, problem.message());
      if (fs::is_symlink(status))
        return isLink(name);
      if (end < name.size() && !fs::is_directory(status)) // A file, below which nothing is.
        return std::shared_ptr<const InputFile>();
      if (end == name.size() && fs::is_directory(status))
        return isFolder(name);
      if (end == name.size() && !fs::is_regular_file(status))
        return isDevice(name);
      begin = end + 1;
    }
    return openPortable(path, name);
  }

private:
  fs::path path_; // Absolute.
};

} // namespace

Result<InputRoot> openRoot(const fs::path &path) {
  std::error_code problem;
  const fs::path absolute = fs::absolute(path, problem);
  const fs::file_status status = fs::status(absolute, problem);
  InputRoot root;
  if (fs::is_directory(status)) {
    root.folder = std::make_shared<PortableFolder>(absolute);
    return root;
  }
  if (problem || !fs::exists(status))
    return isUnreadable("", problem ? problem.message() : "there is nothing");
  if (!fs::is_regular_file(status))
    return isNoContainer();
  Result<std::shared_ptr<const InputFile>> file = openPortable(absolute, "");
  if (!file)
    return std::move(file).error();
  root.file = *std::move(file);
  return root;
}

} // namespace interlock::detail

#endif
