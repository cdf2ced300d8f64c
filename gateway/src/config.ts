// The gateway's configuration: defaults < file < CLARET_* environment < flags, checked once at start.
//
// A setting is written `sessionLeaseMs` in the file, CLARET_SESSION_LEASE_MS in the environment and --session-lease-ms
// on the command line. Nothing else in the gateway reads the environment or the command line, but for CLARET_TRIAL_SECONDS (store/trial-seconds.ts).
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Type from 'typebox';
import type { Static } from 'typebox';
import Value from 'typebox/value';
import { FRAME_BYTES_MAX } from '@claret/client';
import { addressesOf, parseCluster, parseStandby, splitAddress, withDoor } from './cluster.ts';
import type { ClusterMember, GatewayAddresses } from './cluster.ts';
import { CONDITION_SETTINGS } from './condition-settings.ts';
import { trialSecondsOf } from './store/trial-seconds.ts';
import { isLoopback } from './token.ts';

const integer = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: value, minimum, maximum, description });
const milliseconds = (value: number, description: string, minimum = 1, maximum = 600_000) => integer(value, minimum, maximum, description);
const words = (value: string, description: string) => Type.String({ default: value, description });
const onOff = (value: boolean, description: string) => Type.Boolean({ default: value, description });
const KIB = 1024;
const MIB = 1024 * KIB;

/** Long enough that nobody guesses it; what a header can carry. */
const TOKEN = /^[\x21-\x7e]{16,256}$/;

/** Polling pays only with a CPU to spare: else those that poll keep those that work from running, the log's disk among them. */
const POLL_MICROSECONDS = 200;
const POLL_AS_FITS = -1;

/** What a crash may take: docs/operations.md. */
const DURABILITIES = ['sync', 'async', 'none'] as const;
const LOGS = ['local', 'jetstream'] as const;

