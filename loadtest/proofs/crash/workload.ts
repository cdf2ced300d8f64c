// The workload of a driver: its next transaction. It draws random numbers from `chance`, and takes its records from the round.

import type { Claret } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Endpoints } from './jobs.ts';

/** Longer than any downtime of a shard, even on a busy machine. */
export const TRANSACTION_TIMEOUT_MS = 90_000;

/** The parameters of a round's load; the runner creates them. */
export interface Round {
  number: number;
  /** names the records that the round creates, which rounds of one epoch share */
  epoch: number;
  /** limit on the transactions that each driver begins */
  transactions: number;
  /** auctions on which the drivers bid directly, and those that get bids through app servers */
  items: string[];
  visited: string[];
  /** on the machine's monotonic clock */
  begun_ns: number;
}

export interface Running {
  /** Runs one transaction; rejects with its error. */
  run(round: Round): Promise<unknown>;
}

export interface Dependencies {
  claret: Claret;
  /** keeps a history; its transactions are never members of chains, so they may rely on warranties */
  relying: Claret;
  /** keeps no history: for what has a ledger of its own */
  unrecorded: Claret;
  /** the same, and its transactions are members of chains wherever they can be */
  crowd: Claret;
  /** for jobs */
  endpoints: Endpoints;
  chance: Chance;
  /** base URLs */
  appServers: string[];
  /** host:port of the Redis doors */
  doors: string[];
  people: Visitor[];
}

/** A person logged in at the auctions. */
export interface Visitor {
  id: string;
  token: string;
}

export type Begin = (dependencies: Dependencies) => Running;
