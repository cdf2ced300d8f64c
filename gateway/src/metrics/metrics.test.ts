// /metrics of a real gateway: correct totals, a histogram that Prometheus can read, and a Grafana dashboard that queries only existing
// metrics.
import { readFileSync } from 'node:fs';
import { connect } from '@claret/client';
import { untilWaiting } from '@claret/client/testing';
import { TOTALS } from '@claret/client/telemetry';
import type { Conflict } from '@claret/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { LabelPairs, PAIRS_MAX } from './label-pairs.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const scrape = async (gateway = 0): Promise<string> => (await cluster.gateways[gateway]!.rest.inject('/metrics')).body;
/** The value of the only series that begins with the given text. */
const valueOf = (text: string, series: string): number => {
  const lines = text.split('\n').filter((line) => line.startsWith(`${series} `));
  expect(lines, series).toHaveLength(1);
  return Number(lines[0]!.split(' ').at(-1));
};

test('each commit is counted once, at its home shard, and latencies form a cumulative histogram in seconds', async () => {
  const claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc] });
  const [here, there] = [cluster.keyOn(0, 'home'), cluster.keyOn(1, 'home')];
  const before = await Promise.all([scrape(0), scrape(1)]);
  const startMs = performance.now();
  for (let i = 0; i < 7; i++) {
    await claret.transaction('Both', async (tx) => {
      tx.counter(here).add(1);
      await tx.counter(here).value();
      await new Promise((resolve) => setTimeout(resolve, 30));
      tx.counter(there).add(1);
    });
  }
  await claret.close();
  await expect.poll(() => cluster.gateways.map(({ host }) => host.counters().attemptsInFlight)).toEqual([0, 0]);
  const elapsedS = (performance.now() - startMs) / 1_000;
  const after = await Promise.all([scrape(0), scrape(1)]);
  const grown = (gateway: number, series: string) => valueOf(after[gateway]!, series) - valueOf(before[gateway]!, series);
  expect([grown(0, 'claret_commits_total{home="true"}'), grown(0, 'claret_commits_total{home="false"}')]).toEqual([7, 0]);
  expect([grown(1, 'claret_commits_total{home="true"}'), grown(1, 'claret_commits_total{home="false"}')]).toEqual([0, 7]);

  expect(after[0]).toContain('# TYPE claret_commit_seconds histogram\n');
  expect(grown(0, 'claret_commit_seconds_count')).toBe(7);
  expect(grown(1, 'claret_commit_seconds_count'), 'a transaction counts once').toBe(0);
  expect(grown(0, 'claret_commit_seconds_bucket{le="+Inf"}')).toBe(7);
  expect(grown(0, 'claret_commit_seconds_bucket{le="0.016"}'), 'each took 30 ms at least').toBe(0);
  const seconds = grown(0, 'claret_commit_seconds_sum');
  expect(seconds).toBeGreaterThan(7 * 0.029);
  expect(seconds, 'one after the other, as two clocks measure them').toBeLessThan(2 * elapsedS);
  const buckets = [...after[0]!.matchAll(/^claret_commit_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)];
  const bounds = buckets.map(([, le]) => Number(le!.replace('+Inf', 'Infinity')));
  const counts = buckets.map(([, , count]) => Number(count));
  expect(bounds).toHaveLength(74);
  expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  const above = buckets[bounds.findIndex((bound) => bound >= elapsedS)]![1]!;
  expect(grown(0, `claret_commit_seconds_bucket{le="${above}"}`), 'each took less than all together').toBe(7);
});

test('conflicts are counted by pairs of labels too, and no series contains a key', async () => {
  const claret = await connect({ addresses: [cluster.gateways[0]!.member.grpc] });
  const key = cluster.keyOn(0, 'secret');
  let waiting: Promise<unknown> | undefined;
  await claret.transaction('Reader', async (tx) => {
    await tx.counter(key).value();
    waiting ??= claret.transact('Writer', [claret.on.counter(key).add(1)]);
    await untilWaiting([cluster.gateways[0]!.host]);
  });
  await waiting;
  await claret.close();
  const text = await scrape();
  expect(valueOf(text, 'claret_label_conflicts_total{holder="Reader",comer="Writer"}')).toBe(1);
  expect(valueOf(text, 'claret_label_conflicts_total{holder="(other)",comer="(other)"}')).toBe(0);
  expect(valueOf(text, 'claret_waits_total{cause="lock_wait"}')).toBeGreaterThanOrEqual(1);
  expect(text).not.toContain('secret');
});

