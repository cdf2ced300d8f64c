// The ports of the demo. Those that its user has named must be free. The others move on together, a hundred at a time, until they are: so
// several demos run at once.
import { isTaken, portPlan } from './ports.js';
import { Problem } from './problem.js';

const STEP = 100;
const TRIES = 20;
const PORT_MAX = 65_535;

/** flag → its name in `portPlan` */
const FLAGS = {
  'gateway-port': 'gatewayPort',
  'resp-port': 'respPort',
  'auctions-port': 'auctionsPort',
  'timelines-port': 'timelinesPort',
  'nats-port': 'natsPort',
};

/** @param {string} flag @returns {string} the variable that sets the flag too */
export const variableOf = (flag) => `CLARET_${flag.toUpperCase().replaceAll('-', '_')}`;

/** @typedef {ReturnType<typeof portPlan>} Plan */
/** @typedef {{port: number, owner: string, flag: string}} Claim */

/** Every port with its owner and the flag that moves it. @param {Plan} plan @returns {Claim[]} */
function claims(plan) {
  const gateways = [...plan.gateways, ...plan.standbys].flatMap(({ rest, grpc, resp }, gateway) => [
    { port: rest, owner: `REST of gateway ${gateway}`, flag: 'gateway-port' },
    { port: grpc, owner: `gRPC of gateway ${gateway}`, flag: 'gateway-port' },
    { port: resp, owner: `Redis door of gateway ${gateway}`, flag: 'resp-port' },
  ]);
  const nats = plan.nats.flatMap((ports, server) =>
    Object.values(ports).map((port) => ({ port, owner: `NATS server ${server}`, flag: 'nats-port' })),
  );
  const auctions = plan.auctions.map((port, index) => ({ port, owner: `auction server ${index}`, flag: 'auctions-port' }));
  const timelines = plan.timelines.map((port, index) => ({ port, owner: `timelines server ${index}`, flag: 'timelines-port' }));
  return [...gateways, ...nats, ...auctions, ...timelines];
}

const adviceFor = (flag) => `Choose another with --${flag} (or ${variableOf(flag)}).`;

/** Throws a Problem if a port would have two owners. @param {Claim[]} all */
function refuseTwice(all) {
  const owners = new Map();
  for (const { port, owner, flag } of all) {
    if (owners.has(port)) throw new Problem(`Port ${port} would serve both ${owners.get(port)} and ${owner}. ${adviceFor(flag)}`);
    owners.set(port, owner);
  }
}

/** @param {Claim[]} all @returns {Promise<Claim | undefined>} the first whose port has a listener */
async function firstTaken(all) {
  for (const claim of all) if (await isTaken(claim.port)) return claim;
  return undefined;
}

/**
 * Free ports; throws a Problem if a named one is taken.
 * @param {Record<string, number>} first port of each flag @param {Set<string>} named flags, which do not move
 * @param {{shards: number, standbys: number, natsServers: number, auctionServers: number, timelineServers: number}} count
 * @returns {Promise<{plan: Plan, moved: Claim | null}>} moved: what was taken, if the ports are not the usual ones
 */
export async function choosePorts(first, named, count) {
  let moved = null;
  for (let shift = 0; shift < TRIES * STEP; shift += STEP) {
    const ports = Object.entries(FLAGS).map(([flag, name]) => [name, named.has(flag) ? first[flag] : first[flag] + shift]);
    const plan = portPlan({ ...Object.fromEntries(ports), ...count });
    const all = claims(plan);
    refuseTwice(all);
    if (all.some(({ port }) => port > PORT_MAX)) break;
    const taken = await firstTaken(all);
    if (taken === undefined) return { plan, moved };
    if (named.has(taken.flag)) {
      throw new Problem(`Port ${taken.port} (${taken.owner}) is taken by another process. ${adviceFor(taken.flag)}`);
    }
    moved ??= taken;
  }
  throw new Problem(`Port ${moved?.port} (${moved?.owner}) is taken, and so are those tried in its place. ${adviceFor(moved?.flag)}`);
}
