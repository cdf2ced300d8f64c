// The command line within a test: one command line, what it wrote, its exit code; and some load to look at.

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
  /** standard input; without it there is a terminal, and nothing to read */
  input?: string;
  columns?: number;
  rows?: number;
  /** standard output is a terminal */
  isTerminal?: boolean;
  /** Ctrl-C */
  interrupted?: AbortSignal;
  /** told of what is written to standard output, as it is */
  onOut?: (text: string) => void;
  /** pictures that were drawn in the same place */
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

/** Bids on one auction and looks at it, which are in each other's way, over both shards; while it is begun. */
export interface Load {
  begin(): void;
  rest(): void;
  stop(): Promise<void>;
}

const WORKERS = 8;
const REST_MS = 20;

export async function startLoad(grpcAddresses: string[]): Promise<Load> {
  // Two app servers, which share nothing.
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
