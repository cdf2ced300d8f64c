// A load test: one storm after another, each under its condition, then their results side by side.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../../../scripts/cluster.js';
import { CONDITIONS } from '../../../kit/conditions.ts';
import type { Conditions } from '@claret/client/telemetry';
import { thisCommit, thisMachine } from '../../../kit/machine.ts';
import { pngOf } from '../../../kit/figures/png.ts';
import { SCENARIOS } from '../storm.ts';
import { faultsOf } from './entry.ts';
import type { Options } from './options.ts';
import { picture, TITLES } from './picture.ts';
import { Progress } from './progress.ts';
import { reportPage } from './report.ts';
import { failedStorm, storm, type Storm } from './storm.ts';
import { conditionsOf, ownTarget, setConditions, targetAt } from './target.ts';
import { printed } from './words.ts';

export interface Environment {
  /** for results; exists */
  folder: string;
  /** path of k6 */
  k6: string;
  /** Ctrl-C */
  signal: AbortSignal;
}

/** Returns the exit code. */
export async function loadtest(options: Options, environment: Environment): Promise<number> {
  const progress = new Progress();
  const { storms, put_back } =
    options.target === null
      ? await stormOwn(options, environment, progress)
      : await stormTarget(options, options.target, environment, progress);
  progress.end();
  const called_off = environment.signal.aborted ? ['called off'] : [];
  if (storms.length === 0) {
    console.log([...called_off, ...put_back].join('\n'));
    return 1;
  }
  await write(options, storms, environment.folder);
  console.log(`\n${printed(storms.map(({ entry }) => entry))}\n`);
  const faults = [
    ...storms.flatMap(({ entry }) => faultsOf(entry).map((fault) => `✗ ${entry.condition}: ${fault}`)),
    ...put_back,
    ...called_off,
  ];
  console.log(faults.length === 0 ? '✓ all invariants hold, all thresholds are met' : faults.join('\n'));
  console.log(`\n${join(environment.folder, 'report.html')}`);
  return faults.length === 0 ? 0 : 1;
}

/** The storms, also if one of them failed: the others have their results. */
interface Done {
  storms: Storm[];
  /** faults: the target's conditions could not be restored */
  put_back: string[];
}

/** A fresh cluster for each condition, so that none starts with leftovers of another. */
async function stormOwn(options: Options, { folder, k6, signal }: Environment, progress: Progress): Promise<Done> {
  const storms: Storm[] = [];
  for (const { name, condition } of options.asked) {
    if (signal.aborted) break;
    progress.begin(name);
    const named = { name, style: condition.name, options, folder: join(folder, fileName(name)) };
    let starting: Cluster | undefined;
    const end = () => void starting?.stop();
    signal.addEventListener('abort', end);
    try {
      progress.say('starting a cluster');
      const target = await ownTarget(options, SCENARIOS[options.scenario], {
        onStarting: (cluster) => (starting = cluster),
        onDeath: (death) =>
          progress.line(`${death.name} ended by itself (${death.signal ?? `exit code ${death.code}`}):\n${death.lastLines.join('\n')}`),
      });
      await setConditions(target, condition);
      progress.line(`dashboard of this storm: ${target.dashboard}`);
      storms.push(await storm({ ...named, target, k6, signal, alone: true, say: progress.say }));
    } catch (error) {
      if (!signal.aborted) storms.push(failedStorm(named, error));
    } finally {
      signal.removeEventListener('abort', end);
      await starting?.stop();
    }
  }
  return { storms, put_back: [] };
}

async function stormTarget(options: Options, site: string, { folder, k6, signal }: Environment, progress: Progress): Promise<Done> {
  const target = await targetAt(site, SCENARIOS[options.scenario]);
  const found = await conditionsOf(target);
  const asked: { name: string; style: string; condition: Conditions }[] =
    options.asked.length === 0
      ? [{ name: nameOf(found), style: nameOf(found), condition: found }]
      : options.asked.map(({ name, condition }) => ({ name, style: condition.name, condition }));
  const storms: Storm[] = [];
  for (const { name, style, condition } of asked) {
    if (signal.aborted) break;
    progress.begin(name);
    const named = { name, style, options, folder: join(folder, fileName(name)) };
    try {
      if (options.asked.length > 0) await setConditions(target, condition);
      storms.push(await storm({ ...named, target, k6, signal, alone: false, say: progress.say }));
    } catch (error) {
      if (!signal.aborted) storms.push(failedStorm(named, error));
    }
  }
  const put_back =
    options.asked.length === 0
      ? []
      : await setConditions(target, found).then(
          () => [],
          (error: Error) => [`✗ the site's own conditions were not put back: ${error.message}`],
        );
  return { storms, put_back };
}

const fileName = (name: string): string => name.replaceAll(/[^\w+.-]+/g, '-');

/** The name used in figures, or a description. */
function nameOf({ locks, phasing, combining }: Conditions): string {
  const same = CONDITIONS.find(
    (one) => one.retryPolicy === undefined && one.locks === locks && one.phasing === phasing && one.combining === combining,
  );
  return same?.name ?? `${locks}, phasing ${phasing ? 'on' : 'off'}, combining ${combining}`;
}

function provenance({ shards, servers, join_shard, target }: Options): string {
  const { commit, dirty } = thisCommit();
  const { cpu, cores, node } = thisMachine();
  const what =
    target === null
      ? `a fresh cluster for each condition: ${shards === 1 ? 'one gateway' : `${shards} gateways`}${join_shard ? ', and one that joins, with durability sync' : ''}, ${servers === 1 ? 'one app server' : `${servers} app servers`} of the site; sites, gateways and k6 share the machine`
      : `the running site ${target}`;
  return `Claret ${commit.slice(0, 12)}${dirty ? ' with changes' : ''}, ${new Date().toISOString().slice(0, 10)}; ${cpu}, ${cores} cores, Node ${node}; ${what}.`;
}

/** summary.json, report.html, picture.svg and picture.png in the folder, and the list at the path of --json. */
async function write(options: Options, storms: readonly Storm[], folder: string): Promise<void> {
  const entries = storms.map(({ entry }) => entry);
  writeFileSync(
    join(folder, 'summary.json'),
    `${JSON.stringify(
      storms.map(({ entry, seconds }) => ({ ...entry, seconds })),
      null,
      2,
    )}\n`,
  );
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(entries, null, 2)}\n`);
  const drawn = storms.filter(({ seconds }) => seconds.length > 0);
  const svg = drawn.length === 0 ? null : picture(drawn, provenance(options));
  for (const ending of ['svg', 'png']) rmSync(join(folder, `picture.${ending}`), { force: true });
  if (svg !== null) {
    writeFileSync(join(folder, 'picture.svg'), svg);
    writeFileSync(join(folder, 'picture.png'), await pngOf(svg));
  }
  const page = reportPage({ title: TITLES[options.scenario], picture: svg, storms, provenance: provenance(options), folder });
  writeFileSync(join(folder, 'report.html'), page);
}
