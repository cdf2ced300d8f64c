// SimulatedGateway: a gateway of a cluster with a replicated log, on a machine of its own. Each of its starts is a standby first, which
// follows the logs and takes a shard that has no owner; then it serves that shard until it dies, or another gateway has the shard. All of
// that is the gateway's own code, around the real core. Only what joins its parts is here (gateway/src/start.ts, app.ts, store/durable-shard.ts).
import { StandbyGateway } from '@claret/gateway/replication/standby-gateway.ts';
import type { Seat } from '@claret/gateway/replication/standby-gateway.ts';
import { FollowedShard } from '@claret/gateway/replication/followed-shard.ts';
import { LogDamaged, LogRefused, REFUSALS } from '@claret/gateway/log/log.ts';
import type { CommonLogOptions, LogTrouble, OpenedLog } from '@claret/gateway/log/log.ts';
import { NoAnswer } from '@claret/gateway/replication/testing/model-servers.ts';
import { openLogOnNats } from '@claret/gateway/log/jetstream/open-jetstream-log.ts';
import { Checkpointer } from '@claret/gateway/store/checkpointer.ts';
import { pause } from '@claret/gateway/store/environment.ts';
import { ShardHost } from '@claret/gateway/store/shard-host.ts';
import type { PeerLink, ShardHostOptions } from '@claret/gateway/store/shard-host.ts';
import { ShardLinks } from '@claret/gateway/store/shard-links.ts';
import type { Topology } from '@claret/gateway/topology.ts';
import type { TopologyDescription } from '@claret/client';
import type { Chance } from '../../../kit/random.ts';
import type { Clocked } from '../clocks.ts';
import { topologyOf } from '../members.ts';
import { doorOf, openDoor } from '../doors/simulated-door.ts';
import { MovingPart } from '../moves/moving-part.ts';
import type { StreamEnd } from '../network.ts';
import { SimulatedNode } from '../node.ts';
import { linkTo } from '../shard-server.ts';
import { TypesPart } from '../types/types-part.ts';
import { MemoryMirror } from './memory-mirror.ts';
import type { ReplicatedGround, Serving } from './ground.ts';

type Opened = Omit<OpenedLog, 'kept'>;

export const CLUSTER = 'sim';
const REPLICAS = 3;
/** From the end of a process to the next start, where nothing else is said. */
const AGAIN_MS: readonly [number, number] = [5, 200];
/** A start reads checkpoints in pieces of about this size. */
const PIECE_BYTES = [100, 2_000, 50_000];
/** other gateways are asked for so long before it serves (app.ts) */
const GREETED_WITHIN_MS = 100;
/** limits of a shutdown (store/durable-shard.ts) */
const LAST_CHECKPOINT_MS = 3_000;
const LAST_WRITE_MS = 500;

const quiet = () => {};
const LOGGER = { info: quiet, warn: quiet, error: quiet };

export class SimulatedGateway implements Clocked {
  readonly number: number;
  readonly address: string;
  /** a process is running */
  up = false;
  /** null: it is down, or a standby */
  serving: Serving | null = null;
  node!: SimulatedNode;
  skewMs: number;
  onSetClock: () => void = () => {};
  readonly #ground: ReplicatedGround;
  readonly #chance: Chance;
  /** the shard that the configuration gives to it; undefined: none */
  readonly #preferred: number | undefined;
  #leave: Seat['leave'] = () => Promise.resolve();
  #isStopping = false;

  constructor(ground: ReplicatedGround, chance: Chance, number: number, preferred: number | undefined, skewMs: number) {
    this.#ground = ground;
    this.#chance = chance;
    this.number = number;
    this.#preferred = preferred;
    this.skewMs = skewMs;
    this.address = `gateway-${number}`;
  }

