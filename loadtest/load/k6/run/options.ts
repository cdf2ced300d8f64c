// The command line of a load test, validated completely before anything starts.

import { dirname } from 'node:path';
import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CONDITIONS, conditionNamed, type Condition } from '../../../kit/conditions.ts';
import { WrongUse } from '../../../kit/wrong-use.ts';
import { SCENARIOS, type ScenarioName } from '../storm.ts';

/** `name`: the given name, which labels the results; two names may mean the same condition. */
export interface Asked {
  name: string;
  condition: Condition;
}

export interface Options {
  scenario: ScenarioName;
  /** one storm each, in this order; empty: one, under the target's present conditions */
  asked: readonly Asked[];
  /** arrivals per second at the peak of the storm */
  peak_per_s: number;
  duration_s: number;
  seed: number;
  /** gateways of the own cluster */
  shards: number;
  /** app servers of each site in the own cluster */
  servers: number;
  /** a further shard joins under the storm */
  join_shard: boolean;
  /** base URL of a running site, without a trailing slash; null: a new cluster */
  target: string | null;
  /** path of the JSON list, in addition to the folder of results */
  json: string | null;
  /** folder of results; null: a new one below .data/loadtest */
  out: string | null;
}

const PEAK_MAX = 5_000;
const DURATION_MIN_S = 5;
const DURATION_MAX_S = 600;
const CONDITIONS_MAX = 8;
const SHARDS_MAX = 8;
const SERVERS_MAX = 4;
const SEED_MAX = 2 ** 32 - 1;
const FULL = 'abstract+combining+phasing';
/** With the start of a cluster before it and the check after it, about a minute. */
const DURATION_S = 45;

/** Default of --rate: modest, for a machine of two cores that runs cluster, sites and k6. */
const PEAKS: Readonly<Record<ScenarioName, number>> = {
  'last-minute-auction': 300,
  'the-dress': 100,
  'flash-crowd': 200,
  'steady-rubis': 100,
  'steady-retwis': 100,
};

const FLAGS = {
  condition: { type: 'string' },
  compare: { type: 'string' },
  rate: { type: 'string' },
  duration: { type: 'string' },
  seed: { type: 'string' },
  shards: { type: 'string' },
  servers: { type: 'string' },
  'join-shard': { type: 'boolean' },
  target: { type: 'string' },
  'allow-remote': { type: 'boolean' },
  json: { type: 'string' },
  out: { type: 'string' },
} as const;

/** A client's retry policy is not a condition of a cluster. */
const SETTABLE = CONDITIONS.filter(({ retryPolicy, asNatives }) => retryPolicy === undefined && !asNatives).map(({ name }) => name);

export const USAGE = `npm run loadtest -- SCENARIO [flags]

scenarios: ${Object.keys(SCENARIOS).join(', ')}

  --condition NAME      full (the default: ${FULL}), or one of
                        ${SETTABLE.join(', ')}
  --compare NAME,NAME…  one storm under each of these, side by side
  --rate PER_S          arrivals per second at the height (steady-rubis: pages), at most ${PEAK_MAX}
                        (${Object.entries(PEAKS)
                          .map(([name, peak]) => `${name}: ${peak}`)
                          .join(', ')})
  --duration SECONDS    of each storm, ${DURATION_MIN_S} to ${DURATION_MAX_S} (${DURATION_S})
  --seed N              of data set and visitors (1)
  --shards N            gateways of the own cluster, 1 to ${SHARDS_MAX} (2)
  --servers N           app servers of each site in it, 1 to ${SERVERS_MAX} (2)
  --join-shard          one more gateway joins the own cluster after a third of the storm, and takes its share of the slots: no
                        request may fail
  --target URL          storm this site and its cluster instead of one's own; --allow-remote: on another machine too.
                        Its conditions stay unless they are given, and are put back afterwards
  --json FILE           the summary as JSON, a list with one entry per condition
  --out FOLDER          for summary, report, picture and ledgers (below .data/loadtest)`;

/** Throws WrongUse, or parseArgs' errors. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
  const [scenario, ...more] = positionals;
  if (scenario === undefined || more.length > 0)
    throw new WrongUse(`one scenario is needed, not ${positionals.length === 0 ? 'none' : `"${positionals.join(' ')}"`}`);
  if (!isScenario(scenario)) throw new WrongUse(`there is no scenario "${scenario}"; there are ${Object.keys(SCENARIOS).join(', ')}`);
  const target = values.target === undefined ? null : baseUrl(values.target, values['allow-remote'] === true);
  if (target !== null && (values.shards ?? values.servers) !== undefined)
    throw new WrongUse('--shards and --servers are of the own cluster: not with --target');
  const join_shard = values['join-shard'] === true;
  if (target !== null && join_shard) throw new WrongUse('--join-shard is of the own cluster: not with --target');
  if (target === null && values['allow-remote']) throw new WrongUse('--allow-remote goes with --target');
  const asked = askedFor(values.condition, values.compare, target !== null);
  return {
    scenario,
    asked,
    peak_per_s: within('rate', values.rate, PEAKS[scenario], 1, PEAK_MAX),
    duration_s: within('duration', values.duration, DURATION_S, DURATION_MIN_S, DURATION_MAX_S),
    seed: within('seed', values.seed, 1, 0, SEED_MAX),
    shards: within('shards', values.shards, 2, 1, SHARDS_MAX),
    servers: within('servers', values.servers, 2, 1, SERVERS_MAX),
    join_shard,
    target,
    json: values.json === undefined ? null : file(values.json),
    out: values.out ?? null,
  };
}

const isScenario = (name: string): name is ScenarioName => Object.hasOwn(SCENARIOS, name);

function askedFor(condition: string | undefined, compare: string | undefined, targeted: boolean): Asked[] {
  if (condition !== undefined && compare !== undefined) throw new WrongUse('either --condition or --compare, not both');
  const names = (compare ?? condition ?? (targeted ? '' : 'full'))
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (compare !== undefined && names.length < 2) throw new WrongUse(`--compare takes two conditions or more, not "${compare}"`);
  if (condition !== undefined && names.length !== 1)
    throw new WrongUse(`--condition takes one condition, not "${condition}"; --compare takes several`);
  if (names.length > CONDITIONS_MAX) throw new WrongUse(`--compare takes at most ${CONDITIONS_MAX} conditions`);
  const asked = names.map((name) => {
    const meant = name === 'full' ? FULL : name;
    if (!SETTABLE.includes(meant)) throw new WrongUse(`there is no condition "${name}"; there are full, ${SETTABLE.join(', ')}`);
    return { name, condition: conditionNamed(meant) };
  });
  if (new Set(asked.map((one) => one.condition.name)).size < asked.length)
    throw new WrongUse(`--compare names a condition twice: ${names.join(', ')}`);
  return asked;
}

function within(flag: string, text: string | undefined, standard: number, least: number, most: number): number {
  if (text === undefined) return standard;
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new WrongUse(`--${flag} takes a whole number from ${least} to ${most}, not "${text}"`);
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function baseUrl(text: string, allowRemote: boolean): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new WrongUse(`--target takes a site's address such as http://127.0.0.1:7410, not "${text}"`);
  if (!allowRemote && !LOOPBACK.test(url.hostname))
    throw new WrongUse(`${url.hostname} is another machine: storm it only if it is yours, with --allow-remote`);
  return url.origin;
}

function file(path: string): string {
  if (path === '') throw new WrongUse('--json takes a file');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new WrongUse(`--json ${path}: that is a folder`);
  if (!existsSync(dirname(path))) throw new WrongUse(`--json ${path}: there is no folder ${dirname(path)}`);
  return path;
}
