// A PostgreSQL for a benchmark, on a free port of 127.0.0.1, with its data in a folder of its own that is removed at the end. PostgreSQL refuses
// to run as root: then it runs as the user `postgres`, which Debian's package makes.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Client } from 'pg';

import { freePorts } from '../../scripts/run/ports.js';
import { SCHEMA } from './postgres-schema.ts';

export interface PostgresServer {
  url: string;
  /** of the postmaster, whose children do the work */
  pid: number;
  stop: () => Promise<void>;
}

/** The message if it is missing. */
export const HOW_TO_INSTALL = 'PostgreSQL is not installed. On Debian: apt-get install postgresql';

const CONNECTIONS_MAX = 300;
const START_MS_MAX = 30_000;
const FLAGS = {
  none: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  sync: ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'],
};

/** Such as "15.18 (Debian 15.18-0+deb12u1)"; null if it is not installed, or may not run here. */
export function postgresVersion(): string | null {
  const folder = programs();
  if (folder === null || owner() === null) return null;
  return execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' }).trim().replace('postgres (PostgreSQL) ', '');
}

/** With the auctions' tables. */
export async function startPostgres(durability: 'none' | 'sync'): Promise<PostgresServer> {
  const bin = programs();
  const user = owner();
  if (bin === null || user === null) throw new Error(HOW_TO_INSTALL);
  const folder = mkdtempSync(join(tmpdir(), 'claret-postgres-'));
  const own = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  let child: ChildProcess | null = null;
  const leave = (): void => {
    spawnSync(join(bin, 'pg_ctl'), ['stop', '--mode', 'immediate', '--pgdata', folder], own);
    remove();
  };
  process.once('exit', leave);
  const stop = async (): Promise<void> => {
    process.off('exit', leave);
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((resolve) => child!.once('exit', resolve));
      child.kill('SIGINT'); // a fast shutdown
      await gone;
    }
    remove();
  };
  try {
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
    const flags = ['--pgdata', folder, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
    execFileSync(join(bin, 'initdb'), flags, { ...own, stdio: ['ignore', 'ignore', 'pipe'] });
    const [port] = await freePorts(1);
    const settings = [
      ...['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', `max_connections=${CONNECTIONS_MAX}`],
      ...['shared_buffers=256MB', 'max_wal_size=4GB', 'random_page_cost=1.1', ...FLAGS[durability]],
      'autovacuum_naptime=5s', // so that plans soon fit the data that a benchmark has just loaded
    ];
    child = spawn(join(bin, 'postgres'), ['-D', folder, ...settings.flatMap((one) => ['-c', one])], {
      ...own,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    await prepare(url, child);
    return { url, pid: child.pid!, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the tables once the server answers. */
async function prepare(url: string, child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr!.on('data', (text: Buffer) => (said = `${said}${text}`.slice(-4_000)));
  for (const until_ms = performance.now() + START_MS_MAX; ;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      if (child.exitCode !== null || performance.now() > until_ms) {
        throw new Error(`PostgreSQL did not come up:\n${said}`, { cause: error });
      }
      await pause(50);
      continue;
    }
    await client.query(SCHEMA);
    return client.end();
  }
}

/** The folder of the newest version's programs: Debian's, or on the path. */
function programs(): string | null {
  const debian = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => Number(b.split('/')[4]) - Number(a.split('/')[4]));
  const folders = [...debian, ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? null;
}

/** Who runs the server: this user, or `postgres` if this is root; null: there is no such user. */
function owner(): { uid?: number; gid?: number } | null {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}
