// Every byte of a log, flipped; damage.test.ts flips some of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashImage, flipBytes, startOn, WHOLE, writeSome } from '../testing/damage.ts';

const ALL = 1;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'claret-damage-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('after a crash, any flipped byte is refused with its offset, is harmless, or loses only the last write, which is reported', async () => {
  const log = await writeSome(join(root, 'crashed'));
  const image = await crashImage(join(root, 'crashed'), 'crash-image');
  await log.close();
  expect((await startOn(await crashImage(image, 'crash-whole'))).kept).toEqual(WHOLE);
  const { refused, nothingLost, lastCut } = await flipBytes(image, ALL);
  expect(refused).toBeGreaterThan(1000);
  expect(lastCut).toBeGreaterThan(100); // in the last write
  expect(lastCut).toBeLessThan(300);
  expect(nothingLost).toBeLessThan(100); // padding
});

test('after a close in order, any flipped byte is refused with its offset, or is harmless', async () => {
  const dir = join(root, 'closed');
  await (await writeSome(dir)).close();
  const { lastCut, refused } = await flipBytes(dir, ALL);
  expect(lastCut).toBe(0);
  expect(refused).toBeGreaterThan(1000);
});
