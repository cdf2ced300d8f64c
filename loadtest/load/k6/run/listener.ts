// Finds the process of this machine that listens on a port, on Linux (proc_net_tcp(5)).

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Null: none, or on another machine, or of another user and so invisible. */
export function listenerOf(url: URL): number | null {
  if (!LOOPBACK.test(url.hostname)) return null;
  const inodes = new Set(['tcp', 'tcp6'].flatMap((table) => inodesIn(readOr(`/proc/net/${table}`, ''), Number(url.port))));
  if (inodes.size === 0) return null;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const pid = pids.find((one) => socketsOf(one).some((inode) => inodes.has(inode)));
  return pid === undefined ? null : Number(pid);
}

/** From the text of /proc/net/tcp: the inodes of sockets that listen on the port. */
export function inodesIn(table: string, port: number): string[] {
  const rows = table
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/\s+/));
  return rows.flatMap(([, local, , state, , , , , , inode]) =>
    state === LISTENING && parseInt(local!.slice(local!.lastIndexOf(':') + 1), 16) === port ? [inode!] : [],
  );
}

function socketsOf(pid: string): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(linkOr(`${folder}/${fd}`))?.[1] ?? []);
  } catch {
    return []; // another user's process, or one that has ended
  }
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

function linkOr(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
