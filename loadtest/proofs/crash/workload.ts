// The workload of a driver: its next transaction. It draws random numbers from `chance`, and takes its records from the round.

import type { Claret } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { Doors } from './jobs.ts';

/** Longer than any shard stays away, however busy the machine. */
export const TRANSACTION_TIMEOUT_MS = 90_000;

/** What a round's load is about; the runner makes it. */
export interface Round {
  number: number;
  /** names what comes new with it: rounds of one epoch share records */
  epoch: number;
  /** so many transactions each driver begins at most */
  transactions: number;
  /** auctions that the drivers bid on by themselves, and those that are bid on through app servers */
  items: string[];
  visited: string[];
  /** on the machine's monotonic clock */
  begun_ns: number;
}

export interface Running {
  /** Runs one transaction; rejects with what it rejected with. */
  run(round: Round): Promise<unknown>;
}

export interface Ground {
  claret: Claret;
  /** for what is sent again */
  doors: Doors;
  chance: Chance;
  /** base URLs */
  appServers: string[];
  people: Visitor[];
}

/** Somebody who is logged in at the auctions. */
export interface Visitor {
  id: string;
  token: string;
}

export type Begin = (ground: Ground) => Running;
