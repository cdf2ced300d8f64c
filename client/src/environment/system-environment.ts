// The environment of a real process.

import type { Environment } from './environment.ts';

// As globals they are getters, which cost several times as much as reading the clock. So they are looked up once.
const { performance, crypto } = globalThis;
const { timeOrigin } = performance;

export const systemEnvironment: Environment = {
  wallMs: () => timeOrigin + performance.now(),
  civilMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setImmediate: (callback) => void setImmediate(callback),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  random: () => Math.random(),
};
