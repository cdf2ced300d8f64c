import { describe, expect, it } from 'vitest';
import { seeded, type Seeded } from '../../../kit/seeded.ts';
import type { FrameMessage, TelemetryMessage } from '@claret/client/telemetry';
import { TelemetryStore } from '../store/telemetryStore.ts';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { shardEpochs } from '../views/epochs/epochsAt.ts';
import { decode } from '@claret/client/telemetry';

const ALL = { from_ms: -Infinity, to_ms: Infinity };
const ODD: readonly unknown[] = [
  null,
  -1,
  1e308,
  '',
  'x'.repeat(2_000),
  [],
  {},
  [null],
  true,
  '__proto__',
  Array.from({ length: 5_000 }, () => 0),
  { length: 1 },
];

const SMALL = { hotRecords: 2, conflicts: 2, waiters: 2, samples: 1, standbys: 1, epochs: 25 };
const messages = (): TelemetryMessage[] => {
  const cluster = new SyntheticCluster(SMALL);
  return [cluster.welcome(), cluster.frame(), cluster.change({ locks: 'rw' }), cluster.frame()];
};

/** What came later than some recordings; `replication` is of replicated clusters alone, and `behind` is missing while nothing is known. */
const MAY_LACK = {
  '': 'replication replication.standbys.*.follows.*.behind slots',
  'shards.*.telemetry.': [
    'aborts.lock_timeout aborts.withdrawn aborts.wounded answeredAgain backingOffMs batchMembers batches breaks chainsBroken clocksApart',
    'conflicts.*.outcome members nativeBreaks natives redisCommands queuedMs samples.*.batchMembers samples.*.stoodBack samples.*.warranted standBacks stoodBack thrownAwayMs',
    'turn turnKeptMs turnSlices turnWaitMs turns turnsLeftOut turnsTimedOut undecidedMembers waits.lock_wait waits.phase_wait',
    'expects expectsChanged grants grantsLapsed grantsReturned grantsStanding waiters.*.warranty',
    'warrantedAnswers warrantedCommits warranties warrantiesLeftOut warrantiesRecalled',
    'epochContested epochIncomplete epochMembers epochOperations epochSlices epochs epochsCalledOff epochsLeftOut membersOfEpochs',
    'rollbackSteps rollbacks snapshotAgeMs snapshotReads',
  ].join(' '),
  'shards.*.telemetry.hotRecords.*.': 'nativeBreaks nativeWaits natives phase.session phases.*.session warranties',
};

/** Another value of the same type: what is read may still be told of. */
function plausible(value: unknown, chance: Seeded): unknown {
  if (typeof value === 'number') return chance.pick([0, 1, 0.5, value * 2, 1e6, 9e14]);
  if (typeof value === 'string') return chance.pick(['', 'x', '__proto__', 'toString', 'शोर']);
  if (typeof value === 'boolean') return !value;
  return Array.isArray(value) ? chance.pick([[], [...value, ...value], value.toReversed()]) : value;
}

interface Place {
  container: Record<string, unknown>;
  name: string;
  /** with `*` for each index of a list */
  path: string;
}

/** Every place in a value. */
function placesOf(value: unknown, above = '', found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, member] of Object.entries(value)) {
    const path = `${above}${above && '.'}${Array.isArray(value) ? '*' : name}`;
    found.push({ container: value as Record<string, unknown>, name, path });
    placesOf(member, path, found);
  }
  return found;
}

function damaged(message: TelemetryMessage, chance: Seeded): string {
  const copy = structuredClone(message);
  for (let times = chance.integer(1, 3); times > 0; times -= 1) {
    const places = placesOf(copy);
    const { container, name } = chance.pick(places);
    if (chance.chance(0.5)) container[name] = structuredClone(plausible(container[name], chance));
    else if (chance.chance(0.3)) delete container[name];
    else container[name] = structuredClone(chance.pick(ODD));
  }
  const text = JSON.stringify(copy);
  return chance.chance(0.1) ? text.slice(0, chance.integer(0, text.length)) : text;
}

