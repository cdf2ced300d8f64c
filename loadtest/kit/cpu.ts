// CPU time of a process, user and system, all threads, as Linux counts it.

import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts in ticks of 1/100 s whatever the kernel's own frequency (USER_HZ). */
const TICK_US = 10_000;

/** Since the process began; in steps of 10 ms. */
export function cpuUsOf(pid: number): number {
  return cpuUsIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/**
 * Of the process's threads, in nanoseconds' steps, where the kernel keeps them (/proc/PID/task/TID/schedstat); else
 * `cpuUsOf`. REQUIRES: between two calls no thread of it ends, or its time is missing.
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
  // The second field, the name in brackets, may hold anything: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Of the whole machine: what all its CPUs were not idle, in microseconds; in steps of 10 ms. */
export function machineBusyUs(): number {
  return busyUsIn(readFileSync('/proc/stat', 'utf8'));
}

/** From the text of /proc/stat (proc_stat(5)): all of its first line but idle, iowait, and the guests' time, which user has too. */
export function busyUsIn(stat: string): number {
  const [user, nice, system, , , irq, softirq, steal] = stat.slice(0, stat.indexOf('\n')).split(/\s+/).slice(1).map(Number);
  return (user! + nice! + system! + irq! + softirq! + steal!) * TICK_US;
}

/** Of this process, in microseconds. */
export function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
