// Purity: a computation must give the same value for the same results. In strict mode, time, chance and the network throw inside of it.
//
// What runs inside is told by the asynchronous context. The client itself uses clocks and timers, so whatever calls it from inside steps out
// first (`outside`).

import { AsyncLocalStorage } from 'node:async_hooks';
import { impure } from './errors.ts';

/** the name of the computation that runs */
const inside = new AsyncLocalStorage<string | undefined>();
let guarded = false;

const GUARDED: readonly (readonly [owner: object, name: string])[] = [
  [Date, 'now'],
  [Math, 'random'],
  [globalThis, 'fetch'],
  [globalThis, 'setTimeout'],
  [globalThis, 'setInterval'],
  [globalThis, 'setImmediate'],
];

type Callee = (...args: unknown[]) => unknown;

function guard(owner: object, name: string): void {
  const original = (owner as Record<string, unknown>)[name];
  if (typeof original !== 'function') return;
  const guarding: Callee = function (this: unknown, ...args) {
    const running = inside.getStore();
    if (running !== undefined) throw impure(running, `calls ${name}: its value must follow from what it reads and its arguments alone`);
    return Reflect.apply(original as Callee, this, args);
  };
  // `promisify` finds its own form of a timer by a symbol.
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(guarding, symbol, Object.getOwnPropertyDescriptor(original, symbol)!);
  }
  Object.defineProperty(owner, name, { value: guarding, writable: true, configurable: true, enumerable: owner === globalThis });
}

/** From now on, what must not be used throws inside of computations that run with `runInside`. */
export function guardGlobals(): void {
  if (guarded) return;
  guarded = true;
  for (const [owner, name] of GUARDED) guard(owner, name);
}

/** REQUIRES: globals are guarded. */
export const runInside = <Result>(name: string, run: () => Result): Result => inside.run(name, run);

/** Runs what belongs to the client, also when a computation calls it. */
export const outside = <Result>(run: () => Result): Result => (guarded ? inside.run(undefined, run) : run());

/** The name of the computation that runs; undefined: none, or globals are not guarded. */
export const runningInside = (): string | undefined => (guarded ? inside.getStore() : undefined);
