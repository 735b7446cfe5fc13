#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Warpyard Authors
# SPDX-License-Identifier: Apache-2.0

"""Renews the tables of docs/kernels.md: what the kernel of each program takes of a multiprocessor.

Compiles a kernel for each row, as the build does (build/release tells how), and reads what nvcc says
about it. No device is needed. It takes some minutes for each large program.
Usage: tools/kernel_table.py [--jobs N]    --jobs compiles so many at a time, 1 if it is not given
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import cubin

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "kernels.md"
BUILD = ROOT / "build" / "release"
LIKE = ROOT / "core" / "engine" / "cuda" / "service_kernel.cu"  # compiled as all such kernels are
LEAST_FUNCTION = 2048  # bytes of a function that has a row of its own
TABLES = re.compile(r"(<!-- kernels: [^\n]*-->\n).*(<!-- end of kernels -->)", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Program:
    """A program of workers: its row, its C++ type, and where that is declared."""
    title: str
    type: str
    includes: tuple


COLLISION = "core/workload/ccd/collision_program.h"
SYNTHETIC = "core/workload/synthetic/synthetic_program.h"
SIMPLIFY = "core/workload/simplify/simplify_program.h"
GRAMMAR = "core/workload/grammar/grammar_program.h"
AREAS = "tests/example/core/workload/areas/areas_program.h"

SERVICE = Program("the service (`ServiceProgram`)", "ServiceProgram", ())

# A workload is a row by itself, and one with the service if the service does not have it anyway.
PROGRAMS = (
    Program("example (`tests/example`)", "model::CombinedProgram<areas::AreasProgram>", (AREAS,)),
    Program("synthetic", "model::CombinedProgram<synthetic::SyntheticProgram>", (SYNTHETIC,)),
    Program("collision, steps by clusters alone",
            "model::CombinedProgram<ccd::CollisionProgramOf<"
            "ccd::BuildTasks<ccd::MakeKeysTask, ccd::ArrangeClustersTask>,"
            "ccd::Traversals<ccd::ClusterTraversal>>>", (COLLISION,)),
    Program("collision", "model::CombinedProgram<ccd::CollisionProgram>", (COLLISION,)),
    Program("simplification", "model::CombinedProgram<simplify::SimplifyProgram>", (SIMPLIFY,)),
    Program("shape grammars", "model::CombinedProgram<grammar::GrammarProgram>", (GRAMMAR,)),
    SERVICE,
    Program("the service and synthetic (`ProgramWithSynthetic`)", "ProgramWithSynthetic", ()),
    Program("the service and the example", "ProgramWith<areas::AreasProgram>", (AREAS,)),
)

# Workloads, whose procedures are rows of the second table.
WORKLOADS = (
    Program("collision", "ccd::CollisionProgram", (COLLISION,)),
    Program("simplification", "simplify::SimplifyProgram", (SIMPLIFY,)),
    Program("shape grammars", "grammar::GrammarProgram", (GRAMMAR,)),
    Program("synthetic", "synthetic::SyntheticProgram", (SYNTHETIC,)),
    Program("example", "areas::AreasProgram", (AREAS,)),
)

# The resident kernel of a program. It is the largest one that nvcc makes of this.
KERNEL_SOURCE = """
#include "core/model/megakernel/launch.cuh"
#include "core/programs.h"
@includes@
namespace warpyard {
using Program = @type@;
}
template struct warpyard::model::MegakernelLaunch<warpyard::model::DeviceSpace<warpyard::Program>>;
extern "C" {
__device__ unsigned table_procedures = warpyard::Program::Procedures::kCount;
__device__ unsigned table_shared_bytes =
    warpyard::model::MegakernelSharedBytes<warpyard::model::DeviceSpace<warpyard::Program>>();
}
"""

# Each procedure of a program as a kernel of its own: groups execute one element each.
PROCEDURES_SOURCE = """
#include <cstddef>
#include <cstdint>
#include <cstring>
#include "core/exec/device_group.cuh"
#include "core/procedure/procedure_concept.h"
#include "core/procedure/procedure_list.h"
@includes@
namespace warpyard::table {
template <class Job>
struct Arguments {
  const procedure::Element* elements;
  Job* jobs;
  std::uint32_t* cancel;
  procedure::SpawnBuffer* spawns;
  std::uint32_t* error;
};

/// kThreads and kBytes: of a group, for the reader of its name. kThreads 0: the group is a team of
/// all warps of the block.
template <class P, class Job, std::uint32_t kThreads, std::size_t kBytes>
__global__ void Alone(const __grid_constant__ Arguments<Job> arguments) {
  constexpr std::uint32_t kBlock = 256, kSize = kThreads == 0 ? kBlock : kThreads;
  extern __shared__ __align__(16) std::byte shared[];
  __shared__ std::uint64_t mailboxes[kBlock / kSize][2];
  const std::uint32_t index = threadIdx.x / kSize;
  exec::DeviceGroup<kSize> group(shared + index * ((kBytes + 15) / 16 * 16), mailboxes[index],
                                 threadIdx.x % kSize, index);
  const procedure::Element element = arguments.elements[blockIdx.x * (kBlock / kSize) + index];
  typename P::Item item;
  memcpy(&item, element.payload, sizeof item);
  procedure::Context<exec::DeviceGroup<kSize>, Job> context{
      group, arguments.jobs[procedure::EventOf(element.head)], arguments.cancel, arguments.spawns,
      element.head, 0, arguments.error};
  P::Execute(context, item);
}

template <class Job, class... Ps>
void Use(procedure::ProcedureList<Ps...>, const void** kernels) {
  ((*kernels++ = reinterpret_cast<const void*>(
        &Alone<Ps, Job, procedure::ThreadsOf<Ps>(), Ps::kSharedBytes>)), ...);
}
using Program = @type@;
template void Use<Program::Job>(Program::Procedures, const void**);
}
"""


class Problem(Exception):
    """Why there is no table."""


@dataclasses.dataclass(frozen=True)
class Compiler:
    """nvcc with the options of the build."""
    command: tuple  # without input and output
    folder: str  # where the build calls it
    architecture: str

    def version(self):
        """Returns the release of nvcc: 13.0.88."""
        said = subprocess.run([self.command[0], "--version"], capture_output=True, text=True,
                              check=True).stdout
        return re.search(r"release [^,]+, V(\S+)", said).group(1)

    def compile(self, program, template):
        """Returns the cubin of a program's source, and the Usage of its kernels."""
        includes = "\n".join(f'#include "{path}"' for path in program.includes)
        text = template.replace("@includes@", includes).replace("@type@", program.type)
        with tempfile.TemporaryDirectory() as folder:
            source, result = pathlib.Path(folder, "kernel.cu"), pathlib.Path(folder, "kernel.cubin")
            source.write_text(text, encoding="utf-8")
            done = subprocess.run(
                [*self.command, f"-gencode=arch={self.architecture.replace('sm', 'compute')},"
                 f"code={self.architecture}", "-cubin", "-Xptxas=-v", source, "-o", result],
                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                check=False)
            if done.returncode != 0:
                raise Problem(f"{program.title} does not compile:\n{done.stdout}")
            print(f"compiled: {program.title}", file=sys.stderr)
            return cubin.Cubin(result.read_bytes()), cubin.usages(done.stdout)


