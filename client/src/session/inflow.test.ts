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
  it('takes a lone frame at once', () => {
    const { inflow, taken } = start();
    inflow.arrive(frame(1));
    expect(taken).toEqual([1]);
  });

  it('takes the next frame only when what the last has set going has left', async () => {
    const { inflow, taken, wait } = start();
    for (const number of [1, 2, 3]) inflow.arrive(frame(number));
    await wait();
    expect(taken).toEqual([1, 'left', 2, 'left', 3, 'left']);
  });

  it('takes all that waits, in order, where no more can come', () => {
    const { inflow, taken } = start();
    for (const number of [1, 2, 3]) inflow.arrive(frame(number));
    inflow.drain();
    expect(taken).toEqual([1, 2, 3]);
  });

  it('takes nothing of a stream that has been given up', async () => {
    const { inflow, taken, wait } = start();
    for (const number of [1, 2, 3]) inflow.arrive(frame(number));
    inflow.clear();
    await wait();
    expect(taken).toEqual([1, 'left']);
  });
});
