// Debian's nginx as a cache before app servers, as docs/operations.md sets it up, with a log that tells what it has passed on to them.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../../scripts/run/ports.js';

const PROGRAM = '/usr/sbin/nginx';
const READY_TRIES = 200;
const READY_PAUSE_MS = 50;

export const isNginxThere = (): boolean => existsSync(PROGRAM);

/** One request of a visitor. */
export interface Served {
  /** when the answer was complete, on the civil clock */
  at_ms: number;
  path: string;
  /** an app server was asked */
  atOrigin: boolean;
}

function configuration(home: string, port: number, origins: readonly string[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${home}/${kind};`).join(' ');
  return `daemon off; master_process off; pid ${home}/pid; error_log stderr;
events { }
http {
  log_format served '$msec $upstream_addr $uri'; access_log ${home}/served.log served; ${temporary}
  proxy_cache_path ${home}/cache keys_zone=pages:1m;
  upstream site { ${origins.map((origin) => `server ${new URL(origin).host};`).join(' ')} keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://site; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
      proxy_cache pages; proxy_cache_use_stale off; proxy_cache_lock on; proxy_cache_revalidate on;
    }
  }
}
`;
}

export class Nginx {
  readonly url: string;
  readonly #log: string;
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  #output = '';

  private constructor(home: string, port: number, file: string) {
    this.url = `http://127.0.0.1:${port}`;
    this.#log = join(home, 'served.log');
    this.#process = spawn(PROGRAM, ['-c', file, '-p', home, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process.stderr!.on('data', (bytes) => (this.#output += bytes));
    this.#ended = new Promise((resolve) => this.#process.once('close', () => resolve()));
  }

  /** `home`: an empty folder. `path`: a page that the app servers serve. */
  static async start(home: string, origins: readonly string[], path: string): Promise<Nginx> {
    const [port] = (await freePorts(1)) as [number];
    const file = join(home, 'nginx.conf');
    mkdirSync(join(home, 'cache'));
    writeFileSync(file, configuration(home, port, origins));
    const nginx = new Nginx(home, port, file);
    try {
      await nginx.#isReady(path);
    } catch (error) {
      await nginx.stop();
      throw error;
    }
    return nginx;
  }

  async #isReady(path: string): Promise<void> {
    for (let tries = 0; tries < READY_TRIES && this.#process.exitCode === null; tries++) {
      const ready = await fetch(this.url + path).then(
        async (response) => (await response.text()) !== '' && response.ok,
        () => false,
      );
      if (ready) return;
      await sleep(READY_PAUSE_MS);
    }
    throw new Error(`nginx does not answer: ${this.#output}`);
  }

  /** All requests so far, in the order of their answers. */
  served(): Served[] {
    return servedIn(readFileSync(this.#log, 'utf8'));
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.#ended;
  }
}

/** From the text of the log. */
export function servedIn(log: string): Served[] {
  return [...log.matchAll(/^(\S+) (.+) (\S+)$/gm)].map(([, seconds, origin, path]) => ({
    at_ms: 1_000 * Number(seconds),
    path: path!,
    atOrigin: origin !== '-',
  }));
}
