// The other gateways of the cluster, reached over gRPC: Session streams that the own shard wants, and the calls that set
// the conditions of all shards. Connections are opened when first used.
import { Client, credentials } from '@grpc/grpc-js';
import type { MethodDefinition, ServiceError } from '@grpc/grpc-js';
import type { Conditions } from '@claret/core';
import type { ClusterMember } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import type { PeerLink } from '../store/shard-host.ts';
import type { ShardStreamHandlers } from '../store/shard-links.ts';
import { CLIENT_OPTIONS } from './options.ts';
import { claretService } from './proto.ts';

const CALL_TIMEOUT_MS = 2_000;

export interface SetConditionsRequest {
  conditions: Conditions;
  localOnly: boolean;
}

export class Peers {
  private readonly clients = new Map<string, Client>();

  openSession(member: ClusterMember, { onFrame, onWritable, onClose }: ShardStreamHandlers): PeerLink {
    const method = claretService['Session']! as MethodDefinition<Buffer, Buffer>;
    const { path, requestSerialize, responseDeserialize } = method;
    const stream = this.client(member).makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
    stream.on('data', onFrame);
    stream.on('drain', onWritable);
    stream.on('error', () => {}); // 'close' follows
    stream.on('close', onClose);
    return {
      write: (frame) => stream.write(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)),
      end: () => stream.cancel(), // the core ends a stream whose other end is silent: it would not answer an end either
      destroy: () => stream.cancel(),
    };
  }

  /** Throws shard_unavailable. */
  getConditions(member: ClusterMember): Promise<Conditions> {
    return this.call<object, Conditions>(member, 'GetConditions', {});
  }

  /** Of that shard alone. Throws shard_unavailable. */
  setConditions(member: ClusterMember, conditions: Conditions): Promise<Conditions> {
    return this.call<SetConditionsRequest, Conditions>(member, 'SetConditions', { conditions, localOnly: true });
  }

  close(): void {
    for (const client of this.clients.values()) client.close();
    this.clients.clear();
  }

  private client(member: ClusterMember): Client {
    let client = this.clients.get(member.grpc);
    if (!client) {
      client = new Client(member.grpc, credentials.createInsecure(), CLIENT_OPTIONS);
      this.clients.set(member.grpc, client);
    }
    return client;
  }

  private call<Q, A>(member: ClusterMember, name: string, request: Q): Promise<A> {
    const method = claretService[name]! as MethodDefinition<Q, A>;
    const deadline = Date.now() + CALL_TIMEOUT_MS;
    return new Promise((resolve, reject) => {
      const done = (error: ServiceError | null, answer?: A) => {
        if (error === null) return resolve(answer!);
        const who = `Shard ${member.shard} at ${member.grpc}`;
        reject(new GatewayError('shard_unavailable', `${who} did not answer: ${error.details}.`));
      };
      const { path, requestSerialize, responseDeserialize } = method;
      this.client(member).makeUnaryRequest(path, requestSerialize, responseDeserialize, request, { deadline }, done);
    });
  }
}
