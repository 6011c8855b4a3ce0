// Runs the whole-program cases: see README.md here. Usage:
//
//     run_cases --bin DIR [--update] [-j N] CASES-DIR [FILTER]...
//
// DIR holds the gpuspec to test. A filter is a part of a case's name. With --update what the
// program does now becomes what is expected.

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

constexpr int seconds_allowed = 120;

/// What stands in a directory: relative path and content.
using Files = std::map<std::string, std::string>;

/// A case as its directory describes it.
struct Case {
  std::string name;
  fs::path directory;
  std::vector<std::string> needs;
  int exit_code = 0;
  std::string stdout_file;  // the expected.* there is; empty: nothing may be printed
  std::string expected_stdout;
  std::string expected_stderr;
  Files inputs;
  Files after;
};

struct Result {
  int exit_code = 0;
  std::string out;
  std::string err;
  Files files;
};

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream content;
  content << in.rdbuf();
  return content.str();
}

void spill(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

Files files_in(const fs::path& directory) {
  Files files;
  if (!fs::exists(directory)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_symlink()) {
      files[fs::relative(entry.path(), directory)] = "-> " + fs::read_symlink(entry).string();
    } else if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), directory)] = slurp(entry.path());
    }
  }
  return files;
}

/// The value of a `# key: value` line in the comment that a cmd file starts with.
std::optional<std::string> directive(const std::string& script, const std::string& key) {
  std::istringstream in(script);
  for (std::string line; std::getline(in, line) && line.starts_with('#');) {
    const std::string head = "# " + key + ": ";
    if (line.starts_with(head)) return line.substr(head.size());
  }
  return std::nullopt;
}

Case load(const fs::path& root, const fs::path& directory) {
  Case result;
  result.name = fs::relative(directory, root);
  result.directory = directory;
  const std::string script = slurp(directory / "cmd");
  if (const auto needs = directive(script, "needs")) {
    std::istringstream in(*needs);
    for (std::string program; in >> program;) result.needs.push_back(program);
  }
  if (const auto code = directive(script, "exit")) result.exit_code = std::atoi(code->c_str());
  for (auto& [path, content] : files_in(directory)) {
    if (path.starts_with("after/")) {
      result.after[path.substr(6)] = content;
    } else if (path.starts_with("expected.")) {
      result.stdout_file = path;
      result.expected_stdout = content;
    } else if (path == "stderr") {
      result.expected_stderr = content;
    } else {
      result.inputs[path] = content;
    }
  }
  return result;
}

