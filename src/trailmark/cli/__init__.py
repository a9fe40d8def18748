"""The command line."""

try:
    from trailmark.cli.main import main
except KeyboardInterrupt:
    # Ctrl-C while modules are loaded, before there is a command to answer it.
    import sys

    print("trailmark: interrupted", file=sys.stderr)
    raise SystemExit(130) from None

__all__ = ["main"]
