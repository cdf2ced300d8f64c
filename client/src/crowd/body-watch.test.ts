import { describe, expect, it } from 'vitest';
import { operationSpecs } from '../generated/handles.ts';
import { Operation } from '../operation/operation.ts';
import { systemEnvironment } from '../environment/system-environment.ts';
import { BodyWatch } from './body-watch.ts';
import { Turns } from './turns.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const spec = operationSpecs.get('Counter.value')!;

/** An operation that is answered some turns after it is awaited. */
function answered(watch: BodyWatch, turns: number): Operation<number> {
  const operation: Operation<number> = new Operation<number>({ want: () => void wanted() }, spec, 'x', []);
  const wanted = async () => {
    watch.awaits(operation as Operation<unknown>);
    for (let i = 0; i < turns; i++) await turn();
    operation.settle(1);
  };
  return operation;
}

async function isStraight(body: (watch: BodyWatch) => Promise<unknown>): Promise<boolean> {
  const watch = new BodyWatch(new Turns(systemEnvironment));
  await body(watch);
  return watch.end();
}

describe('a body is straight', () => {
  it('if it awaits operations, however long they take, one after the other or at once', async () => {
    expect(
      await isStraight(async (watch) => {
        await answered(watch, 5);
        await Promise.all([answered(watch, 3), answered(watch, 6)]);
        await Promise.resolve();
        await answered(watch, 1);
      }),
    ).toBe(true);
  });

  it('not if it awaits something else before, between or after its operations', async () => {
    const slow = async () => {
      for (let i = 0; i < 4; i++) await turn();
    };
    expect(await isStraight(slow)).toBe(false);
    const between = async (watch: BodyWatch) => {
      await answered(watch, 2);
      await slow();
      await answered(watch, 2);
    };
    expect(await isStraight(between)).toBe(false);
    const after = async (watch: BodyWatch) => {
      await answered(watch, 2);
      await slow();
    };
    expect(await isStraight(after)).toBe(false);
  });
});
