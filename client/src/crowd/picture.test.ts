import { describe, expect, it } from 'vitest';
import { operationSpecs } from '../generated/handles.ts';
import type { Call } from '../values/call.ts';
import { Picture, pictureOf } from './picture.ts';

const call = (name: string, key: string, ...args: unknown[]): Call => ({ spec: operationSpecs.get(name)!, key, args });
const value = call('Counter.value', 'x');
const top = (n: number | bigint) => call('TopK.top', 't', n);
const shown = ({ spec, key, args }: Call, result: number) => ({ key, code: spec.code, args: args as number[], result });
const at = (low: number) => ({ high: 0, low });
const resultOf = (picture: Picture, asked: Call, time = picture.at) => picture.find(asked)?.resultAt(time);

describe('a picture', () => {
  it('shows the results of the same call with the same arguments only', () => {
    const picture = new Picture();
    picture.take({ at: at(1), gone: [], shown: [shown(value, 7), shown(top(2), 3)] });
    expect(resultOf(picture, value)).toBe(7);
    expect(resultOf(picture, call('Counter.value', 'y'))).toBeUndefined();
    expect(resultOf(picture, top(2n))).toBe(3);
    expect(resultOf(picture, top(3))).toBeUndefined();
  });

  it('goes on with each board, which forgets what is gone and keeps the rest', () => {
    const picture = new Picture();
    picture.take({ at: at(1), gone: [], shown: [shown(value, 7), shown(top(2), 3), shown(top(4), 5)] });
    picture.take({ at: at(2), gone: ['x'], shown: [shown(top(2), 9)] });
    expect([resultOf(picture, value), resultOf(picture, top(2)), resultOf(picture, top(4)), picture.at.low]).toEqual([undefined, 9, 5, 2]);
    picture.take({ at: at(3), gone: ['t'], shown: [shown(top(2), 1)] });
    expect([resultOf(picture, top(2)), resultOf(picture, top(4))]).toEqual([1, undefined]);
  });

  it('keeps the last four results, each for its time', () => {
    const picture = new Picture();
    for (let i = 1; i <= 5; i++) picture.take({ at: at(i * 10), gone: [], shown: [shown(value, i)] });
    const times = [50, 49, 40, 30, 20, 19, 10].map((time) => resultOf(picture, value, at(time)));
    expect(times).toEqual([5, 4, 4, 3, 2, undefined, undefined]);
  });

  it('may be of one look, also with absent results', () => {
    const get = call('Register.get', 'r');
    const picture = pictureOf(at(4), [value, get], [8, null]);
    expect([resultOf(picture, value), resultOf(picture, get)]).toEqual([8, null]);
  });
});
