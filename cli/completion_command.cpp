#include <memory>
#include <string>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command.h"
#include "cli/output.h"

namespace gpuspec::cli {
namespace {

// The scripts know nothing: they ask `gpuspec __complete WORD...` (cli/complete.h).

constexpr const char* bash_script = R"(# bash completion for gpuspec
_gpuspec() {
  local cur=${COMP_WORDS[COMP_CWORD]} line directive
  local -a answers=()
  # bash takes --flag=value apart.
  local -a words=()
  local i
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == "=" && ${#words[@]} -gt 0 ]]; then
      words[-1]+="="
      if ((i < COMP_CWORD)); then ((++i)); words[-1]+=${COMP_WORDS[i]}; fi
    else
      words+=("${COMP_WORDS[i]}")
    fi
  done
  [[ $cur == "=" ]] && cur=
  while IFS= read -r line; do
    if [[ $line == :* ]]; then directive=${line#:}; else answers+=("${line%%$'\t'*}"); fi
  done < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
  COMPREPLY=()
  for line in "${answers[@]}"; do
    [[ ${words[-1]} == --*=* ]] && line=${line#*=}
    COMPREPLY+=("$line")
  done
  if [[ $directive == 0 ]]; then
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _gpuspec gpuspec
)";

constexpr const char* zsh_script = R"(#compdef gpuspec
# zsh completion for gpuspec
_gpuspec() {
  local line directive value
  local -a answers
  while IFS= read -r line; do
    if [[ $line == :* ]]; then
      directive=${line#:}
    else
      value=${line%%$'\t'*}
      value=${value//:/\\:}
      if [[ $line == *$'\t'* ]]; then answers+=("$value:${line#*$'\t'}"); else answers+=("$value"); fi
    fi
  done < <("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( ${#answers} )) && _describe -t values gpuspec answers
  [[ $directive == 0 ]] && _files
  return 0
}
if [[ $funcstack[1] == _gpuspec ]]; then
  _gpuspec "$@"
else
  compdef _gpuspec gpuspec
fi
)";

constexpr const char* fish_script = R"(# fish completion for gpuspec
function __gpuspec_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete $words[2..-1] 2>/dev/null
end
function __gpuspec_files
  test (__gpuspec_complete)[-1] = :0
end
complete -c gpuspec -f -a '(__gpuspec_complete | string match -v -r "^:")'
complete -c gpuspec -n __gpuspec_files -F
)";

int print_script(const std::string& shell) {
  if (shell == "bash") {
    print(bash_script);
  } else if (shell == "zsh") {
    print(zsh_script);
  } else if (shell == "fish") {
    print(fish_script);
  } else {
    throw UsageError("no completion for \"" + shell + '"', "bash, zsh or fish");
  }
  return exit_done;
}

const char* const examples =
    "Examples:\n"
    "  source <(gpuspec completion bash)                            # in ~/.bashrc\n"
    "  gpuspec completion zsh > \"${fpath[1]}/_gpuspec\"\n"
    "  gpuspec completion fish > ~/.config/fish/completions/gpuspec.fish\n"
    "\n"
    "For `kubectl gpuspec` put kubectl_complete-gpuspec on PATH: a link to gpuspec.";

}  // namespace

Run add_completion_command(CLI::App& app, Common&) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes command lines");
  command->add_option("shell", *shell, "the shell")->type_name("bash | zsh | fish")->required();
  command->footer(examples);
  return [shell] { return print_script(*shell); };
}

}  // namespace gpuspec::cli
