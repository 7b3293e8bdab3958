"""Runs a program as another account, with no more system calls than a unit of systemd allows: uid, gid, allowed sets, program ..."""

import ctypes
import os
import subprocess
import sys


def members(group):
    listed = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager", group], capture_output=True, text=True)
    words = [line.strip() for line in listed.stdout.split("\n")[1:]]
    names = [word for word in words if word and not word.startswith("#")]
    return set().union(*(members(name) if name.startswith("@") else {name} for name in names))


uid, gid, sets, *program = sys.argv[1:]
allowed = members("@default")
for name in sets.split():
    allowed = allowed - members(name[1:]) if name.startswith("~") else allowed | members(name)
seccomp = ctypes.CDLL("libseccomp.so.2")
seccomp.seccomp_init.restype = ctypes.c_void_p
refused_with_eperm, allow = 0x00050001, 0x7FFF0000
rules = ctypes.c_void_p(seccomp.seccomp_init(refused_with_eperm))
for name in allowed:
    number = seccomp.seccomp_syscall_resolve_name(name.encode())
    if number >= 0:
        seccomp.seccomp_rule_add(rules, allow, number, 0)
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(int(gid))
    os.setuid(int(uid))
no_new_privileges = 38
ctypes.CDLL(None).prctl(no_new_privileges, 1, 0, 0, 0)
assert seccomp.seccomp_load(rules) == 0
os.execvp(program[0], program)