/** In the published package: the dashboard, built. */
const PACKED_DASHBOARD = fileURLToPath(new URL('../dashboard', import.meta.url));

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const ConfigSchema = Type.Object(
  {
    shard: integer(0, 0, 255, 'number of the own shard, from 0'),
    cluster: words(
      '127.0.0.1:7401/127.0.0.1:7400',
      'GRPC/REST,GRPC/REST,…: addresses (host:port) of all shards in order; GRPC/REST/RESP of those whose gateway has a Redis door',
    ),
    dealtShards: integer(
      0,
      0,
      256,
      'number of the first shards in `cluster` among which the slots were dealt when the cluster was made; 0: all of them. Shards behind them join without slots, which then move to them. One for the whole cluster',
    ),
    standby: words(
      '',
      'GRPC/REST: own address (host:port) of a gateway beside those of the cluster, which waits for a shard without an owner; with log=jetstream. Then `shard` says nothing. GRPC/REST/RESP: with a Redis door',
    ),
    respPort: integer(
      0,
      0,
      65_535,
      'port of the Redis door, on the host of the own gRPC address; 0: the door is where `cluster` or `standby` says, and there is none if they name none',
    ),
    respRedirect: onOff(
      false,
      'Redis commands on keys of other shards are answered with MOVED, as clients of a Redis cluster expect; otherwise they are forwarded',
    ),
    bind: words('', 'host to listen on; empty: the host of the own address'),
    token: words(
      '',
      'secret of the cluster that gRPC, Redis clients, admin calls and records then need; empty: nobody is asked, and the own address must be a loopback address',
    ),
    adminToken: words(
      '',
      'secret that changes of the data types then need, and that permits everything else too; empty: `token` is enough. One for the whole cluster',
    ),
    dataDir: words('', 'directory of what must survive a restart; empty: .data/shard-N'),
    clusterName: Type.String({
      default: 'claret',
      minLength: 1,
      maxLength: 64,
      pattern: '^[\\w.-]+$',
      description: 'name of the cluster: data directories and gateways of another one are refused',
    }),
    durability: Type.Enum([...DURABILITIES], {
      default: 'sync',
      description:
        'sync: what was acknowledged survives a crash; async: a crash may take the last second; none: data lives in memory. One for the whole cluster',
    }),
    log: Type.Enum([...LOGS], {
      default: 'local',
      description: "local: the log is on this machine's disk; jetstream: it is replicated, on NATS servers (docs/operations.md)",
    }),
    nats: words('', 'host:port,host:port,…: the NATS servers of a replicated log'),
    natsToken: words('', 'token of the NATS servers; without one, or `natsOptions`, they must have loopback addresses'),
    natsOptions: words('', "file with NATS' own options of a connection, as JSON: `token`, `user`, `pass`, `creds` (a file), `tls`"),
    natsReplicas: integer(3, 1, 5, 'replicas of a replicated log; 1: on a single NATS server, and lost with it'),
    ownerLeaseMs: milliseconds(
      2_000,
      'with a replicated log: how long the owner of a shard may answer after it renewed its ownership; another gateway takes the shard a little later. One for the whole cluster',
      300,
      60_000,
    ),
    checkpointBytes: integer(64 * MIB, 4 * KIB, 1024 * MIB, 'a checkpoint is taken when a restart would replay more of the log'),
    checkpointMs: milliseconds(
      60_000,
      'and after so long, where a restart would replay more than 1 MiB or deleted records are still kept',
      100,
      86_400_000,
    ),
    logLevel: Type.Enum([...LOG_LEVELS], { default: 'info', description: 'least severe level logged' }),
    dashboardDir: words(existsSync(PACKED_DASHBOARD) ? PACKED_DASHBOARD : '', 'directory of the built dashboard, served at /; empty: none'),
    historyMs: integer(
      600_000,
      0,
      600_000,
      'where the dashboard is served: how much telemetry is kept, so that a page opens with it, in 24 MiB at most; 0: none',
    ),
    exitWithParent: onOff(false, 'shut down when standard input closes'),

    ...CONDITION_SETTINGS,

    sessionLeaseMs: milliseconds(5_000, 'a session silent for longer is lost', 100),
    phaseCapMs: milliseconds(5, 'how long a phase may let in newcomers while others wait'),
    woundDelayMs: milliseconds(1, 'an older transaction waits this long before it wounds a younger one across shards'),
    woundGraceMs: milliseconds(20, 'after a wound, how long the wounded may go on'),
    idleMs: milliseconds(1_000, 'an attempt silent for this long while someone waits for it is aborted', 10),
    warrantyTermMs: milliseconds(1_000, 'a promised result may be relied on for so long after its client was heard', 50, 5_000),
    warrantyFirmMsMax: milliseconds(3_000, 'for so long at most, caches of pages may rely on a promised result; 0: never', 0, 60_000),
    warrantyUsesMin: integer(
      8,
      0,
      1_000_000,
      'a promised result is worth while if each client that has it uses it so often; it is promised where the last quarter as many answers were the same; 0: always',
    ),
    pastMs: milliseconds(0, 'what a record was is kept for so long, for reads of the past; 0: it is not kept', 0, 3_600_000),
    pastBytes: integer(64 * MIB, MIB, 16_384 * MIB, 'changes that are kept for reads of the past take no more than about this'),
    pollMicroseconds: integer(
      POLL_AS_FITS,
      POLL_AS_FITS,
      1_000,
      `keep polling this long after a frame; 0: never; -1: ${POLL_MICROSECONDS}, where the host has more CPUs than the cluster has gateways on it, one more where there is a log`,
    ),
    frameBytesMax: integer(FRAME_BYTES_MAX, FRAME_BYTES_MAX, 16 * MIB, 'a frame larger than this ends its session'),
    outputBytesMax: integer(64 * MIB, 64 * KIB, 1024 * MIB, 'a session whose unread output grows beyond this is closed'),

    requestMs: milliseconds(
      10_000,
      'a REST request, its body included, must have arrived within this time; else 408, and the connection ends',
      100,
    ),
    bodyBytesMax: integer(MIB, KIB, 16 * MIB, 'largest REST body and unary gRPC message'),
    maxSkewMs: integer(
      5_000,
      100,
      3_600_000,
      'transactions over shards whose wall clocks are further apart than this, in ms, are refused with `clock_skew`',
    ),
    transactionMs: milliseconds(10_000, 'a one-shot transaction of REST or unary gRPC, retries included, takes no longer', 10),
    callCountMax: integer(
      2_048,
      1,
      100_000,
      'one-shot transactions and native operations (calls of `Execute`) of REST and unary gRPC at work at once; more are refused with `overloaded`',
    ),
    interactiveMs: milliseconds(10_000, 'default lifetime of an interactive REST transaction'),
    interactiveMsMax: milliseconds(60_000, 'longest lifetime of an interactive REST transaction'),
    interactiveCountMax: integer(1_000, 1, 100_000, 'interactive REST transactions open at once'),
    idempotencyMs: integer(
      600_000,
      1_000,
      86_400_000,
      'how long the answer to an Idempotency-Key, or to a `Transact` with an id, is kept after its commit',
    ),
    spikeDriver: words('', 'program that runs spikes (loadtest/load/spike/main.ts) for the laboratory; empty: there is none here'),
    killSwitch: words('', 'address at which the launcher kills the process of a shard on request, and starts it again; empty: nobody does'),
    siteUrls: Type.String({
      default: '',
      pattern: '^$|^(auctions|timelines)=https?://[^,\\s]+(,(auctions|timelines)=https?://[^,\\s]+)*$',
      description: 'auctions=URL,timelines=URL: where people reach the sites, for links from the dashboard; empty: it links to none',
    }),
    drainMs: milliseconds(2_000, 'at shutdown, how long open work may take to end', 0),
  },
  { additionalProperties: false },
);