  start(): void {
    if (this.up) return;
    const { world } = this.#ground;
    this.up = true;
    const node = new SimulatedNode(world, this.address, this.#chance.fork());
    node.skewMs = this.skewMs;
    this.node = node;
    world.note(`${this.address} starts`);
    void this.#run(node).catch((error: unknown) => this.#onFailed(node, error));
  }

  async #run(node: SimulatedNode): Promise<void> {
    const { world, leaseMs, shards, dealt, entries, streams, createShard } = this.#ground;
    const haveDoors = this.#ground.doorsTimeoutMs !== undefined;
    const addresses = { grpc: this.address, rest: this.address, ...(haveDoors && { resp: doorOf(this.address) }) };
    const standby = new StandbyGateway(
      { replicas: REPLICAS, clusterName: CLUSTER, leaseMs, addresses, preferred: this.#preferred, shards, dealt, logger: LOGGER },
      {
        environment: node,
        entries: entries.from(node),
        connect: () => Promise.resolve(streams.connect(node)),
        createMirror: () => Promise.resolve(this.#mirror()),
        createShard: (shard) => new FollowedShard(this.#hostOptions(shard, 0), { environment: node, createShard }),
      },
    );
    const seat = (await standby.succeed())!;
    const { shard, owner } = seat.ownership;
    world.note(`${this.address} owns shard ${shard} as ${owner.incarnation}`);
    this.#leave = seat.leave;
    try {
      await this.#open(node, seat);
    } catch (error) {
      if (await seat.ownership.isHeld()) throw error;
      this.#end('has lost its shard');
    }
  }

  #hostOptions(shard: number, incarnation: number): ShardHostOptions {
    const { hostOptions, conditions } = this.#ground;
    return { ...hostOptions, conditions, shard, incarnation, digestKey: this.node.key };
  }

  #mirror(): MemoryMirror {
    return new MemoryMirror(this.#chance.pick(PIECE_BYTES));
  }

  /** As DurableShard.open. */
  async #open(node: SimulatedNode, seat: Seat): Promise<void> {
    const { shard, owner } = seat.ownership;
    const { dealt: shards, rebaseBytesLeast } = this.#ground;
    let early: LogTrouble | null = null;
    let onTrouble: CommonLogOptions['onTrouble'] = (trouble) => void (early = trouble);
    const common = {
      clusterName: CLUSTER,
      shard,
      shards,
      incarnation: owner.incarnation,
      knownId: owner.log || undefined,
      rebaseBytesLeast,
      onTrouble: (trouble: LogTrouble | null) => onTrouble(trouble),
    };
    const taken = await seat.follower?.takeOver(common);
    if (taken !== undefined) taken.shard.start(taken.opened.log, seat.ownership);
    const { host, opened } =
      taken === undefined ? await this.#restore(node, seat, common) : { host: taken.shard.host, opened: taken.opened };
    if (!node.alive) return; // it died in the turn in which all of this was there
    const serving = this.#serve(node, seat, host, opened);
    onTrouble = (trouble) => this.#onTrouble(serving, trouble);
    if (early !== null) this.#onTrouble(serving, early);
  }

  /** Opens the log and reads it. */
  async #restore(
    node: SimulatedNode,
    { ownership }: Seat,
    common: CommonLogOptions & { knownId: string | undefined; rebaseBytesLeast: number },
  ): Promise<{ host: ShardHost; opened: Opened }> {
    const { streams, createShard } = this.#ground;
    const nats = streams.connect(node);
    const { kept, ...opened } = await openLogOnNats({
      ...common,
      nats,
      replicas: REPLICAS,
      createMirror: () => Promise.resolve(this.#mirror()),
    });
    const host = new ShardHost(this.#hostOptions(common.shard, common.incarnation), {
      environment: node,
      log: opened.log,
      answersUntilMs: () => ownership.untilMs,
      wallMsLeast: () => ownership.wallMsLeast,
      createShard,
    });
    for await (const piece of kept) {
      if ('checkpoint' in piece) host.restoreCheckpoint(piece.checkpoint);
      else host.restore(piece.entries);
    }
    host.restored();
    return { host, opened };
  }

  #serve(node: SimulatedNode, { ownership, directory }: Seat, host: ShardHost, { log, id }: Opened): Serving {
    const {
      world,
      network,
      conditions,
      onServing,
      checkpoints,
      doorsTimeoutMs,
      moves: settings,
      partAt,
      onMoved,
      haveTypes,
      typesAt,
    } = this.#ground;
    const { shard, owner } = ownership;
    ownership.onRenewed = () => host.leaseRenewed();
    ownership.onLost = () => this.#end('has lost its shard');
    void ownership.setLog(id);
    host.setConditions(conditions);
    const checkpointer = new Checkpointer({ host, log, environment: node, limits: checkpoints });
    checkpointer.start();
    const haveDoors = doorsTimeoutMs !== undefined;
    const topology = topologyOf(this.#ground.addresses.slice(0, this.#ground.shards), this.#ground.dealt, true, haveDoors);
    const take = () => topology.take([...directory.owners, { shard, ...owner }], directory.standbys);
    directory.onChange = take;
    take();
    this.#link(node, host, topology);
    const isOwner = () => node.monotonicMs() < ownership.untilMs;
    const moving = settings && new MovingPart({ node, network, shard, host, topology, settings, partAt, onMoved, isOwner });
    const types = haveTypes ? new TypesPart({ node, network, shard, host, members: topology.members, partAt: typesAt }) : undefined;
    const serving = { shard, incarnation: owner.incarnation, host, log, ownership, checkpointer, topology, moving, types };
    this.serving = serving;
    world.note(`${this.address} serves shard ${shard}`);
    onServing(serving);
    const listen = () => this.#listen(node, serving);
    if (types === undefined) listen();
    else void Promise.race([types.types.join(), pause(node, GREETED_WITHIN_MS)]).then(listen);
    return serving;
  }

