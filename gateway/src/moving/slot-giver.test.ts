// A giver and a taker around trivial models of their shards, in virtual time.
import { randomFrom } from '@claret/client/testing';
import type { SlotRun } from '@claret/client';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../errors.ts';
import { Machine, World } from '../replication/testing/machines.ts';
import type { GivePiece } from '@claret/core';
import type { MovedSlots, TakingShard } from './moving-shard.ts';
import { SlotGiver, type GivingShard } from './slot-giver.ts';
import type { MoveState } from './slot-giver.ts';
import { SlotTaker } from './slot-taker.ts';
import type { MoveAnswer } from './slot-taker.ts';

const SLOTS = { first: 100, last: 199 };
const MOVE = '0-1-test';

/** Records with a number each; a piece takes up to `bytesMax` of them. */
class ModelGiver implements GivingShard {
  records = new Map<string, number>();
  dirty: string[] = [];
  isHeld = false;
  /** transactions that hold records of the run */
  holders = 0;
  /** a backup has prepared a cut */
  isCut = false;
  hasGiven = false;
  isSettled = false;
  drains = 0;
  refusal: GatewayError | null = null;
  isGiving = false;
  /** it hands nothing out for now */
  isBusy = false;

  change(key: string, value: number): void {
    if (this.isHeld || this.hasGiven) throw new Error('changed while it was held');
    this.records.set(key, value);
    if (this.isGiving && !this.dirty.includes(key)) this.dirty.push(key);
  }
  beginGive(): void {
    if (this.refusal !== null) throw this.refusal;
    this.isGiving = true;
    this.dirty = [...this.records.keys()];
  }
  takeGive(bytesMax: number): GivePiece {
    if (this.isBusy) return { bytes: Buffer.alloc(0), complete: false, bytesLeft: this.dirty.length };
    const taken = this.dirty.splice(0, bytesMax).map((key) => [key, this.records.get(key)]);
    const complete = this.dirty.length === 0 && this.isDrained();
    return { bytes: Buffer.from(JSON.stringify(taken)), complete, bytesLeft: this.dirty.length };
  }
  drainGive(): void {
    if (this.isCut) throw new GatewayError('cut_in_progress', 'a backup is about to cut the log.');
    this.drains++;
    this.isHeld = true;
  }
  isDrained(): boolean {
    return this.isHeld && this.holders === 0;
  }
  callOffDrain(): void {
    this.isHeld = false;
  }
  callOffGive(): void {
    this.isHeld = this.isGiving = false;
  }
  async give(): Promise<void> {
    if (!this.isDrained() || this.dirty.length > 0) throw new Error('not ready to be given');
    this.hasGiven = true;
  }
  given(): bigint | null {
    return this.hasGiven && !this.isSettled ? 77n : null;
  }
  async settleGive(): Promise<void> {
    this.isSettled = true;
  }
  slots(): SlotRun[] {
    return [];
  }
}

class ModelTaker {
  staged: Map<string, number> | null = null;
  owned: Map<string, number> | null = null;
  pieces = 0;

  async importPiece(_move: string, _from: number, bytes: Uint8Array): Promise<void> {
    this.pieces++;
    this.staged ??= new Map();
    for (const [key, value] of JSON.parse(Buffer.from(bytes).toString()) as [string, number][]) this.staged.set(key, value);
  }
  async takeOver(): Promise<void> {
    if (this.staged === null) throw new GatewayError('unknown_move', 'nothing is staged');
    this.owned = this.staged;
    this.staged = null;
  }
  async dropImport(): Promise<void> {
    this.staged = null;
  }
  hasTaken(): boolean {
    return this.owned !== null;
  }
  imported() {
    return this.staged === null ? null : { move: MOVE, slots: SLOTS, other: 0 };
  }
  slots(): SlotRun[] {
    return this.owned === null ? [] : [{ ...SLOTS, version: 1 }];
  }
}

