// The points of the paper's figures 5 to 8 and 10, named as in its data, and their numbers of clients.

export type WorkloadName = 'rawmix' | 'rubis' | 'retwis';
export type Sending = 'interactive' | 'one-shot';

export type Point =
  | { workload: 'rawmix'; name: string; alpha: number; update: number }
  | { workload: 'rubis' | 'retwis'; name: 'bid-heavy' | 'read-heavy' | 'post-heavy' };

const rawmix = (alpha: number, update: number): Point => ({ workload: 'rawmix', name: `alpha=${alpha} update=${update}`, alpha, update });

export const POINTS: readonly Point[] = [
  ...[0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4].map((alpha) => rawmix(alpha, 0.5)),
  ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((update) => rawmix(0.6, update)),
  { workload: 'rubis', name: 'bid-heavy' },
  { workload: 'rubis', name: 'read-heavy' },
  { workload: 'retwis', name: 'post-heavy' },
  { workload: 'retwis', name: 'read-heavy' },
];

export const QUICK_POINTS: readonly Point[] = [
  ...[0.8, 1, 1.2, 1.4].map((alpha) => rawmix(alpha, 0.5)),
  { workload: 'rubis', name: 'bid-heavy' },
  { workload: 'retwis', name: 'post-heavy' },
  { workload: 'retwis', name: 'read-heavy' },
];

/** Logical clients: transactions in flight at once. */
export const CLIENTS = [8, 16, 32, 64, 128, 256, 384];
export const QUICK_CLIENTS = [16, 64, 256];