  #listen(node: SimulatedNode, serving: Serving): void {
    const { network, doorsTimeoutMs: timeoutMs } = this.#ground;
    const { shard, host, topology, moving } = serving;
    // It may be about to end.
    if (this.serving !== serving || this.#isStopping) return;
    network.listeners.set(this.address, { node, accept: (end) => this.#accept(host, end) });
    moving?.begin();
    if (timeoutMs !== undefined) void openDoor({ node, network, host, shard, topology, timeoutMs, judge: (link) => this.#judged(link) });
  }

  /** The streams to other shards. Those to an address that no shard has any more are broken, as by grpc/peers.ts. */
  #link(node: SimulatedNode, host: ShardHost, topology: Topology): void {
    const { network } = this.#ground;
    const open = new Set<{ address: string; end: StreamEnd; onClose: () => void }>();
    new ShardLinks(
      host,
      (shard, { onFrame, onWritable, onClose }) => {
        const address = topology.members[shard]!.grpc;
        const gone = () => {
          open.delete(opened);
          onClose();
        };
        const opened = { address, end: network.open(node, address, { onFrame, onWritable, onClose: gone }), onClose: gone };
        open.add(opened);
        return this.#judged(linkTo(opened.end, gone));
      },
      node,
    );
    topology.movedListeners.add((_member, previous) => {
      for (const { address, end, onClose } of open) if (address === previous) linkTo(end, onClose).destroy();
    });
  }

  // Like gateway/src/grpc/session.ts with a gRPC stream.
  #accept(host: ShardHost, end: StreamEnd): void {
    if (end.closed) return;
    const gone = () => host.disconnect(peer);
    const peer = host.connect(this.#judged(linkTo(end, gone)));
    end.handlers = { onFrame: (frame) => host.receive(peer, frame), onWritable: () => host.writable(peer), onClose: gone };
  }

  #judged<Link extends PeerLink>(link: Link): Link {
    const write = (frame: Uint8Array): boolean => {
      this.#ground.onAnswer(this);
      return link.write(frame);
    };
    return { ...link, write };
  }

  /** As DurableShard. */
  #onTrouble({ host, checkpointer }: Serving, trouble: LogTrouble | null): void {
    this.#ground.world.note(`${this.address}: ${trouble === null ? 'the log is well again' : trouble.kind}`);
    if (trouble?.kind === 'failed') {
      if (trouble.code !== 'another_writer') this.#ground.blame('log', `${this.address}: ${trouble.message}`);
      return this.#end(`has ${trouble.code}`);
    }
    host.refuseChanges(trouble && REFUSALS[trouble.kind]);
    checkpointer.stall(trouble && new Error('there is no checkpoint'));
  }

  /** A start, or what it runs, has failed. */
  #onFailed(node: SimulatedNode, error: unknown): void {
    if (node !== this.node || !this.up) return;
    const { message, stack } = error as Error;
    if (error instanceof LogDamaged) this.#ground.blame('log', `${this.address}: ${message}`);
    else if (!(error instanceof LogRefused || error instanceof NoAnswer)) this.#ground.blame('thrown', stack ?? message);
    this.#end('is refused'); // the message may name a log, and these names are random
  }

  /** The process ends by itself, and is started again. */
  #end(why: string): void {
    this.#ground.world.note(`${this.address} ${why}`);
    this.crashAndStart(this.#chance.between(...AGAIN_MS));
  }

  describe(): TopologyDescription {
    return this.serving!.topology.describe();
  }

  /** Shuts down, and starts again. REQUIRES: it serves. */
  async stop(downMs: number): Promise<void> {
    const { node, serving } = this;
    const { world } = this.#ground;
    if (this.#isStopping) return;
    this.#isStopping = true;
    const { host, log, checkpointer } = serving!;
    world.note(`${this.address} shuts down`);
    const within = (ms: number, work: Promise<void>) => Promise.race([work.catch(() => {}), pause(node, ms)]);
    this.#stopListening();
    await within(LAST_CHECKPOINT_MS, checkpointer.checkpoint({ hurry: true }));
    host.close();
    checkpointer.close();
    await within(LAST_WRITE_MS, log.close());
    await this.#leave();
    if (node === this.node) this.crashAndStart(downMs);
  }

  #stopListening(): void {
    for (const address of [this.address, doorOf(this.address)]) this.#ground.network.listeners.delete(address);
  }

  /** The process dies, whatever it is doing. */
  crash(): void {
    if (!this.up) return;
    const { world, network, streams } = this.#ground;
    world.note(`${this.address} ends`);
    this.up = this.#isStopping = false;
    this.serving = null;
    this.node.alive = false;
    this.#stopListening();
    network.died(this.node);
    streams.forget(this.node);
  }

  crashAndStart(downMs: number): void {
    this.crash();
    this.#ground.world.after(downMs, () => this.start());
  }

  setSkew(skewMs: number): void {
    this.onSetClock();
    this.skewMs = skewMs;
    this.node.skewMs = skewMs;
  }

  setSkewed(shards: number[]): void {
    this.serving?.host.setSkewed(shards);
  }
}
