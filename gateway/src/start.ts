// GatewayStart: the way from the configuration to a gateway that serves. A gateway of a replicated cluster first owns no shard: it follows the
// logs as a standby, until it takes a shard (replication/standby-gateway.ts). Any other one has its shard by configuration.
import { buildGateway, natsAccess, topologyOf } from './app.ts';
import { hostOptions } from './store/host-options.ts';
import type { Gateway, StartOptions } from './app.ts';
import { parseCluster } from './cluster.ts';
import { ownAddresses } from './config.ts';
import type { Config } from './config.ts';
import { approach, makeEntrances } from './entrances.ts';
import type { Entrances } from './entrances.ts';
import { StandbyGateway } from './replication/standby-gateway.ts';
import type { Seat } from './replication/standby-gateway.ts';
import type { RestListener } from './rest/listener.ts';
import { buildStandbyApp } from './rest/standby.ts';
import type { StandbyView } from './rest/standby.ts';
import { mirrorDir } from './store/data-dir.ts';
import type { Topology } from './topology.ts';

/** Another gateway has taken the shard during the start: this one has to start again. */
export class OwnerLost extends Error {
  override name = 'OwnerLost';
}

export class GatewayStart {
  private readonly config: Config;
  private readonly options: StartOptions & { listener: RestListener };
  private standby: StandbyGateway | undefined;
  private readonly topology: Topology;
  private entrances: Entrances | undefined;
  private isClosed = false;
  private isWaiting = true;

  /** `options.listener` listens already. */
  constructor(config: Config, options: StartOptions & { listener: RestListener }) {
    this.config = config;
    this.options = options;
    this.topology = topologyOf(config, true);
  }

  /** Undefined: it was closed. Throws LogRefused, LogDamaged, OwnerLost. */
  async run(): Promise<Gateway | undefined> {
    if (this.config.log !== 'jetstream') return buildGateway(this.config, this.options);
    const entrances = (this.entrances = await makeEntrances(this.config, this.options.listener, this.topology));
    const seat = await this.seat(entrances);
    this.isWaiting = false;
    if (seat === undefined) return undefined;
    entrances.grpc.hold();
    try {
      const { shard, owner } = seat.ownership;
      // Known to this gateway before it has heard of it.
      this.topology.take([{ shard, ...owner }], seat.directory.standbys);
      return await buildGateway({ ...this.config, shard }, { ...this.options, seat, topology: this.topology, entrances });
    } catch (error) {
      // A later owner shuts this one out of the log, and removes what this one has yet to read.
      const isHeld = await seat.ownership.isHeld();
      await seat.leave();
      throw isHeld ? error : new OwnerLost(`another gateway has taken the shard: ${(error as Error).message}`);
    }
  }

  /** For a gateway that does not serve yet. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.standby?.close();
    this.entrances?.grpc.close();
    this.entrances?.peers.close();
    await this.entrances?.door?.close();
  }

  private async seat({ grpc, peers, door }: Entrances): Promise<Seat | undefined> {
    const { config } = this;
    const { listener } = this.options;
    const { clusterName, natsReplicas: replicas, ownerLeaseMs: leaseMs, dataDir } = config;
    const members = parseCluster(config.cluster, config.dealtShards);
    const own = ownAddresses(config);
    const standby = await StandbyGateway.open({
      access: natsAccess(config),
      replicas,
      clusterName,
      leaseMs,
      addresses: own,
      preferred: config.standby === '' ? config.shard : undefined,
      shards: members.length,
      dealt: config.dealtShards || members.length,
      hostOptions: (shard) => hostOptions({ ...config, shard }, 0),
      mirrorDir: (shard) => mirrorDir(dataDir, shard),
      logger: listener.log,
    });
    this.standby = standby;
    if (this.isClosed) await standby.close();
    const { directory } = standby;
    const view: StandbyView = {
      follows: () => standby.follows,
      // Not itself, while it takes a shard.
      owners: () => directory.presentOwners.map(({ rest }) => rest).filter((rest) => rest !== own.rest),
      isWhole: () => directory.presentOwners.length >= members.length,
    };
    const app = buildStandbyApp(view, listener);
    await app.ready();
    listener.handOverTo(app);
    // Follows the owners and the standbys, and tells clients of them.
    directory.onChange = () => {
      this.topology.take(directory.owners, directory.standbys);
      if (this.isWaiting)
        approach(
          peers,
          this.topology,
          directory.presentOwners.map(({ shard }) => shard),
        );
    };
    directory.onChange();
    await grpc.listen(own.grpc, config.bind);
    await door?.listen();
    listener.log.info('standby: waiting for a shard without an owner');
    return standby.succeed();
  }
}
