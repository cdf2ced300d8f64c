// The sentence at the top of the page, checked against a cluster's telemetry.
import { describe, expect, it } from 'vitest';
import type { Conditions, Conflict, MarkMessage, ShardTelemetry } from '@claret/client/telemetry';
import { TelemetryStore } from '../../store/telemetryStore.ts';
import { SyntheticCluster } from '../../testing/synthetic.ts';
import { pairsOf, situationOf } from './findings.ts';
import { factorWords, sentenceOf, textOf, type Around } from './sentence.ts';

const BEGAN_MS = 1_000_000_000_000;
const RW: Conditions = { locks: 'rw', phasing: false, combining: 'off' };
const PHASING: Conditions = { locks: 'abstract', phasing: true, combining: 'off' };
const LIVE: Around = { canStart: true, isRecording: false };
const KEY = '{auction:42}:bids';

const conflict = (holderLabel: string, comerLabel: string, count: number): Conflict => ({
  holderLabel,
  comerLabel,
  holderOperation: 'TopK.add',
  comerOperation: 'TopK.add',
  outcome: 'waited',
  count,
});

/** Bids conflict at the auction, and some views with them. */
const CONFLICTS = [conflict('Bid', 'Bid', 17), conflict('ViewAuction', 'Bid', 2), conflict('Bid', 'ViewAuction', 1)];

/** A cluster of one shard whose frames contain what a test needs. */
class Told {
  readonly store = new TelemetryStore();
  private readonly cluster: SyntheticCluster;

  constructor(conditions: Conditions) {
    this.cluster = new SyntheticCluster({ began_ms: BEGAN_MS, shards: 1, seed: 'summary', waiters: 0, samples: 0, hotRecords: 1 });
    this.cluster.conditions = conditions;
    this.store.take(this.cluster.welcome());
  }

  /** Runs for this many seconds, with frames of a fifth of a second. */
  run(seconds: number, figures: Partial<ShardTelemetry>): this {
    for (let frame = 0; frame < seconds * 5; frame += 1) {
      const message = this.cluster.frame();
      const [shard] = message.shards;
      const nothing = { homeCommits: 0, natives: 0, retries: 0, conflicts: [], conflictsLeftOut: 0, hotRecords: [] };
      const hot = (figures.conflicts ?? []).length > 0 ? [{ ...shard!.telemetry.hotRecords[0]!, key: KEY, conflicts: 20 }] : [];
      Object.assign(shard!.telemetry, nothing, { hotRecords: hot }, figures);
      this.store.take(message);
    }
    return this;
  }

  mark(what: MarkMessage['what']): this {
    const at_ms = this.store.newest_ms ?? BEGAN_MS;
    if ('conditions' in what) this.cluster.conditions = what.conditions;
    this.store.take({ kind: 'mark', id: `${at_ms} ${JSON.stringify(what)}`, at_ms, what });
    return this;
  }

  sentence(around = LIVE): string {
    const to_ms = (this.store.newest_ms ?? BEGAN_MS) + 1;
    return textOf(sentenceOf(situationOf(this.store, { from_ms: to_ms - 60_000, to_ms }, true), around)).trim();
  }
}

