"""`lineal completion`: what a shell needs to complete commands, flags, their values, and names."""

import argparse

PROGRAM = "lineal"
SHELLS = ("bash", "zsh", "fish")


def add_completion(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`lineal completion bash|zsh|fish`."""
    parser = subparsers.add_parser(
        "completion",
        help="let a shell complete commands, flags and names",
        description="Print what a shell needs to complete commands, flags, and names of tables, columns and jobs.\n"
        "For each new shell:\n"
        "  bash   echo 'eval \"$(lineal completion bash)\"' >> ~/.bashrc\n"
        "  zsh    echo 'eval \"$(lineal completion zsh)\"' >> ~/.zshrc      (after compinit)\n"
        "  fish   lineal completion fish > ~/.config/fish/completions/lineal.fish",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=SHELLS)
    parser.set_defaults(run=run_completion)


def run_completion(options: argparse.Namespace) -> int:
    """Print it."""
    from argcomplete.shell_integration import shellcode

    print(shellcode([PROGRAM], shell=options.shell))
    return 0


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell that asks for completions, and end; else, and without the package, do nothing."""
    try:
        import argcomplete
    except ModuleNotFoundError:
        return
    argcomplete.autocomplete(parser)
