// The harm of a round with a replicated log: blows to owners, standbys, NATS servers and machines, each of which comes back. A round may take
// all three NATS servers away at once, or both owners, but nothing for good. Clients and app servers fall beside them.

import type { Chance } from '../../kit/random.ts';
import type { Actor } from './actor.ts';
import type { Cast } from './cast.ts';
import type { Blow, Harm } from './harm.ts';
import { OWNER_LEASE_MS } from './replicated-store.ts';
import type { Serving } from './store.ts';

/** Shares of rounds. In the others at least one owner, standby or server is struck. */
const BOTH_OWNERS_SHARE = 0.12;
const ALL_SERVERS_SHARE = 0.08;
const MACHINE_SHARE = 0.5;
const STRUCK_SHARE = { owner: 0.6, standby: 0.3, server: 0.3, client: 0.1 };
/** Probability that a gateway is struck once more when it has been started again. */
const AGAIN_SHARE = 0.3;
/** Probability that the standby is killed at about the moment when it takes the shard of a killed owner. */
const SUCCESSOR_SHARE = 0.2;
const TAKE_OVER_MS: readonly [number, number] = [OWNER_LEASE_MS, 2 * OWNER_LEASE_MS];
/** Some are shorter than the lease, some longer. */
const FROZEN_MS: readonly [number, number] = [50, 3 * OWNER_LEASE_MS];
const CUT_MS: readonly [number, number] = [100, 4 * OWNER_LEASE_MS];
const DEAD_MAX_MS = 400;
const CLIENT_FROZEN_MAX_MS = 1_400;

/** Plans at least one blow. `owners`: in the order of the shards. */
export function planTakeOvers({ store, appServers, drivers }: Cast, owners: readonly Serving[], chance: Chance): Harm[] {
  const { gateways, servers } = store;
  const when = () => ({
    attempts: chance.below(120),
    moment: chance.between(0, 20),
    dead: chance.happens(0.6) ? 0 : chance.between(0, DEAD_MAX_MS),
  });
  const all = owners.map((_, shard) => shard);
  const atOwner = (shard: number, more: Partial<Harm>): Harm => ({
    actor: owners[shard]!.actor,
    ...when(),
    blows: [gatewayBlow(chance), ...again(chance)],
    whom: 'owner',
    shards: [shard],
    ...more,
  });
  const atServer = (actor: Actor, blow: Blow, more: Partial<Harm>): Harm => ({
    actor,
    ...when(),
    blows: [{ ...blow, afterMs: 0 }],
    whom: 'NATS server',
    shards: all,
    ...more,
  });
  const clients = [...appServers, ...drivers]
    .filter(() => chance.happens(STRUCK_SHARE.client))
    .map((actor) => atClient(actor, when(), chance));
  if (chance.happens(BOTH_OWNERS_SHARE)) {
    const together = when();
    return [...all.map((shard) => atOwner(shard, { ...together, whom: 'both owners' })), ...clients];
  }
  if (chance.happens(ALL_SERVERS_SHARE)) {
    const [together, blow] = [when(), serverBlow(chance)];
    return [...servers.map((server) => atServer(server, blow, { ...together, whom: 'all NATS servers' })), ...clients];
  }
  if (store.linkOf(servers[0]!) !== undefined && chance.happens(MACHINE_SHARE)) {
    const cut: Blow = { how: 'cut', ms: chance.between(...CUT_MS) };
    return [atServer(chance.pick(servers), cut, { whom: 'machine' }), ...clients];
  }
  const standbys = gateways.filter((gateway) => owners.every(({ actor }) => actor !== gateway));
  const struck = all.filter(() => chance.happens(STRUCK_SHARE.owner / all.length));
  const harms = struck.map((shard) => atOwner(shard, {}));
  const [standby] = standbys;
  if (standby !== undefined && struck.length > 0 && chance.happens(SUCCESSOR_SHARE)) {
    const { attempts, moment, dead } = harms[0]!;
    const later = moment + chance.between(...TAKE_OVER_MS);
    harms.push({ actor: standby, attempts, moment: later, dead, blows: [{ how: 'kill', afterMs: 0 }], whom: 'successor' });
  } else if (standbys.length > 0 && chance.happens(STRUCK_SHARE.standby)) {
    harms.push({ actor: chance.pick(standbys), ...when(), blows: [gatewayBlow(chance), ...again(chance)], whom: 'standby' });
  }
  if (harms.length === 0 || chance.happens(STRUCK_SHARE.server)) harms.push(atServer(chance.pick(servers), serverBlow(chance), {}));
  return [...harms, ...clients];
}

type TimedBlow = Harm['blows'][number];

function gatewayBlow(chance: Chance): TimedBlow {
  const kind = chance.next();
  if (kind < 0.5) return { how: 'kill', afterMs: 0 };
  if (kind < 0.85) return { how: 'freeze', ms: chance.between(...FROZEN_MS), afterMs: 0 };
  return { how: 'term', ...(chance.happens(0.5) && { killedAfterMs: chance.between(0, 400) }), afterMs: 0 };
}

const again = (chance: Chance): TimedBlow[] =>
  chance.happens(AGAIN_SHARE) ? [{ how: 'kill', afterMs: chance.between(20, 3 * OWNER_LEASE_MS) }] : [];

const serverBlow = (chance: Chance): Blow => (chance.happens(0.6) ? { how: 'kill' } : { how: 'freeze', ms: chance.between(...FROZEN_MS) });

function atClient(actor: Actor, when: Pick<Harm, 'attempts' | 'moment' | 'dead'>, chance: Chance): Harm {
  const blow: Blow = chance.happens(0.8) ? { how: 'kill' } : { how: 'freeze', ms: chance.between(20, CLIENT_FROZEN_MAX_MS) };
  return { actor, ...when, blows: [{ ...blow, afterMs: 0 }] };
}