function begin() {
  const world = new World(randomFrom(1));
  const { environment } = new Machine(world, 1);
  const [own, other] = [new ModelGiver(), new ModelTaker()];
  for (let i = 0; i < 50; i++) own.records.set(`k${i}`, i);
  let isAway = false;
  let asked = 0;
  const taken: SlotRun[][] = [];
  const taker = new SlotTaker({
    own: other,
    environment,
    ask: async (_shard, move): Promise<MoveAnswer> => (giver.isUnderWay(move) ? 'under_way' : 'unknown'),
    onTaken: (slots) => void taken.push([...slots]),
  });
  /** Each call arrives after 2 ms, unless the taker is away; its answer may be lost. */
  let lost = 0;
  const reached = async <T>(work: () => Promise<T>): Promise<T> => {
    asked++;
    await new Promise<void>((resolve) => environment.setTimeout(resolve, 2));
    if (isAway) throw new GatewayError('shard_unavailable', 'nobody answers');
    const answer = await work();
    if (lost-- > 0) throw new GatewayError('shard_unavailable', 'the answer was lost');
    return answer;
  };
  const remote: TakingShard = {
    importPiece: (move, from, bytes) => reached(() => taker.importPiece(move, from, bytes)),
    takeOver: (move, at) => reached(() => taker.takeOver(move, at)),
    dropImport: (move) => reached(() => taker.dropImport(move)),
  };
  let isKnownTaken = false;
  const moved: number[] = [];
  const held: number[] = [];
  const ended: Readonly<MoveState>[] = [];
  const giver: SlotGiver = new SlotGiver(
    {
      shard: 0,
      own,
      taker: () => remote,
      isTaken: () => isKnownTaken,
      environment,
      onMoved: (to) => void moved.push(to),
      onHeld: (heldMs) => void held.push(heldMs),
      onEnded: (state) => void ended.push({ ...state }),
    },
    { pieceBytes: 4, restBytes: 2, drainsMax: 5 },
  );
  return {
    world,
    own,
    other,
    giver,
    taker,
    taken,
    moved,
    held,
    ended,
    knowTaken: () => void (isKnownTaken = true),
    away: (value: boolean) => void (isAway = value),
    lose: (count: number) => void (lost = count),
    asked: () => asked,
    begin: (slots: MovedSlots = SLOTS) => giver.begin(MOVE, slots, 1),
    run: (ms: number) => world.runUntil(world.nowMs + ms),
  };
}

