// The commands about sealed frames.

#ifndef INTERLOCK_TOOLS_FRAME_H
#define INTERLOCK_TOOLS_FRAME_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace interlock::tools {

/// What the help says about the commands.
extern const std::string_view kFrameHelp;

/// Runs `frame`, of which `words` are the arguments.
/// \param problem is set to what is wrong with the command line, and is otherwise left alone.
/// \returns the exit code: 0 done, 1 damage that `check` found, 2 unreadable input or wrong usage.
[[nodiscard]] int runFrame(const std::vector<std::string> &words, std::optional<std::string> &problem);

} // namespace interlock::tools

#endif // INTERLOCK_TOOLS_FRAME_H
