// The settings of a run, from its flags.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFlags } from '../../kit/arguments.ts';
import { pollUsFor } from '../../kit/polling.ts';
import { WrongUse } from '../../kit/wrong-use.ts';
import { ALL_CONDITIONS, CONDITIONS } from '../../kit/conditions.ts';
import { SHARED } from './load.ts';
import { CLIENTS, POINTS, QUICK_CLIENTS, QUICK_POINTS, type Point, type Sending } from './points.ts';
import type { RunRow } from './raw.ts';

export interface Settings {
  points: readonly Point[];
  sendings: Sending[];
  clients: readonly number[];
  /** names */
  conditions: string[];
  rounds: number;
  shards: number;
  /** processes that share the clients of a cell */
  drivers: number;
  /** false: operations that answer nothing are sent as they are awaited, under all conditions */
  deferral: boolean;
  /** how long drivers and gateways poll after a frame, in microseconds */
  poll: number;
  seed: number;
  retwisScale: number;
  rubisItems: number;
  /** of one cell's span; null: as long as `minutes` allows */
  seconds: number | null;
  minutes: number;
  quick: boolean;
  /** folder for the results */
  folder: string;
  json: string | undefined;
  /** folder for CPU profiles of drivers and gateways, one of each for each block; null: no profiles */
  profile: string | null;
  /** ignore the results in the folder */
  fresh: boolean;
  /** as recorded with the results */
  noted: RunRow['options'];
}

const SENDINGS: Sending[] = ['interactive', 'one-shot'];

/** See `randomApart`. */
const DRIVERS_MAX = 256;

const unique = (words: readonly string[]) => [...new Set(words)];

export function readSettings(now: Date = new Date()): Settings {
  const quick = process.argv.includes('--quick');
  const options = readFlags(
    {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      point: { type: 'string', multiple: true },
      condition: { type: 'string', multiple: true, default: CONDITIONS.map(({ name }) => name) },
      sending: { type: 'string', multiple: true, default: SENDINGS },
      clients: { type: 'string', multiple: true, default: (quick ? QUICK_CLIENTS : CLIENTS).map(String) },
      shards: { type: 'string', default: '1' },
      // processes that share the clients of each cell; more than one for rawmix only
      drivers: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '3' },
      minutes: { type: 'string', default: quick ? '13' : '110' },
      seconds: { type: 'string' },
      deferral: { type: 'string', default: 'on' },
      // by default 300 if there is a CPU for each process, else 0
      poll: { type: 'string' },
      seed: { type: 'string', default: '1' },
      'retwis-scale': { type: 'string', default: quick ? '12' : '16' },
      'rubis-items': { type: 'string', default: '30000' },
      out: { type: 'string' },
      json: { type: 'string' },
      // a folder for CPU profiles of the driver and the gateways
      profile: { type: 'string' },
      fresh: { type: 'boolean', default: false },
    },
    {
      only: unique(POINTS.map(({ workload }) => workload)),
      point: unique(POINTS.map(({ name }) => name)),
      condition: ALL_CONDITIONS.map(({ name }) => name),
      sending: SENDINGS,
      deferral: ['on', 'off'],
    },
    (values) => {
      const counts = { shards: [values.shards], drivers: [values.drivers], rounds: [values.rounds], clients: values.clients };
      for (const [name, given] of Object.entries(counts)) {
        if (!given.every((text) => Number.isInteger(Number(text)) && Number(text) >= 1))
          throw new WrongUse(`--${name} takes whole numbers from 1 on`);
      }
      if (values.seconds !== undefined && !(Number(values.seconds) > 0)) throw new WrongUse('--seconds takes a number above 0');
      pollUsFor(besideOneDriver(values), values.poll);
      if (pointsOf(quick, values).length === 0) throw new WrongUse(`there is no such point${quick ? ' in a quick run' : ''}`);
      checkShared(Number(values.drivers), pointsOf(quick, values), values.clients.map(Number));
    },
  );
  const points = pointsOf(quick, options);
  const poll = pollUsFor(besideOneDriver(options), options.poll);
  const results = fileURLToPath(new URL('../../results/', import.meta.url));
  return {
    points,
    sendings: options.sending as Sending[],
    clients: options.clients.map(Number),
    conditions: options.condition,
    rounds: Number(options.rounds),
    shards: Number(options.shards),
    drivers: Number(options.drivers),
    deferral: options.deferral === 'on',
    poll,
    seed: Number(options.seed),
    retwisScale: Number(options['retwis-scale']),
    rubisItems: Number(options['rubis-items']),
    seconds: options.seconds === undefined ? null : Number(options.seconds),
    minutes: Number(options.minutes),
    quick,
    folder: resolve(options.out ?? `${results}${now.toISOString().slice(0, 10)}${quick ? '-quick' : ''}`),
    json: options.json,
    profile: options.profile === undefined ? null : resolve(options.profile),
    fresh: options.fresh,
    noted: { ...withoutPaths(options), poll: String(poll), durability: 'none', profiled: options.profile !== undefined },
  };
}

/** Processes besides one driver that need a CPU each. */
const besideOneDriver = ({ shards, drivers }: { shards: string; drivers: string }): number => Number(shards) + Number(drivers) - 1;

/** Throws `WrongUse` if so many drivers cannot share these cells. */
function checkShared(drivers: number, points: readonly Point[], clients: readonly number[]): void {
  if (drivers === 1) return;
  if (drivers > DRIVERS_MAX) throw new WrongUse(`--drivers takes at most ${DRIVERS_MAX}`);
  const alone = points.find(({ workload }) => !SHARED.includes(workload));
  if (alone !== undefined) throw new WrongUse(`${alone.workload} takes one driver: select --only ${SHARED.join(' or ')} with --drivers`);
  const few = clients.find((count) => count < drivers);
  if (few !== undefined) throw new WrongUse(`${few} clients are too few for ${drivers} drivers`);
}

function pointsOf(quick: boolean, { only, point }: { only?: string | undefined; point?: string[] | undefined }): Point[] {
  return (quick ? QUICK_POINTS : POINTS)
    .filter(({ workload }) => only === undefined || workload === only)
    .filter(({ name }) => point === undefined || point.includes(name));
}

function withoutPaths({
  out: _out,
  json: _json,
  profile: _profile,
  fresh: _fresh,
  drivers,
  ...options
}: Record<string, unknown>): RunRow['options'] {
  return JSON.parse(JSON.stringify({ ...options, ...(Number(drivers) > 1 && { drivers }) })) as RunRow['options'];
}
