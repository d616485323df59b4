"""The bots that a command line names."""

from __future__ import annotations

from collections.abc import Sequence

import click

from mexica_cli.arena.sandbox import SandboxError, probe
from mexica_cli.arena.spec import BotSpec, SpecError, parse_specs, sandboxed


def named_bots(texts: Sequence[str], *, sandbox: bool = False) -> list[BotSpec]:
    """What each BOT means, with names made unique, and all of them shut in if there is to be a `sandbox`.

    Raises click.UsageError for one that means nothing or can't be shut in, and where this machine can't do that.
    """
    try:
        specs = parse_specs(texts)
        if sandbox:
            specs = [sandboxed(spec) for spec in specs]
            probe()
    except (SpecError, SandboxError) as error:
        raise click.UsageError(str(error)) from None
    return specs
