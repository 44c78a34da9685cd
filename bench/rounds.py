#!/usr/bin/python3
"""Runs named commands in turn (A B C A B C …) and prints medians of wall time, CPU time and peak memory, each one's ratio to the
first, round by round, and that of the least wall times: on a busy machine those were disturbed least.

usage: rounds.py ROUNDS UNITS UNIT NAME=COMMAND…   A COMMAND that begins with '1:' runs in the first round only (slow peers)."""
import os
import statistics
import subprocess
import sys
import time


def run(name, command):
    begin = time.monotonic()
    # a session of its own: the kernel shares a busy core out among sessions, else a peer of 64 threads would get 64 shares of it
    process = subprocess.Popen(['sh', '-c', 'exec ' + command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    out, err = process.communicate()
    # communicate has waited for it: its usage is what the children's usage grew by
    wall = time.monotonic() - begin
    if process.returncode:
        sys.exit(f'{name}: exit {process.returncode}: {(out + err).decode(errors="replace")[-400:]}')
    return wall


def measure(name, command):
    """(wall, CPU, peak MiB) of one command, by a child of its own that waits for it: peaks do not add up over rounds."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        import resource
        wall = run(name, command)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(write, f'{wall} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss / 1024}'.encode())
        os._exit(0)
    os.close(write)
    text = os.read(read, 200).decode()
    os.close(read)
    os.waitpid(pid, 0)
    if not text:
        sys.exit(1)
    return tuple(float(word) for word in text.split())


def main():
    rounds, units, unit = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    commands = [argument.split('=', 1) for argument in sys.argv[4:]]
    results = {name: [] for name, _ in commands}
    for turn in range(rounds):
        for name, command in commands:
            if command.startswith('1:') and turn > 0:
                continue
            results[name].append(measure(name, command.removeprefix('1:')))
    first = commands[0][0]
    print(f'{"":34} {unit + "/s":>10} {"wall s":>8} {"CPU s":>8} {"peak MiB":>9} {"wall, of the first":>19} {"by the least":>13} {"CPU, of the first":>18}')
    for name, _ in commands:
        wall, cpu, peak = (statistics.median(column) for column in zip(*results[name]))
        pairs = list(zip(results[name], results[first]))
        by_wall = statistics.median(theirs[0] / ours[0] for ours, theirs in pairs)
        by_least = min(results[first])[0] / min(results[name])[0]
        by_cpu = statistics.median(theirs[1] / ours[1] for ours, theirs in pairs)
        print(f'{name:34} {units / wall:10.0f} {wall:8.3f} {cpu:8.3f} {peak:9.1f} {by_wall:19.2f} {by_least:13.2f} {by_cpu:18.2f}')


if __name__ == '__main__':
    main()
