import { describe, expect, it } from 'vitest';
import { SeededEnvironment } from '../testing/seeded-environment.ts';
import { Inflow } from './inflow.ts';

const frame = (number: number) => Uint8Array.of(number);

function start() {
  const environment = new SeededEnvironment(1);
  const taken: (number | 'left')[] = [];
  const inflow = new Inflow(environment, ([number]) => {
    taken.push(number!);
    environment.setImmediate(() => taken.push('left'));
  });
  const wait = () => environment.runUntil(new Promise<void>((resolve) => environment.setTimeout(resolve, 10)));
  return { inflow, taken, wait };
}

describe('inflow', () => {
  it('handles a single frame at once', () => {
    const { inflow, taken } = start();
    inflow.arrive(frame(1));
    expect(taken).toEqual([1]);
  });

  it('handles the frames that came meanwhile together, once the requests caused by the one before have left', async () => {
    const { inflow, taken, wait } = start();
    for (const number of [1, 2, 3]) inflow.arrive(frame(number));
    await wait();
    expect(taken).toEqual([1, 'left', 2, 3, 'left', 'left']);
  });

  it('handles all waiting frames, in order, when it is drained', () => {
    const { inflow, taken } = start();
    for (const number of [1, 2, 3]) inflow.arrive(frame(number));
    inflow.drain();
    expect(taken).toEqual([1, 2, 3]);
  });

  it('drops the waiting frames of a stream that was given up', async () => {
    const { inflow, taken, wait } = start();
    for (const number of [1, 2, 3]) inflow.arrive(frame(number));
    inflow.clear();
    await wait();
    expect(taken).toEqual([1, 'left']);
  });
});
