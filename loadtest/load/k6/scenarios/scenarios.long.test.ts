// Every scenario in the real k6 against a real cluster, a few seconds at a low rate: the ledger contains its actions, and the store
// agrees with the ledger. The storms of the two sites run in parallel; storms of one site, which share their visitors, run one by
// one, because the check would report the other's effects. The flash crowd writes nothing, so it needs no check and may run at any
// time.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@claret/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../../../../scripts/cluster.js';
import { ensureK6 } from '../../../../scripts/setup/k6.js';
import { readLedger } from '../run/ledger.ts';
import { FILES, runK6 } from '../run/k6-process.ts';
import { prepare } from '../run/prepare.ts';
import { targetAt } from '../run/target.ts';
import { STATES } from '../kit/rubis-table.ts';
import { SCENARIOS, type LedgerLine, type ScenarioName } from '../storm.ts';

/** Enough to build k6 first. */
const SET_UP_MS = 15 * 60_000;
const STORM_MS = 180_000;
const MAIN = join(import.meta.dirname, '..', 'main.ts');
const CONDITION = 'abstract+combining+phasing';

let folder: string;
let cluster: Cluster;
let k6: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-test-'));
  [cluster, k6] = await Promise.all([
    startCluster({ auctionServers: 1, timelineServers: 1, profile: 'small', graphScale: 8, dashboard: true }),
    ensureK6(),
  ]);
}, SET_UP_MS);
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The last storm of each site. */
const before: Record<string, Promise<unknown>> = {};

/** The storm's ledger, after it has ended with at most crossed thresholds. */
function stormed(scenario: ScenarioName): Promise<LedgerLine[]> {
  const site = SCENARIOS[scenario].sites[0]!;
  const turn = (before[site] ?? Promise.resolve()).then(() => ledgerOf(scenario, cluster[site][0]!.url));
  before[site] = turn.catch(() => {});
  return turn;
}

async function ledgerOf(scenario: ScenarioName, target: string): Promise<LedgerLine[]> {
  const out = join(folder, scenario);
  const child = spawn(process.execPath, [MAIN, scenario, '--rate', '20', '--duration', '5', '--target', target, '--out', out], {
    stdio: 'pipe',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
  await new Promise((resolve) => child.on('close', resolve));
  const [entry] = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as { invariants: string; failed: number }[];
  expect(entry, said).toMatchObject({ invariants: 'hold', failed: 0 });
  return linesIn(join(out, CONDITION, FILES.ledger));
}

/** The same without a check. */
async function unchecked(scenario: ScenarioName): Promise<LedgerLine[]> {
  const out = join(folder, scenario);
  mkdirSync(out);
  const claret = await connect({ addresses: cluster.gateways.map(({ grpc }) => grpc), name: 'test' });
  const target = await targetAt(cluster.auctions[0]!.url, SCENARIOS[scenario]);
  try {
    const data = await prepare(claret, target, { scenario, seed: 1, peak_per_s: 20, duration_s: 5 });
    writeFileSync(join(out, FILES.data), JSON.stringify(data));
    await runK6({
      program: k6,
      script: join(import.meta.dirname, `${scenario}.ts`),
      folder: out,
      limit_ms: STORM_MS,
      signal: new AbortController().signal,
    });
  } finally {
    await target.close();
    await claret.close();
  }
  return linesIn(join(out, FILES.ledger));
}

async function linesIn(path: string): Promise<LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for await (const line of readLedger(path)) {
    if (typeof line === 'string') throw new Error(`not a line of a ledger: ${line}`);
    lines.push(line);
  }
  return lines;
}

const kindsOf = (lines: readonly LedgerLine[]) =>
  new Set<string>(lines.filter(([, , , outcome]) => outcome === 'accepted').map(([kind]) => kind));
const pagesOf = (lines: readonly LedgerLine[]) =>
  new Set<string>(lines.flatMap(([kind, , , , , facts]) => (kind === 'read' ? [facts.page] : [])));

describe.concurrent('in the real k6,', () => {
  test(
    'the last minute consists of bids, purchases, comments, and reads by gRPC',
    async () => {
      const lines = await stormed('last-minute-auction');
      expect([...kindsOf(lines)]).toEqual(expect.arrayContaining(['bid', 'buy', 'comment']));
      expect(
        lines.filter(([kind, , , outcome, , facts]) => kind === 'read' && facts.door === 'grpc' && outcome === 'accepted').length,
      ).toBeGreaterThan(0);
      const bids = lines.flatMap(([kind, , , outcome, , facts]) => (kind === 'bid' && outcome === 'accepted' ? [facts] : []));
      expect(bids.every(({ amount, max }) => max >= amount)).toBe(true);
      expect(bids.some(({ amount, max }) => max > amount)).toBe(true);
    },
    STORM_MS,
  );

  test(
    'the dress is reposted, and there are other posts',
    async () => {
      const lines = await stormed('the-dress');
      expect([...kindsOf(lines)]).toEqual(expect.arrayContaining(['repost', 'post']));
      const reposts = lines.flatMap(([kind, , , outcome, , facts]) => (kind === 'repost' && outcome === 'accepted' ? [facts.post] : []));
      const { hot_post } = JSON.parse(readFileSync(join(folder, 'the-dress', CONDITION, FILES.data), 'utf8')) as {
        hot_post: { id: string };
      };
      expect(reposts).toContain(hot_post.id);
    },
    STORM_MS,
  );

  test(
    'a flash crowd only reads',
    async () => {
      const lines = await unchecked('flash-crowd');
      expect([...kindsOf(lines)]).toEqual(['read']);
      expect([...pagesOf(lines)]).toEqual(expect.arrayContaining(['SearchItemsInCategory', 'ViewItem']));
    },
    STORM_MS,
  );

  test(
    "all of RUBiS' 27 states are requested, and the writing ones write",
    async () => {
      const lines = await stormed('steady-rubis');
      const writes = { RegisterUser: 'register', StoreBuyNow: 'buy', StoreBid: 'bid', StoreComment: 'comment', RegisterItem: 'open' };
      expect([...pagesOf(lines)]).toEqual(expect.arrayContaining(STATES.filter((state) => !(state in writes))));
      // A bid may be on an own auction, or already too low.
      expect([...new Set(lines.map(([kind]) => kind))]).toEqual(expect.arrayContaining(Object.values(writes)));
      expect([...kindsOf(lines)]).toEqual(expect.arrayContaining(['register', 'buy', 'comment', 'open']));
    },
    STORM_MS,
  );

  test(
    "the paper's mixes consist mostly of timelines and reposts",
    async () => {
      const lines = await stormed('steady-retwis');
      const looks = lines.filter(([kind]) => kind === 'read').length;
      expect(looks).toBeGreaterThan(0.8 * lines.length);
      expect(pagesOf(lines)).toEqual(new Set(['Timeline']));
    },
    STORM_MS,
  );
});