def find_compiler():
    """Returns the Compiler of the build, which is configured if that has not been done."""
    commands = BUILD / "compile_commands.json"
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"])
    has_nvcc = shutil.which(os.environ.get("CUDACXX", "nvcc"), path=path) is not None
    if has_nvcc and not commands.exists():
        subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=sys.stderr)
    if commands.exists():
        for entry in json.loads(commands.read_text(encoding="utf-8")):
            if pathlib.Path(entry["file"]) == LIKE:
                return compiler_of(entry)
    if has_nvcc:
        raise Problem(f"{BUILD} was configured without nvcc: remove it. The tables are as before.")
    raise Problem("nvcc is missing: it is neither on PATH nor in /usr/local/cuda/bin, nor is CUDACXX "
                  "its path. The tables are as before.")


def compiler_of(entry):
    """Returns the Compiler that an entry of compile_commands.json calls."""
    words = shlex.split(entry["command"])
    while pathlib.Path(words[0]).name != "nvcc":  # a launcher, such as ccache
        words.pop(0)
    kept, architectures = [], []
    while words:
        word = words.pop(0)
        if word.startswith("--generate-code="):
            architectures += re.findall(r"sm_\w+", word)
        elif word in ("-c", "-o", "-MF", "-MT"):
            words.pop(0)
        elif word != "-MD":
            kept.append(word)
    for architecture in architectures:
        if architecture in cubin.MULTIPROCESSORS:
            return Compiler(tuple(kept), entry["directory"], architecture)
    raise Problem(f"tools/cubin.py knows the multiprocessors of {', '.join(cubin.MULTIPROCESSORS)}, "
                  f"but the build is for {', '.join(architectures)}")


def demangled(names):
    """Returns the names as C++ has them."""
    said = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True,
                          check=True).stdout
    return said.splitlines()


def short_name(function):
    """Returns a demangled name without its return type, namespaces, parameters and its class's
    template arguments; of one that c++filt left mangled, the part before template arguments."""
    if function.startswith("_ZN"):
        word, rest = "", function.removeprefix("_ZN")
        while length := re.match(r"\d+", rest):
            end = length.end() + int(length.group())
            word, rest = rest[length.end():end], rest[end:]
        return word
    plain = re.sub(r"\(anonymous namespace\)::", "", function)
    while (inner := re.sub(r"<[^<>]*>", "", plain)) != plain:
        plain = inner
    words = re.sub(r"\(.*", "", plain).split()[-1].split("::")
    return "::".join(word for word in words if not word.islower() or word == words[-1])