export type Config = Static<typeof ConfigSchema>;

type OwnPlace = Pick<Config, 'standby' | 'cluster' | 'shard' | 'respPort'>;

/** The addresses at which this gateway is reached. */
export function ownAddresses({ standby, cluster, shard, respPort }: OwnPlace): GatewayAddresses {
  const { grpc, rest, resp } = standby === '' ? parseCluster(cluster)[shard]! : parseStandby(standby);
  return withDoor({ grpc, rest, resp }, respPort);
}
type Setting = keyof Config;

/** The configuration is wrong; the message says which setting, where it came from and what is allowed. */
export class ConfigError extends Error {}

export interface ConfigRequest {
  config: Config;
  printConfig: boolean;
  help: boolean;
}

const SETTINGS = Object.keys(ConfigSchema.properties) as Setting[];
const flagOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const envOf = (name: string) => `CLARET_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;

interface SettingSchema {
  type?: string;
  default: unknown;
  enum?: string[];
  description: string;
  minimum?: number;
  maximum?: number;
  /** of a name */
  maxLength?: number;
}
const schemaOf = (name: Setting) => ConfigSchema.properties[name] as unknown as SettingSchema;

export const DEFAULTS: Config = Object.freeze(Object.fromEntries(SETTINGS.map((name) => [name, schemaOf(name).default])) as Config);

/** Throws ConfigError. */
export function readConfig(args: string[], env: NodeJS.ProcessEnv): ConfigRequest {
  const flags = readFlags(args);
  const merged: Record<string, unknown> = { ...DEFAULTS };
  const origin: Record<string, string> = {};
  const take = (name: string, value: unknown, from: string) => {
    merged[name] = value;
    origin[name] = from;
  };
  const file = flags['config'] ?? env['CLARET_CONFIG'];
  if (typeof file === 'string') for (const [name, value] of readFile(file)) take(name, value, `${name} in ${file}`);
  for (const name of SETTINGS) {
    const fromEnv = env[envOf(name)];
    if (fromEnv !== undefined) take(name, parseText(name, fromEnv), envOf(name));
    const flag = flags[flagOf(name)];
    if (typeof flag === 'string') take(name, parseText(name, flag), `--${flagOf(name)}`);
  }
  const config = check(merged, origin);
  checkTrials(env);
  return { config, printConfig: flags['print-config'] === true, help: flags['help'] === true };
}

/** It is no setting, but a gateway would learn only from its first type that it cannot be read. */
function checkTrials(env: NodeJS.ProcessEnv): void {
  try {
    trialSecondsOf(env);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function readFlags(args: string[]): Record<string, string | boolean | undefined> {
  const options: Record<string, { type: 'string' | 'boolean' }> = {
    config: { type: 'string' },
    'print-config': { type: 'boolean' },
    help: { type: 'boolean' },
  };
  for (const name of SETTINGS) options[flagOf(name)] = { type: 'string' };
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values as Record<string, string | boolean | undefined>;
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function readFile(path: string): [string, unknown][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`cannot read the configuration file ${path}: ${(error as Error).message}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError(`${path} must hold a JSON object`);
  }
  const entries = Object.entries(parsed);
  const unknown = entries.find(([name]) => !Object.hasOwn(ConfigSchema.properties, name));
  if (unknown) throw new ConfigError(`${path}: there is no setting '${unknown[0]}'`);
  return entries;
}