/** All that views ask of a store. */
function askEverything(store: TelemetryStore): void {
  const { totals, conflicts, records, epochs, waiters, samples } = store;
  for (let tick = totals.first(ALL); tick < totals.end(ALL); tick += 1) {
    for (const told of [
      totals.at(tick),
      totals.elapsed(tick),
      totals.running(tick),
      totals.value(tick, 'committed'),
      totals.value(tick, 'inFlight'),
    ]) {
      expect(told).not.toBeNaN();
    }
    for (const cause of totals.causes()) expect(totals.waited(tick, cause)).not.toBeNaN();
  }
  expect(totals.latency(ALL, 0.99)).not.toBeNaN();
  expect(conflicts.rows(ALL).every(({ count }) => count > 0)).toBe(true);
  for (const lane of records.lanes(ALL, 'heat', 100)) {
    lane.phases(ALL, (mode, began_ms, ended_ms) => {
      expect(records.modes[mode]).toBeTypeOf('string');
      expect(ended_ms).toBeGreaterThanOrEqual(began_ms);
    });
    lane.queues(ALL, (_, mode) => expect(records.modes[mode]).toBeTypeOf('string'));
    expect(lane.counts(ALL).operations).not.toBeNaN();
  }
  for (const lane of epochs.lanes) {
    lane.phases(ALL, (mode, began_ms, ended_ms) => {
      expect(epochs.modes[mode]).toBeTypeOf('string');
      expect(ended_ms).toBeGreaterThanOrEqual(began_ms);
    });
    lane.queues(ALL, (_, mode) => expect(epochs.modes[mode]).toBeTypeOf('string'));
    expect(shardEpochs(lane, { from_ms: 0, to_ms: 1e15 }).epochs).not.toBeNaN();
  }
  waiters.at(Infinity);
  store.replication.at(Infinity);
  samples.list(ALL);
}

describe('decoding', () => {
  it('lets pass what a cluster sends', () => {
    for (const message of messages()) expect(decode(JSON.stringify(message))).toEqual({ message });
  });

  it('lets pass what it does not know yet beside what it knows', () => {
    const [welcome] = messages();
    expect(decode(JSON.stringify({ ...welcome, weather: 'fine' }))).toHaveProperty('message');
  });

  it.each([
    '',
    '{',
    'null',
    '7',
    '[]',
    '{}',
    '"frame"',
    '{"kind":"frame"}',
    '{"kind":"constructor"}',
    '{"kind":"mark","at_ms":1,"what":{}}',
  ])('answers %s with a fault', (data) => expect(decode(data)).toEqual({ fault: 'malformed' }));

  it('tells a welcome of another version from one that is damaged', () => {
    const [welcome] = messages();
    expect(decode(JSON.stringify({ ...welcome, version: 7 }))).toEqual({ otherVersion: 7 });
    expect(decode(JSON.stringify({ ...welcome, version: 'seven' }))).toEqual({ fault: 'malformed' });
  });

  it('needs every field that frame.ts promises, but for those that recordings of older versions lack', () => {
    const [, message] = messages() as [TelemetryMessage, FrameMessage];
    const mayLack = new Set<string>();
    for (const [place, { path }] of placesOf(message).entries()) {
      const copy = structuredClone(message);
      const { container, name } = placesOf(copy)[place]!;
      if (Array.isArray(container)) continue;
      delete container[name];
      if ('message' in decode(JSON.stringify(copy))) mayLack.add(path);
    }
    const expected = Object.entries(MAY_LACK).flatMap(([above, names]) => names.split(' ').map((name) => `${above}${name}`));
    expect([...mayLack].toSorted()).toEqual(expected.toSorted());
  });

  it('reads what older versions told of shared locks in the words of today', () => {
    const [, message] = messages() as [TelemetryMessage, FrameMessage];
    const text = JSON.stringify(message)
      .replace('"verdict":"granted"', '"verdict":"joined"')
      .replace('"blockers":[{"transaction":"', '"blockers":[{"transaction":null,"was":"');
    expect(text).toContain('"joined"');
    expect(text).toContain('"transaction":null');
    expect(decode(text)).toHaveProperty('message');
  });

  it('never throws, and what it lets pass the store can take and tell of', () => {
    const seed = `${Date.now()}`;
    const chance = seeded(seed);
    const store = new TelemetryStore();
    const whole = messages();
    let [passed, refused] = [0, 0];
    for (let turn = 0; turn < 400; turn += 1) {
      const decoded = decode(damaged(chance.pick(whole), chance));
      if ('message' in decoded) {
        passed += 1;
        store.take(decoded.message);
        if (passed % 10 === 0) askEverything(store);
      } else {
        refused += 1;
      }
    }
    expect(passed, `seed ${seed}`).toBeGreaterThan(25);
    expect(refused, `seed ${seed}`).toBeGreaterThan(130);
  });
});
