"""A filter of system calls that keeps a process on the CPUs it was started on, for the kernel's seccomp.

It is classic BPF: a program of 8-byte instructions that looks at each call's number and at the instruction set that it
belongs to (`struct seccomp_data`), and says what becomes of it. All known instruction sets are in the one program, so
it is the same on every machine; on a machine of another kind it lets everything pass.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterator

# linux/audit.h: the ELF machine number, with bits for 64 bits and little endian
_X86_64, _I386 = 0xC000003E, 0x40000003
_AARCH64, _ARM = 0xC00000B7, 0x40000028
_RISCV64 = 0xC00000F3
_X32 = 0x40000000
"""Added to the numbers of x86-64's calls by programs with 32-bit pointers."""

_SCHED_SETAFFINITY = [
    (_X86_64, 203),
    (_X86_64, _X32 | 203),
    (_I386, 241),
    (_AARCH64, 122),
    (_ARM, 241),
    (_RISCV64, 122),
]

# linux/bpf_common.h and linux/seccomp.h
_LOAD_WORD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
"""Where the two stand in `struct seccomp_data`."""
_FAIL, _ALLOW = 0x00050000, 0x7FFF0000


def cpu_filter() -> bytes:
    """The program: `sched_setaffinity` fails with EPERM, all else is let pass."""
    return b"".join(_instructions())


def _instructions() -> Iterator[bytes]:
    for architecture, number in _SCHED_SETAFFINITY:
        yield _instruction(_LOAD_WORD, _ARCHITECTURE)
        yield _instruction(_JUMP_IF_EQUAL, architecture, otherwise=3)
        yield _instruction(_LOAD_WORD, _NUMBER)
        yield _instruction(_JUMP_IF_EQUAL, number, otherwise=1)
        yield _instruction(_RETURN, _FAIL | errno.EPERM)
    yield _instruction(_RETURN, _ALLOW)


def _instruction(code: int, operand: int, otherwise: int = 0) -> bytes:
    """`otherwise`: how many instructions a jump skips when it isn't equal."""
    return struct.pack("=HBBI", code, 0, otherwise, operand)