describe('the sentence', () => {
  it('says that there is no telemetry, or that nothing runs and what to do about it', () => {
    expect(new Told(RW).sentence()).toBe('No telemetry yet.');
    const idle = new Told(RW).run(6, {});
    expect(idle.sentence()).toBe('Nothing is running. Start a load spike to see which transactions block each other, and where.');
    expect(idle.sentence({ canStart: false, isRecording: false })).toBe('Nothing is running.');
    expect(idle.sentence({ canStart: false, isRecording: true })).toBe('Nothing was running at this point of the recording.');
  });

  it('names the rate, the retries, the pair, its record and the locks', () => {
    const told = new Told(RW).run(6, { homeCommits: 18, retries: 162, conflicts: CONFLICTS });
    expect(told.sentence()).toBe(
      `90 transactions a second, 9.0 retries for each. Bid transactions block each other on ${KEY} (85% of all conflicts). ` +
        'Reader/writer locks are on: a write locks everyone else out of the record.',
    );
  });

  it('names natives and whom they meet', () => {
    const met: Conflict[] = [{ ...conflict('Transfer', '(native)', 20), outcome: 'broke' }];
    expect(new Told(PHASING).run(6, { homeCommits: 0, natives: 1_000 }).sentence()).toMatch(
      /^0 transactions a second\. Beside them, 5,000 natives a second\. /,
    );
    expect(new Told(PHASING).run(6, { homeCommits: 18, natives: 1_000, conflicts: met }).sentence()).toContain(
      `Beside them, 5,000 natives a second. Natives and Transfer meet on ${KEY} (100% of all conflicts).`,
    );
  });

  it('says what warranties save, and whom they delay', () => {
    const told = new Told({ ...PHASING, combining: 'auto', warranties: 'auto' }).run(6, {
      homeCommits: 2,
      warrantedCommits: 198,
      operations: 10,
      warrantedAnswers: 190,
      conflicts: [conflict('(warranty)', 'Repost', 20)],
    });
    expect(told.sentence()).toMatch(
      `1,000 transactions a second; 95% of all operations needed no message. Warranties delay Repost on ${KEY} (100% of all conflicts). ` +
        'Commuting locks with phasing, combining and warranties are on:',
    );
  });

  it('says how much runs in epochs, and names them where all lists do', () => {
    const lists = { homeCommits: 20, commits: 40, operations: 1_000, epochMembers: 36, epochOperations: 900 };
    expect(new Told({ ...PHASING, epochs: 'on' }).run(6, lists).sentence()).toMatch(
      '100 transactions a second; 90% of all operations ran in epochs. They hardly block each other. Commuting locks with phasing and epochs are on:',
    );
    expect(new Told({ ...PHASING, epochs: 'auto' }).run(6, { ...lists, epochOperations: 10 }).sentence()).toMatch(
      /^100 transactions a second\. .* Commuting locks with phasing are on:/,
    );
  });

  it('counts both directions of a pair together, the label that holds more often first', () => {
    expect(pairsOf([conflict('Bid', 'View', 30), conflict('View', 'Bid', 40), conflict('Bid', 'Bid', 60)])).toEqual([
      { labels: ['View', 'Bid'], count: 70 },
      { labels: ['Bid', 'Bid'], count: 60 },
    ]);
  });

  it('compares with the time before the last switch, under the same load', () => {
    const told = new Told(RW)
      .mark({ spike: 'began', name: 'bid-spike' })
      .run(12, { homeCommits: 20, retries: 100, conflicts: CONFLICTS })
      .mark({ conditions: PHASING })
      .run(12, { homeCommits: 116, conflicts: [conflict('ViewAuction', 'Bid', 20)] });
    expect(told.sentence()).toBe(
      `580 transactions a second, 5.8 times as many as under reader/writer locks. ViewAuction and Bid block each other on ${KEY} ` +
        '(100% of all conflicts). Commuting locks with phasing are on: operations block each other only when their order matters.',
    );
  });

  it('stops comparing once the load has ended', () => {
    const told = new Told(RW)
      .mark({ spike: 'began', name: 'bid-spike' })
      .run(12, { homeCommits: 20 })
      .mark({ conditions: PHASING })
      .run(12, { homeCommits: 116 })
      .mark({ spike: 'ended', name: 'bid-spike' })
      .run(12, { homeCommits: 4 });
    expect(told.sentence()).toMatch(/^20 transactions a second\. They hardly/);
  });

  it('does not compare times of different loads', () => {
    const told = new Told(RW).run(12, { homeCommits: 20 }).mark({ conditions: PHASING }).run(12, { homeCommits: 116 });
    expect(told.sentence()).toMatch(/^580 transactions a second\. They hardly block each other\. Commuting locks with phasing are on/);
  });

  it('names the new conditions right after a switch, and no conflicts from before it', () => {
    const told = new Told(RW).run(12, { homeCommits: 20, conflicts: CONFLICTS }).mark({ conditions: PHASING }).run(3, { homeCommits: 100 });
    expect(told.sentence()).toContain('They hardly block each other. Commuting locks with phasing are on');
  });

  it('says that nobody blocks others on hot records where transactions are combined, and does not count what is executed again', () => {
    const combining: Conditions = { ...PHASING, combining: 'auto' };
    const again = { ...conflict('Bid', 'ViewAuction', 500), outcome: 'again' as const };
    expect(new Told(combining).run(6, { homeCommits: 200, conflicts: [again] }).sentence()).toMatch(
      /They hardly block each other\. Commuting locks with phasing and combining are on: transactions on hot records are executed one on top of/,
    );
  });

  it('warns if no locks are on', () => {
    const none: Conditions = { locks: 'none', phasing: false, combining: 'off' };
    expect(new Told(none).run(6, { homeCommits: 200 }).sentence()).toContain('No locks are on: results may be wrong.');
  });

  it('links to the views that show its facts, and highlights the record', () => {
    const { store } = new Told(RW).run(6, { homeCommits: 18, conflicts: CONFLICTS });
    const shown = { from_ms: BEGAN_MS, to_ms: store.newest_ms! + 1 };
    const links = sentenceOf(situationOf(store, shown, true), LIVE).filter(({ view }) => view !== undefined);
    expect(links.map(({ view, key }) => [view, key])).toEqual([
      ['throughput', undefined],
      ['conflicts', undefined],
      ['hot-records', KEY],
      ['laboratory-bar', undefined],
    ]);
  });
});

it('a factor is put in everyday words', () => {
  expect([5.77, 12.4, 1.4, 1.02, 0.8].map(factorWords)).toEqual([
    '5.8 times as many as',
    '12 times as many as',
    '40% more than',
    'about as many as',
    '20% fewer than',
  ]);
});
