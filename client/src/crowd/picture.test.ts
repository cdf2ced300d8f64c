import { describe, expect, it } from 'vitest';
import { operationSpecs } from '../generated/handles.ts';
import type { Call } from '../values/call.ts';
import { NO_PICTURE, pictureOf } from './picture.ts';

const call = (name: string, key: string, ...args: unknown[]): Call => ({ spec: operationSpecs.get(name)!, key, args });
const value = call('Counter.value', 'x');
const top = (n: number | bigint) => call('TopK.top', 't', n);
const shown = ({ spec, key, args }: Call, result: number) => ({ key, code: spec.code, args: args as number[], result });
const at = (low: number) => ({ high: 0, low });

describe('a picture', () => {
  it('shows the results of the same call with the same arguments only', () => {
    const picture = NO_PICTURE.with({ at: at(1), gone: [], shown: [shown(value, 7), shown(top(2), 3)] });
    expect(picture.result(value)).toBe(7);
    expect(picture.result(call('Counter.value', 'y'))).toBeUndefined();
    expect(picture.result(top(2n))).toBe(3);
    expect(picture.result(top(3))).toBeUndefined();
  });

  it('stays as it is when a board brings the next one, which forgets what is gone and keeps the rest', () => {
    const first = NO_PICTURE.with({ at: at(1), gone: [], shown: [shown(value, 7), shown(top(2), 3), shown(top(4), 5)] });
    const second = first.with({ at: at(2), gone: ['x'], shown: [shown(top(2), 9)] });
    expect([second.result(value), second.result(top(2)), second.result(top(4)), second.at.low]).toEqual([undefined, 9, 5, 2]);
    expect([first.result(value), first.result(top(2)), first.at.low]).toEqual([7, 3, 1]);
    const third = second.with({ at: at(3), gone: ['t'], shown: [shown(top(2), 1)] });
    expect([third.result(top(2)), third.result(top(4))]).toEqual([1, undefined]);
  });

  it('may be of one look, also with absent results', () => {
    const get = call('Register.get', 'r');
    expect(pictureOf(at(4), [value, get], [8, null]).result(get)).toBe(null);
  });
});