describe('a move of slots', () => {
  test('copies all records, those that change meanwhile again, and hands them over while nobody changes them', async () => {
    const { own, other, giver, taken, moved, held, ended, ...move } = begin();
    expect(move.begin()).toMatchObject({ phase: 'copying', from: 0, to: 1, slots: SLOTS });
    for (let i = 0; i < 20 && !own.isHeld && !own.hasGiven; i++) {
      own.change(`k${i}`, 1_000 + i);
      await move.run(1);
    }
    await move.run(2_000);
    expect(giver.state).toMatchObject({ phase: 'done', drains: 1, bytesLeft: 0, why: null });
    expect(other.owned).toEqual(own.records);
    expect(own.isSettled).toBe(true);
    expect(taken).toEqual([[{ ...SLOTS, version: 1 }]]);
    expect(moved).toEqual([1]);
    expect(giver.state!.heldMs).toBeGreaterThan(0);
    expect(held).toEqual([giver.state!.heldMs]);
    expect(ended, 'told once').toEqual([giver.state]);
  });

  test('leaves others their turn while the shard has nothing to hand out', async () => {
    const { own, other, giver, world, ...move } = begin();
    own.isBusy = true;
    move.begin();
    world.at(world.nowMs, () => (own.isBusy = false));
    await move.run(2_000);
    expect(giver.state).toMatchObject({ phase: 'done' });
    expect(other.owned).toEqual(own.records);
  });

  test('lets the slots go if some transaction does not end, and holds them again later', async () => {
    const { own, other, giver, ...move } = begin();
    own.holders = 1;
    move.begin();
    await move.run(800);
    expect(own.drains).toBeGreaterThan(0);
    while (own.isHeld) await move.run(10);
    own.change('k1', 99);
    own.holders = 0;
    await move.run(3_000);
    expect(giver.state).toMatchObject({ phase: 'done' });
    expect(other.owned!.get('k1')).toBe(99);
  });

  test('waits while a backup is about to cut the log', async () => {
    const { own, other, giver, ...move } = begin();
    own.isCut = true;
    move.begin();
    await move.run(800);
    expect(giver.state).toMatchObject({ phase: 'copying', drains: 0, heldMs: null });
    own.change('k1', 99);
    own.isCut = false;
    await move.run(2_000);
    expect(giver.state).toMatchObject({ phase: 'done', drains: 1 });
    expect(other.owned!.get('k1')).toBe(99);
  });

  test('is called off if some transaction holds records for too long, and leaves everything as it was', async () => {
    const { own, other, giver, held, ended, ...move } = begin();
    own.holders = 1;
    move.begin();
    await move.run(10_000);
    expect(giver.state).toMatchObject({ phase: 'called_off', drains: 5 });
    expect(giver.state!.why).toContain('each of the 5 times');
    expect([own.isHeld, own.isGiving, other.staged]).toEqual([false, false, null]);
    expect(held, 'each time').toHaveLength(5);
    expect(held.at(-1)).toBe(giver.state!.heldMs);
    expect(ended).toEqual([giver.state]);
    own.change('k1', 1);
  });

  test('goes on if an answer is lost, and sends no piece twice to the shard', async () => {
    const { other, own, giver, ...move } = begin();
    move.lose(3);
    move.begin();
    await move.run(3_000);
    expect(giver.state!.phase).toBe('done');
    expect(other.owned).toEqual(own.records);
    expect(other.pieces).toBeLessThan(move.asked() - 3);
  });

  test('is called off if the taker does not answer, and the taker forgets what it has when it is back', async () => {
    const { other, own, giver, ...move } = begin();
    move.begin();
    await move.run(8);
    expect(other.staged!.size).toBeGreaterThan(0);
    move.away(true);
    await move.run(12_000);
    expect(giver.state).toMatchObject({ phase: 'called_off', why: 'nobody answers' });
    expect(own.isGiving).toBe(false);
    expect(other.staged, 'it asks by itself').toBeNull();
  });

  test('once given, is completed whenever the taker is back, and cannot be called off', async () => {
    const { other, own, giver, ...move } = begin();
    move.begin();
    while (!own.hasGiven) await move.run(1);
    move.away(true);
    await move.run(30_000);
    expect(giver.state).toMatchObject({ phase: 'handing_over', why: 'nobody answers' });
    expect(() => giver.callOff(MOVE)).toThrow(expect.objectContaining({ code: 'move_given' }));
    move.away(false);
    await move.run(1_000);
    expect(giver.state!.phase).toBe('done');
    expect(other.owned).toEqual(own.records);
  });

  test('is completed by the next start of the giver', async () => {
    const { own, other, giver, held, ended, ...move } = begin();
    await other.importPiece(MOVE, 0, Buffer.from('[["k1", 1]]'));
    own.hasGiven = true;
    giver.complete(MOVE, SLOTS, 1);
    await move.run(1_000);
    expect(giver.state!.phase).toBe('done');
    expect([other.hasTaken(), own.isSettled]).toEqual([true, true]);
    expect([giver.state!.heldMs, held], 'since before this start').toEqual([null, []]);
    expect(ended).toEqual([giver.state]);
  });

  test('is settled once others know who owns the slots, if the taker has taken another move since and knows no more of this one', async () => {
    const { own, giver, moved, ...move } = begin();
    own.hasGiven = true;
    giver.complete(MOVE, SLOTS, 1);
    await move.run(1_000);
    expect(giver.state).toMatchObject({ phase: 'handing_over', why: 'nothing is staged' });
    move.knowTaken();
    await move.run(1_000);
    expect(giver.state).toMatchObject({ phase: 'done', why: null });
    expect([own.isSettled, moved]).toEqual([true, []]);
  });

  test('can be called off while it copies, and the slots stay', async () => {
    const { own, other, giver, ...move } = begin();
    move.begin();
    await move.run(6);
    giver.callOff(MOVE);
    await move.run(1_000);
    expect(giver.state).toMatchObject({ phase: 'called_off', why: 'an operator has called it off' });
    expect([own.hasGiven, other.staged, other.owned]).toEqual([false, null, null]);
    expect(() => giver.callOff(MOVE)).toThrow(expect.objectContaining({ code: 'unknown_move' }));
  });

  test('is refused while another one is under way, or if the shard refuses it', async () => {
    const { own, giver, ...move } = begin();
    own.refusal = new GatewayError('invalid_move', 'not its slots');
    expect(() => move.begin()).toThrow(expect.objectContaining({ code: 'invalid_move' }));
    own.refusal = null;
    move.begin();
    expect(() => giver.begin('0-1-other', SLOTS, 1)).toThrow(expect.objectContaining({ code: 'move_in_progress' }));
    await move.run(2_000);
    expect(giver.state!.phase).toBe('done');
  });
});