test('beyond fifty pairs of labels the least frequent share a series, and no series decreases', () => {
  const conflict = (pair: number, count: number, operation = 'Set.add'): Conflict => ({
    holderLabel: `L${pair}`,
    comerLabel: '',
    holderOperation: operation,
    comerOperation: operation,
    outcome: 'waited',
    count,
  });
  const pairs = new LabelPairs();
  const first = pairs.read(Array.from({ length: PAIRS_MAX + 10 }, (_, i) => conflict(i, i + 1)));
  expect(first).toHaveLength(PAIRS_MAX + 1);
  expect(first[0]).toEqual({ holder: `L${PAIRS_MAX + 9}`, comer: '(none)', count: PAIRS_MAX + 10 });
  expect(first.at(-1)).toEqual({ holder: '(other)', comer: '(other)', count: 55 });
  const second = pairs.read([
    ...Array.from({ length: PAIRS_MAX + 10 }, (_, i) => conflict(i, i + 1)),
    conflict(0, 9_999, 'Set.size'),
    conflict(PAIRS_MAX + 9, 5, 'Set.size'),
  ]);
  expect(second).toHaveLength(PAIRS_MAX + 1);
  expect(second.at(-1)!.count).toBe(55 + 9_999);
  expect(second.find(({ holder }) => holder === `L${PAIRS_MAX + 9}`)!.count).toBe(PAIRS_MAX + 15);
});

test('the Grafana dashboard queries only existing metrics and labels', async () => {
  const dashboard = JSON.parse(readFileSync(new URL('../../../ui/grafana/claret.json', import.meta.url), 'utf8')) as {
    panels: { title: string; description: string; targets: { expr: string }[] }[];
    templating: { list: { definition?: string }[] };
  };
  const { panels, templating } = dashboard;
  expect(panels.length).toBeGreaterThan(10);
  const wrong = (type: string) => ({
    key: cluster.keyOn(0, 'aborted'),
    type,
    operation: type === 'set' ? 'add' : 'value',
    arguments: type === 'set' ? ['a'] : [],
  });
  for (const type of ['set', 'counter']) {
    await cluster.gateways[0]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload: { operations: [wrong(type)] } });
  }
  const text = await scrape();
  const kinds = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, kind]) => [name!, kind!]));
  const asked = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...templating.list.flatMap(({ definition }) => definition ?? []),
  ];
  for (const expression of asked) {
    const names = [...expression.matchAll(/claret_\w+/g)].map(([name]) => name);
    expect(names.length, expression).toBeGreaterThan(0);
    for (const name of names) expect([name, kinds.has(name.replace(/_bucket$/, ''))]).toEqual([name, true]);
    for (const [, name] of expression.matchAll(/rate\((\w+)/g)) expect([name, /_(total|bucket)$/.test(name!)]).toEqual([name, true]);
    for (const [, labels, name] of expression.matchAll(/by \(([\w, ]+)\) \(rate\((\w+)/g)) {
      for (const label of labels!.split(', ')) {
        expect([name, label, new RegExp(`^${name}\\{[^}]*${label}="`, 'm').test(text)]).toEqual([name, label, true]);
      }
    }
  }
  const chains = ['members', 'answered_again', 'chains_broken', 'batches', 'batch_members', 'stood_back', 'turns', 'turns_timed_out'];
  for (const metric of ['begun', 'retries', 'commits', 'denials', ...chains]) expect(kinds.get(`claret_${metric}_total`)).toBe('counter');
});

test('each plain sum of the core is a metric, or has its place in one with labels', async () => {
  const names = [...(await scrape()).matchAll(/^# TYPE claret_(\w+) /gm)].map(([, name]) =>
    name!.replace('_seconds', '_ms').replace(/_total$/, ''),
  );
  const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const missing = TOTALS.map(({ name }) => snake(name)).filter((name) => !names.includes(name));
  expect(missing).toEqual(['home_commits', 'grants_returned', 'grants_lapsed', 'expects_changed']);
});
