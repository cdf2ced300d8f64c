// The Redis door of a process that serves a shard. The gateway's own code passes the bytes, keeps the links and runs what concerns several shards;
// what joins these is here (gateway/src/resp/door.ts, server.ts, app.ts).
import { LocalTransport, connect } from '@claret/client';
import type { LinkHandlers, Transport } from '@claret/client';
import { catalogue as coreCatalogue } from '@claret/core';
import { linkOf } from '@claret/gateway/resp/link.ts';
import { DoorLinks } from '@claret/gateway/resp/links.ts';
import { tellNodes } from '@claret/gateway/resp/nodes.ts';
import { runSpreads } from '@claret/gateway/resp/spreads.ts';
import { localShard } from '@claret/gateway/store/local-link.ts';
import type { PeerLink, ShardHost } from '@claret/gateway/store/shard-host.ts';
import type { Topology } from '@claret/gateway/topology.ts';
import { Catalogue } from '@claret/gateway/transaction/catalogue.ts';
import type { Network, StreamEnd } from '../network.ts';
import type { SimulatedNode } from '../node.ts';
import { SimulatedSocket } from './simulated-socket.ts';

const PORT = 7430;
const CONNECT_MS = 60_000;

/** `address`: of the process for clients of Claret */
export const doorOf = (address: string): string => `${address}:${PORT}`;

let known: Catalogue | undefined;
const catalogue = (): Catalogue => (known ??= new Catalogue(coreCatalogue()));

export interface SimulatedDoorOptions {
  node: SimulatedNode;
  network: Network;
  host: ShardHost;
  shard: number;
  topology: Topology;
  /** how long a transaction over several shards may take */
  timeoutMs: number;
  /** Watches what a client is answered. */
  judge<Link extends PeerLink>(link: Link): Link;
}

/** Lets Redis clients in, as soon as the process has a client of its own. REQUIRES: the process serves. */
export async function openDoor(options: SimulatedDoorOptions): Promise<void> {
  const { node, network, host, shard, topology, timeoutMs } = options;
  host.openDoor('', false);
  const links = new DoorLinks(host, Infinity, node, () => SimulatedSocket.create(network, node));
  tellNodes(topology, shard, host, links);
  const { grpc } = topology.members[shard]!;
  const describe = () => topology.describe();
  const elsewhere: Transport = {
    open: (address: string, { onFrame, onClose }: LinkHandlers) => {
      const end = network.open(node, address, { onFrame, onClose, onWritable: () => {} });
      return { send: (frame) => end.send(frame), close: () => end.close() };
    },
    topology: () => Promise.resolve(describe()),
    close: () => {},
  };
  const transport = new LocalTransport({ shards: new Map([[grpc, localShard(host)]]), topology: describe, elsewhere });
  const ground = { addresses: [grpc], name: `${node.name} own`, transport, environment: node };
  const claret = await connect({ ...ground, connectTimeoutMs: CONNECT_MS, timeoutMs });
  runSpreads(host.spreading, claret, catalogue());
  network.listeners.set(doorOf(node.name), { node, accept: (end) => accept(options, end) });
}

/** As gateway/src/resp/server.ts. */
function accept({ network, host, judge }: SimulatedDoorOptions, end: StreamEnd): void {
  if (end.closed) return;
  const socket = SimulatedSocket.of(network, end);
  const peer = host.connectResp(judge(linkOf(socket)), `${end.other.node.name}:1`, `${end.node.name}:${PORT}`);
  socket.on('data', (bytes) => host.receive(peer, bytes));
  socket.on('drain', () => host.writable(peer));
  socket.on('close', () => host.disconnect(peer));
}
