// The other gateways of the cluster, over gRPC: Session streams for the own shard, streams of the others' telemetry, their shards' backups,
// and unary calls (greetings, clocks, conditions, types). A connection is opened when it is first used. Once a shard has moved, the connection to its
// old address is to be forgotten: a gateway that stands still would keep the streams open.
import type { EventEmitter } from 'node:events';
import type { ShownWarranty } from '@claret/client/telemetry';
import { Client, Metadata, connectivityState, credentials } from '@grpc/grpc-js';
import type { MethodDefinition, ServiceError } from '@grpc/grpc-js';
import type { ShardBackup } from '../backup/shard-backup.ts';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import type { Greeting, GreetingAnswer } from '../store/agreement.ts';
import type { VersionedConditions } from '../store/cluster-conditions.ts';
import type { PeerLink } from '../store/shard-host.ts';
import type { ShardStreamHandlers } from '../store/shard-links.ts';
import type { PeerTypes } from '../store/cluster-types.ts';
import type { TelemetryStreamHandlers } from '../telemetry/peer-telemetry.ts';
import { RemoteShardBackup } from './backup.ts';
import type { WireAnswer, WireStep } from './backup.ts';
import { greetingAnswerFromWire, greetingToWire } from './greeting.ts';
import type { WireGreeting, WireGreetingAnswer } from './greeting.ts';
import { refusalIn } from './move.ts';
import type { WireMoveAnswer, WireMoveStep } from './move.ts';
import { CLIENT_OPTIONS } from './options.ts';
import { OF_ADMINS } from './guard.ts';
import { claretService } from './proto.ts';
import { messageFromWire } from './telemetry.ts';
import type { WireTelemetry } from './telemetry.ts';
import { remoteTypes } from './types.ts';
import { conditionsFromWire, conditionsToWire, type WireConditions } from './wire-conditions.ts';
import type { Tokens } from '../token.ts';

const CALL_TIMEOUT_MS = 2_000;
/** It is answered when it is durable there. */
const MOVE_TIMEOUT_MS = 5_000;

/** claret.v1.WarrantiesRequest in the loader's form */
export interface WireWarranties {
  key: string;
  recall: boolean;
}

export interface SetConditionsRequest {
  conditions: WireConditions | null;
  localOnly: boolean;
}

export class Peers {
  private readonly clients = new Map<string, Client>();
  /** the streams and calls that are open, by address */
  private readonly open = new Map<string, Set<Cancellable>>();
  private readonly metadata: Metadata;
  /** installed data types */
  readonly types: PeerTypes;

  constructor({ token, adminToken }: Tokens) {
    this.metadata = bearer(token);
    const admin = bearer(adminToken || token);
    this.types = remoteTypes((member, name, request, timeoutMs, problem, signal) =>
      this.call(member, name, request, timeoutMs, problem, OF_ADMINS.has(name) ? admin : this.metadata, signal),
    );
  }

