// The settings of a run, from its flags.

import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { readFlags } from '../../kit/arguments.ts';
import type { Way } from './question.ts';
import { PARTS, type Part } from './row.ts';

const WAYS: Way[] = ['epoch', 'locks', 'none'];

export interface Settings {
  parts: readonly Part[];
  ways: readonly Way[];
  /** of a cell */
  seconds: number;
  rounds: number;
  seed: number;
  /** distinct records */
  keys: number;
  /** lists in flight at once */
  inFlight: number;
  sizes: readonly number[];
  readShares: readonly number[];
  hotKeys: readonly number[];
  /** for how long a gateway stands still */
  stopMs: readonly number[];
  /** numbers of shards in one process */
  shards: readonly number[];
  /** below which gateways keep their data */
  dir: string;
  /** file for the rows */
  json: string | undefined;
  /** folder for the rows and the figures */
  out: string | undefined;
  /** as recorded with the results */
  noted: Record<string, string | number | boolean | string[]>;
}

export function readSettings(): Settings {
  const options = readFlags(
    {
      json: { type: 'string' },
      out: { type: 'string' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
      keys: { type: 'string', default: '100000' },
      'in-flight': { type: 'string', default: '64' },
      part: { type: 'string', multiple: true, default: [...PARTS] },
      way: { type: 'string', multiple: true, default: [...WAYS] },
      size: { type: 'string', multiple: true, default: ['10', '100', '1000', '4000'] },
      'read-share': { type: 'string', multiple: true, default: ['0', '0.25', '0.5', '0.75', '1'] },
      'hot-keys': { type: 'string', multiple: true, default: ['100000', '1000', '100', '10', '1'] },
      'stop-ms': { type: 'string', multiple: true, default: ['100', '500'] },
      shards: { type: 'string', multiple: true, default: ['1', '2', '4', '8', '16', '32', '64'] },
      dir: { type: 'string', default: tmpdir() },
    },
    { part: PARTS, way: WAYS },
  );
  const { json, out, ...noted } = options;
  return {
    parts: PARTS.filter((part) => options.part.includes(part)),
    ways: WAYS.filter((way) => options.way.includes(way)),
    seconds: Number(options.seconds),
    rounds: Number(options.rounds),
    seed: Number(options.seed),
    keys: Number(options.keys),
    inFlight: Number(options['in-flight']),
    sizes: options.size.map(Number),
    readShares: options['read-share'].map(Number),
    hotKeys: options['hot-keys'].map(Number),
    stopMs: options['stop-ms'].map(Number),
    shards: options.shards.map(Number),
    dir: resolve(options.dir),
    json,
    out: out === undefined ? undefined : resolve(out),
    noted,
  };
}
