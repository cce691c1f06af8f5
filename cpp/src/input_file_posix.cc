#include "input_file.h"

#if !INTERLOCK_PORTABLE_FILES

#include "container_path.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace interlock::detail {

namespace {

std::string systemReason(int number) { return std::strerror(number); }

// Owns a descriptor.
class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0)
      static_cast<void>(::close(number_));
  }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool open() const { return number_ >= 0; }

private:
  int number_;
};

class PosixFile final : public InputFile {
public:
  PosixFile(Descriptor file, std::uint64_t size, std::string name)
      : file_(std::move(file)), size_(size), name_(std::move(name)) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }

  [[nodiscard]] Result<std::size_t> readAt(std::uint64_t offset, char *out, std::size_t size) const override {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t got = ::pread(file_.get(), out + done, size - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return isUnreadable(name_, systemReason(errno));
      if (got == 0)
        break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

private:
  Descriptor file_;
  std::uint64_t size_;
  std::string name_;
};

// The flags keep a named pipe or a terminal from doing anything when it is opened.
constexpr int kFileFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
constexpr int kFolderFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY;

bool isLinkAt(int folder, const char *step) {
  struct stat status{};
  return ::fstatat(folder, step, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

class PosixFolder final : public InputFolder {
public:
  explicit PosixFolder(Descriptor folder) : folder_(std::move(folder)) {}

  [[nodiscard]] Result<std::shared_ptr<const InputFile>> openFile(const std::string &name) const override {
    Descriptor inner(-1);
    int folder = folder_.get();
    std::size_t begin = 0;
    for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', begin)) {
      const std::string step = name.substr(begin, end - begin);
      Descriptor next(::openat(folder, step.c_str(), kFolderFlags));
      if (!next.open())
        return failure(folder, step, name, errno);
      inner = std::move(next);
      folder = inner.get();
      begin = end + 1;
    }
    const std::string step = name.substr(begin);
    Descriptor file(::openat(folder, step.c_str(), kFileFlags));
    if (!file.open())
      return failure(folder, step, name, errno);
    struct stat status{};
    if (::fstat(file.get(), &status) != 0)
      return isUnreadable(name, systemReason(errno));
    if (S_ISDIR(status.st_mode))
      return isFolder(name);
    if (!S_ISREG(status.st_mode))
      return isDevice(name);
    return std::shared_ptr<const InputFile>(
        std::make_shared<PosixFile>(std::move(file), static_cast<std::uint64_t>(status.st_size), name));
  }

private:
  static Result<std::shared_ptr<const InputFile>> failure(int folder, const std::string &step,
                                                          const std::string &name, int number) {
    if (number == ENOENT || number == ENAMETOOLONG)
      return std::shared_ptr<const InputFile>();
    if (number == ENXIO) // A socket, or a device that is not there.
      return isDevice(name);
    const bool noFolder = number == ENOTDIR;
    if (noFolder || number == ELOOP || number == EMLINK) { // Systems differ in how they refuse a link.
      if (isLinkAt(folder, step.c_str()))
        return isLink(name);
      if (noFolder) // A file, below which nothing is.
        return std::shared_ptr<const InputFile>();
    }
    return isUnreadable(name, systemReason(number));
  }

  Descriptor folder_;
};

} // namespace

Result<InputRoot> openRoot(const std::filesystem::path &path) {
  // The caller may name a link; it is the container that may hold none.
  Descriptor opened(::open(path.c_str(), kFileFlags & ~O_NOFOLLOW));
  struct stat status{};
  if (!opened.open() || ::fstat(opened.get(), &status) != 0)
    return isUnreadable("", systemReason(errno));
  InputRoot root;
  if (S_ISDIR(status.st_mode))
    root.folder = std::make_shared<PosixFolder>(std::move(opened));
  else if (S_ISREG(status.st_mode))
    root.file =
        std::make_shared<PosixFile>(std::move(opened), static_cast<std::uint64_t>(status.st_size), "");
  else
    return isNoContainer();
  return root;
}

} // namespace interlock::detail

#endif