def resident_kernel(made):
    """Returns the kernel of a program: the largest one."""
    return max(made.kernels(), key=lambda kernel: kernel.code_bytes)


def kernel_row(program, compiled, architecture):
    """Returns the row of a program's kernel."""
    made, usages = compiled
    kernel = resident_kernel(made)
    usage = usages[kernel.name]
    shared = usage.shared_bytes + made.word("table_shared_bytes")
    blocks = cubin.blocks_that_fit(cubin.MULTIPROCESSORS[architecture], kernel.threads,
                                   usage.registers, shared)
    return (program.title, made.word("table_procedures"), f"{kernel.code_bytes:,}", usage.registers,
            f"{usage.spill_stores:,}, {usage.spill_loads:,}", f"{usage.stack_bytes:,}", f"{shared:,}",
            kernel.threads, blocks)


def procedure_rows(program, compiled):
    """Returns the rows of a workload's procedures, the hungriest one first."""
    made, usages = compiled
    kernels = made.kernels()
    rows = []
    for kernel, name in zip(kernels, demangled([kernel.name for kernel in kernels])):
        facts = re.search(r"Alone<(.*), \S+, (\d+)u, (\d+)u?l*>\(", name)
        usage = usages[kernel.name]
        rows.append((re.sub(r"\w+::", "", facts.group(1)), program.title,
                     facts.group(2) if facts.group(2) != "0" else "block", usage.registers,
                     f"{usage.spill_stores:,}, {usage.spill_loads:,}", f"{usage.stack_bytes:,}",
                     f"{int(facts.group(3)):,}", f"{kernel.code_bytes:,}"))
    return sorted(rows, key=lambda row: (-row[3], row[0]))


def function_rows(made):
    """Returns the rows of what a program's kernel calls, the largest first, and last of the rest."""
    kernel = resident_kernel(made)
    called = sorted(kernel.called.items(), key=lambda entry: -entry[1])
    large = [entry for entry in called if entry[1] >= LEAST_FUNCTION]
    small = [size for _, size in called[len(large):]]
    names = [short_name(name) for name in demangled([name for name, _ in large])]
    rest = kernel.code_bytes - sum(size for _, size in called)
    return ([(f"`{name}`", f"{size:,}") for name, (_, size) in zip(names, large)]
            + [(f"{len(small)} smaller functions", f"{sum(small):,}"),
               ("all that is copied to its callers", f"{rest:,}")])


def table(heads, rows):
    """Returns a table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n\n"


def tables(compiler, kernels, procedures):
    """Returns the text between the marks. kernels, procedures: program -> what compile returned"""
    rows = [kernel_row(program, compiled, compiler.architecture)
            for program, compiled in kernels.items()]
    alone = [row for program, compiled in procedures.items()
             for row in procedure_rows(program, compiled)]
    functions = function_rows(kernels[SERVICE][0])
    return (
        f"\nnvcc {compiler.version()}, {compiler.architecture}.\n\n"
        "**The kernel of a program:**\n\n"
        + table(("Program", "Procedures", "Instructions, bytes", "Registers a thread",
                 "Spilled bytes (stores, loads)", "Stack of a thread, bytes",
                 "Shared memory of a block, bytes", "Threads a block",
                 "Blocks a multiprocessor (computed)"), rows)
        + "**A procedure as a kernel of its own**, with all the registers that it wants:\n\n"
        + table(("Procedure", "Workload", "Threads of a group", "Registers a thread",
                 "Spilled bytes (stores, loads)", "Stack of a thread, bytes",
                 "Shared memory of a group, bytes", "Instructions, bytes"), alone)
        + "**Functions that the service's kernel calls:**\n\n"
        + table(("Function", "Instructions, bytes"), functions))


def main():
    parser = argparse.ArgumentParser(description="Renews the tables of docs/kernels.md.")
    parser.add_argument("--jobs", type=int, default=1, help="how many compile at a time")
    jobs = parser.parse_args().jobs
    try:
        compiler = find_compiler()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            alone = {program: pool.submit(compiler.compile, program, PROCEDURES_SOURCE)
                     for program in WORKLOADS}
            whole = {program: pool.submit(compiler.compile, program, KERNEL_SOURCE)
                     for program in PROGRAMS}
        written = tables(compiler, {program: made.result() for program, made in whole.items()},
                         {program: made.result() for program, made in alone.items()})
    except Problem as problem:
        print(f"kernel_table: {problem}", file=sys.stderr)
        return 1
    text, found = TABLES.subn(lambda match: match.group(1) + written + match.group(2),
                              PAGE.read_text(encoding="utf-8"))
    if found != 1:
        print(f"kernel_table: {PAGE}: the marks around the tables are missing", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
