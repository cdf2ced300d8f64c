// The times at which a shard's frames are taken, on a clock under the test's control.
import { expect, test } from 'vitest';
import { SeededEnvironment } from '../../../client/src/testing/seeded-environment.ts';
import { ShardTelemetry } from './shard-telemetry.ts';

function start() {
  const environment = new SeededEnvironment(1);
  const pass = (ms: number) => environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, ms)));
  const observed: boolean[] = [];
  const takenMs: number[] = [];
  const shard = {
    observe: (on: boolean) => void observed.push(on),
    takeTelemetry: () => `${takenMs.push(Math.round(environment.wallMs()))}`,
  };
  return { environment, pass, observed, takenMs, telemetry: new ShardTelemetry(shard, 1, environment) };
}

test('frames are taken when the wall clock passes a fifth of a second, once for all listeners', async () => {
  const { telemetry, pass, takenMs } = start();
  await pass(130);
  const heard: string[][] = [[], []];
  for (const list of heard) telemetry.listen(({ text }) => list.push(text));
  await pass(1_000);
  expect(takenMs).toHaveLength(5);
  expect(takenMs.map((ms) => ms % 200)).toEqual([0, 0, 0, 0, 0]);
  expect(heard).toEqual([
    ['1', '2', '3', '4', '5'],
    ['1', '2', '3', '4', '5'],
  ]);
});

test('background listeners get a frame a second, and every frame while another listener is live', async () => {
  const { telemetry, pass, takenMs, observed } = start();
  await pass(130);
  const heard: string[] = [];
  telemetry.listen(({ text }) => heard.push(text), false);
  await pass(3_000);
  expect(takenMs.map((ms) => ms % 1_000)).toEqual([0, 0, 0]);
  const end = telemetry.listen(() => {});
  await pass(1_000);
  expect(takenMs).toHaveLength(8);
  expect(heard).toHaveLength(8);
  end();
  await pass(2_000);
  expect(takenMs).toHaveLength(10);
  expect(observed).toEqual([true]);
});

test('the shard is observed from the first listener to the last, even if one unsubscribes twice', async () => {
  const { telemetry, pass, observed, takenMs } = start();
  const listener = () => {};
  const ends = [telemetry.listen(listener), telemetry.listen(listener)];
  expect(observed).toEqual([true]);
  ends[0]!();
  ends[0]!();
  await pass(1_010);
  expect([observed, takenMs.length]).toEqual([[true], 5]);
  ends[1]!();
  await pass(1_010);
  expect([observed, takenMs.length]).toEqual([[true, false], 5]);
  telemetry.listen(listener);
  telemetry.close();
  await pass(1_010);
  expect([observed, takenMs.length]).toEqual([[true, false, true, false], 5]);
});
