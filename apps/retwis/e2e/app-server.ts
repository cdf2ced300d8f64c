// An additional app server of the timelines, on the cluster under test, for a test that stops and restarts it.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { freePorts } from '../../../scripts/run/ports.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const MAIN = join(ROOT, 'apps', 'retwis', 'server', 'main.ts');
const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const READY_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 50;

export class AppServer {
  readonly url: string;
  readonly #port: number;
  readonly #gateways: string;
  #process: ChildProcess | null = null;

  private constructor(port: number, gateways: string) {
    this.#port = port;
    this.#gateways = gateways;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async beside(gatewayUrls: readonly string[]): Promise<AppServer> {
    const topology = (await (await fetch(`${gatewayUrls[0]}/v1/topology`)).json()) as { shards: { address: string }[] };
    const [port] = (await freePorts(1)) as [number];
    return new AppServer(port, topology.shards.map(({ address }) => address).join(','));
  }

  async start(): Promise<void> {
    const args = [MAIN, '--port', String(this.#port), '--gateways', this.#gateways, '--log-level', 'warn'];
    // It ends with the test process, which holds its stdin.
    const child = spawn(NODE, args, { env: { ...process.env, CLARET_EXIT_WITH_PARENT: '1' }, stdio: ['pipe', 'inherit', 'inherit'] });
    this.#process = child;
    for (const until = Date.now() + READY_WITHIN_MS; !(await this.#isReady());) {
      if (child.exitCode !== null || Date.now() > until) throw new Error(`the app server at ${this.url} is not ready`);
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
  }

  async #isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}
