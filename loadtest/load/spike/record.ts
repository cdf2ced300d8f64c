// Makes the recording that the dashboard shows before anything was measured, and plays without a cluster: a bid spike on a real cluster of two
// shards, which begins under reader/writer locks and is switched to each of the other ways in turn. All of it was received by a viewer.
//
//   node_modules/.bin/node loadtest/load/spike/record.ts [--to ui/dashboard/public/bid-spike.claret.gz] [--clients 128]
//
// It takes about a minute, during which the machine should otherwise be idle. `npm start` builds its prerequisites.

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startCluster, type Cluster } from '../../../scripts/cluster.js';
import { readFlags } from '../../kit/arguments.ts';
import type { Conditions } from '@claret/client/telemetry';
import { setConditions } from '../../kit/with-cluster.ts';

const TO = fileURLToPath(new URL('../../../ui/dashboard/public/bid-spike.claret.gz', import.meta.url));
const DRIVER = fileURLToPath(new URL('main.ts', import.meta.url));
const NAME = `Bid spike on one auction, four ways in turn, on ${availableParallelism()} cores`;
const RECORDING_VERSION = 1;
/** The recording is downloaded by everyone who opens the page without a cluster, and is in the repository. */
const BYTES_MAX = 800_000;
/** Calm first, then load under each of these, then calm again. */
const CALM_S = 2;
const STAGES: readonly { conditions: Conditions; seconds: number }[] = [
  { conditions: { locks: 'rw', phasing: false, combining: 'off' }, seconds: 9 },
  { conditions: { locks: 'abstract', phasing: false, combining: 'off' }, seconds: 9 },
  { conditions: { locks: 'abstract', phasing: true, combining: 'off' }, seconds: 9 },
  { conditions: { locks: 'abstract', phasing: true, combining: 'auto' }, seconds: 9 },
];
const WARM_UP_S = 2;
const LOOK_S = 0.05;
const TOLD_BEFORE_END_S = 0.5;

const options = readFlags({
  to: { type: 'string', default: TO },
  clients: { type: 'string', default: '128' },
});

/** The fields of a spike's run (GET /v1/admin/spikes) that are used here. */
interface Run {
  line: { state: string; committed_per_s?: number; mismatches?: string[]; message?: string } | null;
}

const sleep = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, 1000 * seconds));

async function spikes(cluster: Cluster, body?: object): Promise<{ running: Run | null; last: Run | null }> {
  const post = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${cluster.gateways[0]!.rest}/v1/admin/spikes`, post);
  if (!answer.ok) throw new Error(`the spike: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { running: Run | null; last: Run | null };
}

/** Collects all messages that a viewer receives, until it is aborted. */
async function view(cluster: Cluster, messages: string[], stop: AbortSignal): Promise<void> {
  const answer = await fetch(`${cluster.gateways[0]!.rest}/v1/telemetry/stream`, { signal: stop });
  let rest = '';
  try {
    for await (const text of answer.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks)
        messages.push(
          ...block
            .split('\n')
            .filter((line) => line.startsWith('data: '))
            .map((line) => line.slice(6)),
        );
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

/** A spike that is not started through the laboratory, so that it leaves no mark: registers bidders, and lets compilers settle. */
async function warmUp(cluster: Cluster): Promise<void> {
  const addresses = cluster.gateways.map(({ grpc }) => grpc).join(',');
  const flags = ['--addresses', addresses, '--spike', 'bid-spike', '--seconds', String(WARM_UP_S), '--clients', options.clients];
  await promisify(execFile)(process.execPath, [DRIVER, ...flags]);
}

/** Resolves when the spike's load has begun, or when the spike has ended. */
async function until(cluster: Cluster, state: 'running' | 'ended'): Promise<void> {
  for (;;) {
    const { running, last } = await spikes(cluster);
    if (state === 'running' && running?.line?.state === 'running') return;
    if (running === null) {
      if (last?.line?.state === 'ended' && last.line.mismatches!.length === 0) return;
      throw new Error(`the spike went wrong: ${JSON.stringify(last)}`);
    }
    await sleep(LOOK_S);
  }
}

async function spike(cluster: Cluster): Promise<void> {
  await sleep(CALM_S);
  const seconds_all = STAGES.reduce((sum, { seconds }) => sum + seconds, 0);
  await spikes(cluster, { spike: 'bid-spike', seconds: seconds_all, clients: Number(options.clients) });
  await until(cluster, 'running');
  for (const [index, { conditions, seconds }] of STAGES.entries()) {
    if (index > 0) await setConditions(cluster, conditions);
    await sleep(seconds - TOLD_BEFORE_END_S);
    const { running } = await spikes(cluster);
    console.log(`${running?.line?.committed_per_s} committed/s under ${JSON.stringify(conditions)}`);
    await sleep(TOLD_BEFORE_END_S);
  }
  await until(cluster, 'ended');
  await sleep(CALM_S);
}

async function record(cluster: Cluster): Promise<string[]> {
  const messages: string[] = [];
  const stop = new AbortController();
  await warmUp(cluster);
  await setConditions(cluster, STAGES[0]!.conditions);
  const viewing = view(cluster, messages, stop.signal);
  try {
    await Promise.race([spike(cluster), viewing.then(() => Promise.reject(new Error('the stream ended early')))]);
  } finally {
    stop.abort();
    await viewing;
  }
  return messages;
}

const cluster = await startCluster({ shards: 2, auctionServers: 1, timelineServers: 1, profile: 'small', graphScale: 10, dashboard: true });
try {
  const messages = await record(cluster);
  const header = JSON.stringify({ recording: RECORDING_VERSION, made_at_ms: Date.now(), name: NAME, cores: availableParallelism() });
  const file = gzipSync([header, ...messages, ''].join('\n'), { level: 9 });
  console.log(`${messages.length} messages, ${file.length.toLocaleString('en')} bytes`);
  if (file.length > BYTES_MAX) throw new Error(`more than ${BYTES_MAX.toLocaleString('en')} bytes: not kept`);
  mkdirSync(dirname(options.to), { recursive: true });
  writeFileSync(options.to, file);
} finally {
  await cluster.stop();
}
