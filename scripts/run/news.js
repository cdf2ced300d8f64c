// What the demo says when a process dies and when it is back, in sentences.
import { seconds } from './progress.js';
import { RESTART_LIMITS } from './restarts.js';

/** @typedef {import('./service.js').Death} Death */

const endOf = ({ code, signal }) => (signal ? `was killed by ${signal}` : `ended with exit code ${code}`);

/** @param {Death} death of a process that is started again */
export const deathWords = (death) => `${death.name} ${endOf(death)}. It is started again in ${seconds(death.againInMs)}.`;

/** @param {{name: string, awayMs: number}} back @param {string} durability of the gateways' data */
export function backWords({ name, awayMs }, durability) {
  const isEmpty = durability === 'none' && name.startsWith('gateway');
  return `${name} is back after ${seconds(awayMs)}.${isEmpty ? ' Its shard is empty: the data lived in memory.' : ''}`;
}

/** Why the demo ends with this process. @param {Death} death */
export function lastWords(death) {
  const { name, code, givenUp } = death;
  if (givenUp === 'refused') return `${name} refused to run (exit code ${code}).`;
  const { deathsMax, withinMs } = RESTART_LIMITS;
  if (givenUp === 'unsteady') return `${name} ${endOf(death)}, the ${deathsMax}th end within ${withinMs / 1000} s: it does not stay up.`;
  return `${name} ${endOf(death)} before it was ready.`;
}