// Text that is not of the setting's type is left as it is, for check() to complain about.
function parseText(name: Setting, text: string): unknown {
  const type = schemaOf(name).type;
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(1|true|on|yes)$/i.test(text)) return true;
  if (type === 'boolean' && /^(0|false|off|no)$/i.test(text)) return false;
  return text;
}

function check(merged: Record<string, unknown>, origin: Record<string, string>): Config {
  for (const name of SETTINGS) {
    const schema = ConfigSchema.properties[name];
    if (Value.Check(schema, merged[name])) continue;
    throw new ConfigError(`${origin[name] ?? name}: ${JSON.stringify(merged[name])} is not ${expectation(name)}`);
  }
  const config = merged as Config;
  if (config.interactiveMs > config.interactiveMsMax) {
    throw new ConfigError('interactiveMs must not be greater than interactiveMsMax');
  }
  let cluster;
  try {
    cluster = parseCluster(config.cluster, config.dealtShards);
  } catch (error) {
    throw new ConfigError(`${origin['cluster'] ?? 'cluster'}: ${(error as Error).message}`);
  }
  for (const name of ['token', 'adminToken'] as const) checkToken(config[name], origin[name] ?? name);
  checkLog(config, origin);
  const place = checkStandby(config, cluster, origin['standby'] ?? 'standby') ?? cluster[config.shard];
  if (place === undefined) {
    const size = `a cluster of ${cluster.length} (they count from 0)`;
    throw new ConfigError(`${origin['shard'] ?? 'shard'}: there is no shard ${config.shard} in ${size}`);
  }
  const own = checkDoor(place, config.respPort, origin['respPort'] ?? 'respPort');
  if (config.token === '') refuseOpenDoor(config.bind, own);
  if (config.pollMicroseconds === POLL_AS_FITS) {
    const hostOf = ({ grpc }: GatewayAddresses) => splitAddress(grpc).host;
    const neighbours = cluster.filter((member) => hostOf(member) === hostOf(own)).length;
    const busy = neighbours + (config.durability === 'none' ? 0 : 1);
    config.pollMicroseconds = availableParallelism() > busy ? POLL_MICROSECONDS : 0;
  }
  if (config.dataDir === '') config.dataDir = config.standby === '' ? `.data/shard-${config.shard}` : '.data/standby';
  return config;
}

