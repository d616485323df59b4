"""The filter of system calls, run by hand; `test_sandbox.py` has the kernel run it."""

from __future__ import annotations

import errno
import struct

import pytest

from mexica_cli.arena.seccomp import cpu_filter

X86_64, I386, AARCH64, ARM, RISCV64, S390X = 0xC000003E, 0x40000003, 0xC00000B7, 0x40000028, 0xC00000F3, 0x80000016
X32 = 0x40000000
ALLOWED, REFUSED = 0x7FFF0000, 0x00050000 | errno.EPERM


def verdict(architecture: int, number: int) -> int:
    """What the kernel would be told of a call."""
    data, at, loaded = {0: number, 4: architecture}, 0, 0
    program = list(struct.iter_unpack("=HBBI", cpu_filter()))
    while True:
        code, if_equal, otherwise, operand = program[at]
        at += 1
        match code:
            case 0x20:
                loaded = data[operand]
            case 0x15:
                at += if_equal if loaded == operand else otherwise
            case 0x06:
                return int(operand)
            case _:
                pytest.fail(f"an instruction that isn't needed: {code:#x}")


@pytest.mark.parametrize(
    ("architecture", "number"),
    [(X86_64, 203), (X86_64, X32 | 203), (I386, 241), (AARCH64, 122), (ARM, 241), (RISCV64, 122)],
)
def test_no_way_to_other_cpus(architecture: int, number: int) -> None:
    assert verdict(architecture, number) == REFUSED
    assert verdict(architecture, number - 1) == verdict(architecture, number + 1) == ALLOWED


@pytest.mark.parametrize(
    ("architecture", "number"), [(X86_64, 241), (X86_64, 122), (I386, 203), (AARCH64, 203), (ARM, 122), (S390X, 239)]
)
def test_the_same_number_means_another_call_elsewhere(architecture: int, number: int) -> None:
    assert verdict(architecture, number) == ALLOWED
