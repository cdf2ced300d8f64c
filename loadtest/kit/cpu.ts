// CPU time of a process, user and system, all threads, as counted by Linux.

import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts in ticks of 1/100 s whatever the kernel's own frequency (USER_HZ). */
const TICK_US = 10_000;

/** Since the process began; in steps of 10 ms. */
export function cpuUsOf(pid: number): number {
  return cpuUsIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/**
 * The CPU time of the process's threads, in nanoseconds, if the kernel provides it (/proc/PID/task/TID/schedstat); else `cpuUsOf`.
 * REQUIRES: no thread of the process ends between two calls, or its time is missing.
 */
export function threadsCpuUsOf(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const ns = tasks.reduce((sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]), 0);
    return ns > 0 ? ns / 1000 : cpuUsOf(pid);
  } catch {
    return cpuUsOf(pid);
  }
}

/** From the text of /proc/PID/stat (proc_pid_stat(5)): utime and stime are its 14th and 15th fields. */
export function cpuUsIn(stat: string): number {
  // The second field, the name in brackets, may contain anything: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** The non-idle time of all CPUs of the machine, in microseconds; in steps of 10 ms. */
export function machineBusyUs(): number {
  return busyUsIn(readFileSync('/proc/stat', 'utf8'));
}

/**
 * From the text of /proc/stat (proc_stat(5)): all fields of its first line except idle, iowait, and the guests' time, which user
 * includes.
 */
export function busyUsIn(stat: string): number {
  const [user, nice, system, , , irq, softirq, steal] = stat.slice(0, stat.indexOf('\n')).split(/\s+/).slice(1).map(Number);
  return (user! + nice! + system! + irq! + softirq! + steal!) * TICK_US;
}

/** The CPU time of this process, in microseconds. */
export function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