bool on_path(const std::string& program) {
  std::istringstream path(std::getenv("PATH"));
  for (std::string directory; std::getline(path, directory, ':');) {
    if (::access((directory + '/' + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// Runs `sh cmd` in `directory`, its output in files there.
int run_script(const fs::path& directory, const fs::path& out, const fs::path& err) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    const int null = ::open("/dev/null", O_RDONLY);
    const int to_out = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int to_err = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(null, 0);
    ::dup2(to_out, 1);
    ::dup2(to_err, 2);
    if (::chdir(directory.c_str()) != 0) ::_exit(127);
    ::setenv("HOME", directory.c_str(), 1);
    ::execl("/bin/sh", "sh", "cmd", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds_allowed);
  auto pause = std::chrono::microseconds(200);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      return 124;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(5000));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Result run(const Case& test, const fs::path& scratch, const fs::path& testdata) {
  const fs::path work = scratch / "work";
  fs::create_directories(work);
  fs::copy(test.directory, work, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  fs::remove_all(work / "after");
  fs::remove(work / "stderr");
  if (!test.stdout_file.empty()) fs::remove(work / test.stdout_file);

  Result result;
  result.exit_code = run_script(work, scratch / "out", scratch / "err");
  const auto portable = [&](const fs::path& file) {
    return replaced(replaced(slurp(file), work.string(), "$WORK"), testdata.string(), "$TESTDATA");
  };
  result.out = portable(scratch / "out");
  result.err = portable(scratch / "err");
  result.files = files_in(work);
  return result;
}

/// What the files become, less what stayed as it was.
Files changed_files(const Case& test, const Result& result) {
  Files changed;
  for (const auto& [path, content] : result.files) {
    const auto input = test.inputs.find(path);
    if (input == test.inputs.end() || input->second != content) changed[path] = content;
  }
  return changed;
}

std::string diff(const std::string& what, const std::string& expected, const std::string& got,
                 const fs::path& scratch) {
  spill(scratch / "expected", expected);
  spill(scratch / "got", got);
  const std::string command = "diff -u --label expected --label got " +
                              (scratch / "expected").string() + " " + (scratch / "got").string();
  std::string text = "    " + what + ":\n";
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    char line[4096];
    while (std::fgets(line, sizeof line, pipe) != nullptr) text += std::string("      ") + line;
    ::pclose(pipe);
  }
  if (text.back() != '\n') text += '\n';
  return text;
}

/// What is wrong with the result; empty: nothing.
std::string judge(const Case& test, const Result& result, const fs::path& scratch) {
  std::string complaint;
  if (result.exit_code != test.exit_code) {
    complaint += "    exit code " + std::to_string(result.exit_code) + ", expected " +
                 std::to_string(test.exit_code) + "\n";
  }
  if (result.out != test.expected_stdout) {
    complaint += diff("standard output", test.expected_stdout, result.out, scratch);
  }
  if (result.err != test.expected_stderr) {
    complaint += diff("standard error", test.expected_stderr, result.err, scratch);
  }
  const Files changed = changed_files(test, result);
  for (const auto& [path, content] : changed) {
    const auto expected = test.after.find(path);
    if (expected == test.after.end()) {
      complaint += "    " + path + ": was written, and is not in after/\n";
    } else if (expected->second != content) {
      complaint += diff(path, expected->second, content, scratch);
    }
  }
  for (const auto& [path, content] : test.after) {
    if (!changed.contains(path)) complaint += "    " + path + ": was not written\n";
  }
  for (const auto& [path, content] : test.inputs) {
    if (!result.files.contains(path)) complaint += "    " + path + ": is gone\n";
  }
  return complaint;
}

void update(const Case& test, const Result& result) {
  const fs::path& directory = test.directory;
  std::string script = slurp(directory / "cmd");
  if (result.exit_code != test.exit_code) {
    const std::string line = "# exit: " + std::to_string(test.exit_code) + "\n";
    if (const std::size_t at = script.find(line); at != std::string::npos) {
      script.erase(at, line.size());
    }
    if (result.exit_code != 0) {
      script.insert(0, "# exit: " + std::to_string(result.exit_code) + "\n");
    }
    spill(directory / "cmd", script);
  }
  const std::string name = test.stdout_file.empty() ? "expected.yaml" : test.stdout_file;
  if (!result.out.empty()) spill(directory / name, result.out);
  if (result.out.empty()) fs::remove(directory / name);
  if (!result.err.empty()) spill(directory / "stderr", result.err);
  if (result.err.empty()) fs::remove(directory / "stderr");
  fs::remove_all(directory / "after");
  for (const auto& [path, content] : changed_files(test, result)) {
    spill(directory / "after" / path, content);
  }
}

struct Options {
  fs::path bin;
  fs::path cases;
  std::vector<std::string> filters;
  bool updating = false;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

Options parse(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool more = i + 1 < arguments.size();
    if (argument == "--bin" && more) {
      options.bin = fs::absolute(arguments[++i]);
    } else if (argument == "--update") {
      options.updating = true;
    } else if (argument == "-j" && more) {
      options.jobs = static_cast<unsigned>(std::max(1, std::atoi(arguments[++i].c_str())));
    } else if (options.cases.empty()) {
      options.cases = fs::canonical(argument);
    } else {
      options.filters.push_back(argument);
    }
  }
  if (options.bin.empty() || options.cases.empty()) {
    std::cerr << "usage: run_cases --bin DIR [--update] [-j N] CASES-DIR [FILTER]...\n";
    std::exit(2);
  }
  return options;
}

std::vector<Case> find_cases(const Options& options) {
  std::vector<Case> cases;
  for (const auto& entry : fs::recursive_directory_iterator(options.cases)) {
    if (entry.path().filename() != "cmd") continue;
    const std::string name = fs::relative(entry.path().parent_path(), options.cases);
    const bool wanted = options.filters.empty() ||
                        std::any_of(options.filters.begin(), options.filters.end(),
                                    [&](const auto& part) { return name.find(part) != name.npos; });
    if (wanted) cases.push_back(load(options.cases, entry.path().parent_path()));
  }
  std::sort(cases.begin(), cases.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

void set_environment(const Options& options) {
  std::vector<std::string> own;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string name(*variable, std::strcspn(*variable, "="));
    if (name.starts_with("GPUSPEC_") || name.starts_with("KUSTOMIZE_") || name == "NO_COLOR") {
      own.push_back(name);
    }
  }
  for (const std::string& name : own) ::unsetenv(name.c_str());
  ::setenv("PATH", (options.bin.string() + ":" + std::getenv("PATH")).c_str(), 1);
  ::setenv("TESTDATA", options.cases.parent_path().c_str(), 1);
  ::setenv("LC_ALL", "C.UTF-8", 1);
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("XDG_CONFIG_HOME");
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse({argv + 1, argv + argc});
  const std::vector<Case> cases = find_cases(options);
  set_environment(options);
  std::string pattern = (fs::temp_directory_path() / "gpuspec-cases-XXXXXX").string();
  const fs::path scratch = ::mkdtemp(pattern.data());

  std::atomic<std::size_t> next = 0;
  std::atomic<int> passed = 0;
  std::atomic<int> failed = 0;
  std::atomic<int> skipped = 0;
  std::mutex printing;
  const auto say = [&](const std::string& text) {
    const std::lock_guard lock(printing);
    std::cout << text << std::flush;
  };
  const auto work = [&] {
    for (std::size_t i = next++; i < cases.size(); i = next++) {
      const Case& test = cases[i];
      const auto missing = std::find_if_not(test.needs.begin(), test.needs.end(), on_path);
      if (missing != test.needs.end()) {
        ++skipped;
        say("skipped: " + test.name + ": no " + *missing + "\n");
        continue;
      }
      const fs::path mine = scratch / std::to_string(i);
      const Result result = run(test, mine, options.cases.parent_path());
      const std::string complaint = judge(test, result, mine);
      fs::remove_all(mine);
      if (complaint.empty()) {
        ++passed;
      } else if (options.updating) {
        update(test, result);
        say("updated: " + test.name + "\n");
      } else {
        ++failed;
        say("failed: " + test.name + "\n" + complaint);
      }
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < options.jobs; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  fs::remove_all(scratch);

  std::cout << "cases: " << passed << " passed, " << failed << " failed, " << skipped
            << " skipped\n";
  return failed == 0 ? 0 : 1;
}