  openSession(member: ClusterMember, { onFrame, onWritable, onClose }: ShardStreamHandlers): PeerLink {
    const method = claretService['Session']! as MethodDefinition<Buffer, Buffer>;
    const { path, requestSerialize, responseDeserialize } = method;
    const stream = this.client(member).makeBidiStreamRequest(path, requestSerialize, responseDeserialize, this.metadata);
    stream.on('data', onFrame);
    stream.on('drain', onWritable);
    onGone(stream, this.opened(member, stream, onClose));
    return {
      write: (frame) => stream.write(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)),
      end: () => stream.cancel(), // not a half-close: the core ends a stream whose peer is silent, which would not answer it
      destroy: () => stream.cancel(),
    };
  }

  /** Subscribes to that shard's telemetry; the returned function ends the subscription. */
  watchTelemetry(member: ClusterMember, { onMessage, onClose }: TelemetryStreamHandlers, isLive = true): () => void {
    const method = claretService['WatchTelemetry']! as MethodDefinition<object, WireTelemetry>;
    const { path, requestSerialize, responseDeserialize } = method;
    const stream = this.client(member).makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { background: !isLive },
      this.metadata,
    );
    stream.on('data', (message: WireTelemetry) => onMessage(messageFromWire(message)));
    onGone(stream, this.opened(member, stream, onClose));
    return () => stream.cancel();
  }

  /** Throws shard_unavailable. */
  async greet(member: ClusterMember, greeting: Greeting, timeoutMs = CALL_TIMEOUT_MS): Promise<GreetingAnswer> {
    return greetingAnswerFromWire(await this.call<WireGreeting, WireGreetingAnswer>(member, 'Greet', greetingToWire(greeting), timeoutMs));
  }

  /** The gateway's wall clock, in ms since the Unix epoch. Throws shard_unavailable. */
  async getClock(member: ClusterMember): Promise<number> {
    return (await this.call<object, { clockMs: number }>(member, 'GetTopology', {})).clockMs;
  }

  /** Begins a backup of that shard. */
  openShardBackup(member: ClusterMember): ShardBackup {
    const method = claretService['Backup']! as MethodDefinition<WireStep, WireAnswer>;
    const { path, requestSerialize, responseDeserialize } = method;
    const stream = this.client(member).makeBidiStreamRequest(path, requestSerialize, responseDeserialize, this.metadata);
    onGone(stream, this.opened(member, stream));
    return new RemoteShardBackup(`Shard ${member.shard} at ${member.grpc}`, stream);
  }

  /** Throws shard_unavailable. */
  async getConditions(member: ClusterMember): Promise<VersionedConditions> {
    return conditionsFromWire(await this.call<object, WireConditions>(member, 'GetConditions', {}));
  }

  /** Changes the conditions of that shard alone. Throws shard_unavailable. */
  async setConditions(member: ClusterMember, wanted: VersionedConditions): Promise<VersionedConditions> {
    const request = { conditions: conditionsToWire(wanted), localOnly: true };
    return conditionsFromWire(await this.call<SetConditionsRequest, WireConditions>(member, 'SetConditions', request));
  }

  /** The warranties of a record of that shard. Throws the refusals of the other gateway, and shard_unavailable. */
  async warranties(member: ClusterMember, key: string, recall: boolean): Promise<ShownWarranty[]> {
    const answer = await this.call<WireWarranties, { json: string }>(member, 'Warranties', { key, recall }, CALL_TIMEOUT_MS, refusalIn);
    return JSON.parse(answer.json) as ShownWarranty[];
  }

  /** No shard is at that address any more: breaks everything that is open there. */
  forget(address: string): void {
    this.clients.get(address)?.close();
    this.clients.delete(address);
    for (const call of [...(this.open.get(address) ?? [])]) call.cancel();
  }

  /** A step of a move of slots (grpc/move.ts). Throws the refusals of the other gateway, and shard_unavailable. */
  move(member: ClusterMember, step: WireMoveStep): Promise<WireMoveAnswer> {
    const method = claretService['Move']! as MethodDefinition<WireMoveStep, WireMoveAnswer>;
    const { path, requestSerialize, responseDeserialize } = method;
    const deadline = Date.now() + MOVE_TIMEOUT_MS;
    return new Promise((resolve, reject) => {
      const done = (error: ServiceError | null, answer?: WireMoveAnswer) =>
        error === null ? resolve(answer!) : reject(refusalIn(member, error));
      this.client(member).makeUnaryRequest(path, requestSerialize, responseDeserialize, step, this.metadata, { deadline }, done);
    });
  }

  close(): void {
    for (const client of this.clients.values()) client.close();
    this.clients.clear();
  }

  /** Notes a call until the returned function is called, once it is gone. */
  private opened(member: ClusterMember, call: Cancellable, onClose: () => void = () => {}): () => void {
    const { grpc } = member;
    const calls = this.open.get(grpc) ?? new Set();
    this.open.set(grpc, calls.add(call));
    return () => {
      calls.delete(call);
      if (calls.size === 0 && this.open.get(grpc) === calls) this.open.delete(grpc);
      onClose();
    };
  }

  private client(member: ClusterMember): Client {
    let client = this.clients.get(member.grpc);
    // A client that failed to connect refuses calls until its next try; the peer may be up by now, so it is replaced.
    if (client?.getChannel().getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE) {
      client.close();
      client = undefined;
    }
    if (!client) {
      client = new Client(member.grpc, credentials.createInsecure(), CLIENT_OPTIONS);
      this.clients.set(member.grpc, client);
    }
    return client;
  }

  private call<Q, A>(
    member: ClusterMember,
    name: string,
    request: Q,
    timeoutMs = CALL_TIMEOUT_MS,
    problem: (member: ClusterMember, error: ServiceError) => GatewayError = unanswered,
    metadata = this.metadata,
    signal?: AbortSignal,
  ): Promise<A> {
    const method = claretService[name]! as MethodDefinition<Q, A>;
    const deadline = Date.now() + timeoutMs;
    return new Promise((resolve, reject) => {
      const done = (error: ServiceError | null, answer?: A) => {
        gone();
        signal?.removeEventListener('abort', cancel);
        if (error === null) return resolve(answer!);
        reject(problem(member, error));
      };
      const { path, requestSerialize, responseDeserialize } = method;
      const client = this.client(member);
      const call = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, { deadline }, done);
      const gone = this.opened(member, call);
      const cancel = () => call.cancel();
      signal?.addEventListener('abort', cancel);
      if (signal?.aborted === true) cancel();
    });
  }
}

/** `token`: empty for none */
function bearer(token: string): Metadata {
  const metadata = new Metadata();
  if (token !== '') metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}

const unanswered = ({ shard, grpc }: ClusterMember, error: ServiceError): GatewayError =>
  new GatewayError('shard_unavailable', `Shard ${shard} at ${grpc} did not answer: ${error.details}.`);

interface Cancellable {
  cancel(): void;
}

/** Calls `listener` once, when the stream has ended. */
function onGone(stream: EventEmitter, listener: () => void): void {
  let open = true;
  const gone = () => {
    if (!open) return;
    open = false;
    listener();
  };
  stream.on('error', () => {}); // 'status' or 'close' follows
  // Both, since a call that the other side has ended stays open on this side, without a 'close'.
  stream.on('status', gone);
  stream.on('close', gone);
}
