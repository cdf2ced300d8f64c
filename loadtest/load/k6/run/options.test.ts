import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WrongUse } from '../../../kit/wrong-use.ts';
import { readOptions } from './options.ts';

const read = (line: string) => readOptions(line.split(' ').filter((word) => word !== ''));
const wrong = (line: string, why: RegExp) => {
  expect(() => read(line), line).toThrow(WrongUse);
  expect(() => read(line), line).toThrow(why);
};

test('without flags a scenario runs once, with all features of the system', () => {
  const { scenario, asked, duration_s, seed, target, json } = read('the-dress');
  expect([scenario, duration_s, seed, target, json]).toEqual(['the-dress', 45, 1, null, null]);
  expect(asked.map(({ name, condition }) => [name, condition.locks, condition.phasing, condition.combining])).toEqual([
    ['full', 'abstract', true, 'auto'],
  ]);
});

test('exactly one of the existing scenarios is required', () => {
  expect(() => read('')).toThrow(/one scenario is needed, not none/);
  wrong('the-dress flash-crowd', /not "the-dress flash-crowd"/);
  wrong('toString', /there is no scenario "toString"; there are last-minute-auction, the-dress/);
});

test('conditions have the names used in figures, and full is the whole system', () => {
  expect(read('the-dress --compare rw,abstract+phasing,full').asked.map(({ condition }) => condition.name)).toEqual([
    'rw',
    'abstract+phasing',
    'abstract+combining+phasing',
  ]);
  expect(read('the-dress --condition rw').asked.map(({ name }) => name)).toEqual(['rw']);
  wrong('the-dress --condition rx', /there is no condition "rx"; there are full, rw/);
  wrong('the-dress --condition rw-backoff', /there is no condition "rw-backoff"/);
  wrong('the-dress --condition rw,full', /--condition takes one condition/);
  wrong('the-dress --compare rw', /--compare takes two conditions or more/);
  wrong('the-dress --compare full,abstract+combining+phasing', /names a condition twice/);
  wrong('the-dress --condition rw --compare rw,full', /not both/);
});

test('numbers have maxima, and a wrong one names its flag', () => {
  expect(read('the-dress --rate 5000 --duration 600')).toMatchObject({ peak_per_s: 5_000, duration_s: 600 });
  wrong('the-dress --rate 5001', /--rate takes a whole number from 1 to 5000, not "5001"/);
  for (const text of ['0', '-1', '1.5', '1e3', 'many']) wrong(`the-dress --rate=${text}`, /--rate takes/);
  wrong('the-dress --duration 601', /--duration takes a whole number from 5 to 600/);
  wrong('the-dress --duration 4', /--duration/);
  wrong('the-dress --seed 4294967296', /--seed/);
  wrong('the-dress --servers 5', /--servers/);
});

test('another machine is loaded only with an explicit confirmation', () => {
  expect(read('the-dress --target http://127.0.0.1:7420/').target).toBe('http://127.0.0.1:7420');
  expect(read('the-dress --target http://[::1]:7420').target).toBe('http://[::1]:7420');
  expect(read('the-dress --target https://claret.example --allow-remote').target).toBe('https://claret.example');
  for (const host of ['claret.example', '127.0.0.1.claret.example', '10.0.0.1', 'localhost.example'])
    wrong(`the-dress --target http://${host}`, /is another machine/);
  wrong('the-dress --target ftp://localhost', /takes a site's address/);
  wrong('the-dress --target localhost:7420', /takes a site's address/);
  wrong('the-dress --allow-remote', /goes with --target/);
  wrong('the-dress --target http://localhost:1 --shards 2', /not with --target/);
});

test('a shard joins only a cluster of the own', () => {
  expect(read('the-dress').join_shard).toBe(false);
  expect(read('the-dress --join-shard --compare rw,full')).toMatchObject({ join_shard: true, shards: 2 });
  wrong('the-dress --join-shard --target http://127.0.0.1:7420', /--join-shard is of the own cluster/);
});

test('a running target keeps its conditions unless some are given', () => {
  expect(read('the-dress --target http://127.0.0.1:7420').asked).toEqual([]);
  expect(read('the-dress --target http://127.0.0.1:7420 --condition rw').asked).toHaveLength(1);
});

test('an unwritable path of the summary is refused before the storm', () => {
  expect(read(`the-dress --json ${join(tmpdir(), 'x.json')}`).json).toBe(join(tmpdir(), 'x.json'));
  wrong(`the-dress --json ${tmpdir()}`, /that is a folder/);
  wrong('the-dress --json /nowhere/at/all/x.json', /there is no folder \/nowhere\/at\/all/);
});

test('an unknown flag is refused', () => {
  expect(() => read('the-dress --rats 5')).toThrow(/--rats/);
});
