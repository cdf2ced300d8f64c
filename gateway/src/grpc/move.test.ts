// What a gateway says of the moves of its shard.
import { expect, test } from 'vitest';
import { serveMoveStep } from './move.ts';
import type { ServedMoves } from './move.ts';

const giver = { isUnderWay: (move: string) => move === 'known' } as unknown as ServedMoves['giver'];
const served = (isOwner: boolean): ServedMoves => ({ giver, taker: undefined as never, isOwner: () => isOwner });
const ask = (isOwner: boolean, move: string) => serveMoveStep(served(isOwner), { move, step: 'ask', ask: true });

test('a gateway that owns its shard tells whether a move goes on', async () => {
  expect(await ask(true, 'known')).toEqual({ underWay: true });
  expect(await ask(true, 'other')).toEqual({ underWay: false });
});

test('a former owner tells nothing: its successor may have begun the move', async () => {
  await expect(ask(false, 'other')).rejects.toMatchObject({ code: 'shard_unavailable' });
});
