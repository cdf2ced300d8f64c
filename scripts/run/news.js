// What the demo says when a process dies and when it is back, in sentences.
import { NATS_SERVERS } from '../nats/configuration.js';
import { seconds } from './progress.js';
import { RESTART_LIMITS } from './restarts.js';

/** @typedef {import('./service.js').Death & {remaining?: import('./replicated-host.js').Remaining}} Death */

const endOf = ({ code, signal }) => (signal ? `was killed by ${signal}` : `ended with exit code ${code}`);

/** @param {Death} death of a process that is started again */
export function deathWords(death) {
  const { name, remaining } = death;
  const again = `started again in ${seconds(death.againInMs)}`;
  if (remaining?.kind === 'gateway') return gatewayWords(death, again);
  const log = remaining?.kind === 'nats' ? ` ${logWords(remaining)}` : '';
  return `${name} ${endOf(death)}.${log} It is ${again}.`;
}

/** With a replicated log. */
function gatewayWords({ name, remaining: { shard, standbys }, ...end }, again) {
  if (shard === null) return `${name}, which owned no shard, ${endOf(end)}. It is ${again}.`;
  const next = standbys > 0 ? 'A standby takes the shard over.' : 'No standby runs: the shard is away until a gateway takes it.';
  return `${name}, the owner of shard ${shard}, ${endOf(end)}. ${next} The process is ${again}.`;
}

/** What the log is without one more of its servers. */
const logWords = ({ natsServers }) =>
  natsServers >= NATS_SERVERS - 1
    ? 'The other servers have the log: nothing is lost.'
    : 'Changes are refused until two servers run; nothing is lost.';

/** @param {{name: string, awayMs: number, isStandby?: boolean}} back @param {string} durability of the gateways' data */
export function backWords({ name, awayMs, isStandby = false }, durability) {
  const isEmpty = durability === 'none' && name.startsWith('gateway');
  const role = isStandby ? ', as a standby' : '';
  return `${name} is back after ${seconds(awayMs)}${role}.${isEmpty ? ' Its shard is empty: the data lived in memory.' : ''}`;
}

/** @param {import('./owners.js').Move} move */
export function moveWords({ shard, owner, before, awayMs }) {
  const change = owner === before ? `${owner} owns shard ${shard} again.` : `${owner} owns shard ${shard} now, in place of ${before}.`;
  return awayMs === null ? change : `${change} The shard was away for ${seconds(awayMs)}.`;
}

/** Why the demo ends with this process. @param {Death} death */
export function lastWords(death) {
  const { name, code, givenUp } = death;
  if (givenUp === 'refused') return `${name} refused to run (exit code ${code}).`;
  const { deathsMax, withinMs } = RESTART_LIMITS;
  if (givenUp === 'unsteady') return `${name} ${endOf(death)}, the ${deathsMax}th end within ${withinMs / 1000} s: it does not stay up.`;
  return `${name} ${endOf(death)} before it was ready.`;
}
