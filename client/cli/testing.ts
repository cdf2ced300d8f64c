// The command line within a test: runs one command line and returns its output and exit code. Also a load for tests to observe.

import { connect } from '../src/index.ts';
import type { Claret, Tx } from '../src/index.ts';
import { run } from './program.ts';
import type { Terminal } from './terminal.ts';

export interface Ended {
  code: number;
  out: string;
  err: string;
}

export interface Given {
  env?: Record<string, string>;
  /** standard input; without it standard input is a terminal with nothing to read */
  input?: string;
  columns?: number;
  rows?: number;
  /** standard output is a terminal */
  isTerminal?: boolean;
  /** Ctrl-C */
  interrupted?: AbortSignal;
  /** called with each text that is written to standard output */
  onOut?: (text: string) => void;
  /** collects the pictures that are drawn in place */
  pictures?: string[];
}

export async function claret(words: readonly string[], given: Given = {}): Promise<Ended> {
  let out = '';
  let err = '';
  const terminal: Terminal = {
    env: given.env ?? {},
    out: (text) => {
      out += text;
      given.onOut?.(text);
    },
    err: (text) => (err += text),
    readInput: async () => given.input ?? '',
    hasInput: given.input !== undefined,
    isTerminal: given.isTerminal === true,
    redraw: () => ({ draw: (picture) => void given.pictures?.push(picture), done: () => {} }),
    size: () => ({ columns: given.columns ?? 100, rows: given.rows ?? 40 }),
    interrupted: given.interrupted ?? new AbortController().signal,
  };
  const code = await run(words, terminal);
  return { code, out, err };
}

/** Conflicting bids on one auction and views of it, over both shards. They run from `begin` to `rest`. */
export interface Load {
  begin(): void;
  rest(): void;
  stop(): Promise<void>;
}

const WORKERS = 8;
const REST_MS = 20;

export async function startLoad(grpcAddresses: string[]): Promise<Load> {
  // Two clients, like two app servers.
  const clients = await Promise.all(['one', 'other'].map((name) => connect({ addresses: grpcAddresses, name, combining: 'off' })));
  let isOn = false;
  let isOver = false;
  let bids = 0;
  const bid = async (tx: Tx) => {
    await tx.dict('{auction:42}:info').get('status');
    await tx.topK('{auction:42}:bids').add(`bid-${(bids += 1)}`, bids);
    tx.counter('bidder:1').add(1);
  };
  const look = async (tx: Tx) => {
    await tx.topK('{auction:42}:bids').top(10);
    return tx.dict('{auction:42}:info').get('status');
  };
  const work = async (client: Claret, at: number) => {
    while (!isOver) {
      if (!isOn) await new Promise((resolve) => setTimeout(resolve, REST_MS));
      else if (at % 4 === 0) await client.transaction('ViewAuction', look).catch(() => {});
      else await client.transaction('Bid', bid).catch(() => {});
    }
  };
  const workers = Array.from({ length: WORKERS }, (_, at) => work(clients[at % 2]!, at));
  return {
    begin: () => void (isOn = true),
    rest: () => void (isOn = false),
    async stop() {
      isOver = true;
      await Promise.all(workers);
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}
