// What the services of a replicated cluster tell, with what only the cluster as a whole knows of it.
import { phaseOf } from './owners.js';

/**
 * What there is after the death of a process. `shard`: the one that it owned; `standbys`, `natsServers`: those that run.
 * @typedef {{kind: string, shard: number | null, standbys: number, natsServers: number}} Remaining
 */

/**
 * @param {import('./service.js').ServiceHost} host
 * @param {import('./service.js').Service[]} services all of the cluster, to which more may be added
 * @param {import('./owners.js').OwnerWatch} watch
 * @returns {import('./service.js').ServiceHost}
 */
export function replicatedHost({ onDeath, onBack, ...host }, services, watch) {
  const rowOf = (name) => services.find(({ row }) => row.name === name).row;
  const running = (kind) => services.filter(({ row, child }) => row.kind === kind && child.ended === null).length;
  return {
    ...host,
    onDeath(death) {
      const { kind } = rowOf(death.name);
      const shard = kind === 'gateway' ? watch.noteDeath(death.name) : null;
      const standbys = Math.max(0, running('gateway') - watch.owned);
      onDeath?.({ ...death, remaining: { kind, shard, standbys, natsServers: running('nats') } });
    },
    async onBack(back) {
      const { kind, url } = rowOf(back.name);
      const isStandby = kind === 'gateway' && (await phaseOf(url)) === 'standby';
      onBack?.({ ...back, isStandby });
    },
  };
}