/** Undefined if the gateway has its addresses in the cluster. */
function checkStandby({ standby, log }: Config, cluster: ClusterMember[], origin: string): GatewayAddresses | undefined {
  if (standby === '') return undefined;
  if (log !== 'jetstream') throw new ConfigError(`${origin}: only shards with a replicated log (log=jetstream) can be taken over`);
  try {
    const own = parseStandby(standby);
    const member = cluster.find((one) => addressesOf(one).some((address) => addressesOf(own).includes(address)));
    if (member !== undefined) throw new Error(`'${standby}' has an address of shard ${member.shard}`);
    return own;
  } catch (error) {
    throw new ConfigError(`${origin}: ${(error as Error).message}`);
  }
}

/** Returns the addresses with that of the door. */
function checkDoor(place: GatewayAddresses, respPort: number, origin: string): GatewayAddresses {
  try {
    return withDoor(place, respPort);
  } catch (error) {
    throw new ConfigError(`${origin}: ${(error as Error).message}`);
  }
}

function checkLog({ log, nats, natsToken, natsOptions, durability, clusterName }: Config, origin: Record<string, string>): void {
  if (log === 'local') {
    if (nats !== '') throw new ConfigError(`${origin['nats'] ?? 'nats'}: only a gateway with the setting log=jetstream uses NATS servers`);
    return;
  }
  const where = origin['log'] ?? 'log';
  if (nats === '') throw new ConfigError(`${where}: a replicated log needs the addresses of its NATS servers (the setting nats)`);
  if (durability !== 'sync') throw new ConfigError(`${origin['durability'] ?? 'durability'}: a replicated log has durability sync only`);
  if (clusterName.includes('.'))
    throw new ConfigError(`${origin['clusterName'] ?? 'clusterName'}: with a replicated log, the name takes no dot`);
  const open = hostsOf(nats, origin['nats'] ?? 'nats').find((host) => !isLoopback(host));
  if (open !== undefined && natsToken === '' && natsOptions === '')
    throw new ConfigError(
      `${origin['nats'] ?? 'nats'}: everybody who reaches ${open} could read and change the log: give the servers and all gateways a natsToken, or credentials in natsOptions`,
    );
}

function hostsOf(addresses: string, origin: string): string[] {
  try {
    return addresses.split(',').map((address) => splitAddress(address).host);
  } catch (error) {
    throw new ConfigError(`${origin}: ${(error as Error).message}`);
  }
}

// The token itself is not repeated: messages end in logs.
function checkToken(token: string, origin: string): void {
  if (token !== '' && !TOKEN.test(token))
    throw new ConfigError(`${origin}: a token has 16 to 256 visible ASCII characters, without spaces`);
}

function refuseOpenDoor(bind: string, own: GatewayAddresses): void {
  // The own address counts also where something else is listened on: it is where others are told to come.
  const hosts = [...(bind === '' ? [] : [bind]), ...addressesOf(own).map((address) => splitAddress(address).host)];
  const open = hosts.find((host) => !isLoopback(host));
  if (open === undefined) return;
  const wayOut = 'give all gateways of the cluster, and its clients, one CLARET_TOKEN, or use loopback addresses (127.0.0.1) alone';
  throw new ConfigError(`without a token everybody who reaches ${open} could read and change everything: ${wayOut}`);
}

function expectation(name: Setting): string {
  const { type, enum: choices, minimum, maximum, maxLength } = schemaOf(name);
  if (choices) return `one of ${choices.join(', ')}`;
  if (type === 'integer') return `an integer from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'on or off';
  if (name === 'siteUrls') return 'auctions=URL,timelines=URL, or one of them';
  if (maxLength !== undefined) return `1 to ${maxLength} letters, digits, '.', '-' or '_'`;
  return 'a text';
}

export function helpText(): string {
  const rows = SETTINGS.map((name) => {
    const { default: value, description } = schemaOf(name);
    return `  --${flagOf(name)} ${JSON.stringify(value)}\n      ${description}`;
  });
  return [
    'Usage: gateway [--config FILE] [--print-config] [settings]',
    'Each setting can also be given as CLARET_SETTING_NAME or in the JSON file as settingName. Defaults are shown.',
    ...rows,
  ].join('\n');
}
