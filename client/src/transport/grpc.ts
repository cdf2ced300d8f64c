// GrpcTransport: frames over gRPC. Each link is one bidirectional stream of raw Buffers (the serializers are identities). All links
// to a gateway share one HTTP/2 connection.

import { Client, Metadata, credentials, status, type ChannelOptions, type ServiceError } from '@grpc/grpc-js';
import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { TopologyDescription } from '../topology/topology.ts';
import { claretService } from '../wire/contract.ts';
import type { Link, LinkHandlers, Transport } from './transport.ts';

const UNARY_DEADLINE_MS = 5_000;
/** Time for the last frames to be sent. */
const CLOSE_GRACE_MS = 500;

const channelOptions: ChannelOptions = {
  // The shard limits the length of frames itself.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  // The session has its own backoff. The channel's default would add up to two minutes.
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.min_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

// grpc-js takes the time of day. A simulation does not use this transport, so the real clock does no harm.
function deadlineIn(ms: number): Date {
  return new Date(Date.now() + ms);
}

/** The error in words, as a ClaretError if a retry could not succeed. */
function inWords({ code, details }: ServiceError, address: string): Error {
  if (code === status.UNAUTHENTICATED) {
    return new ClaretError({ code: codes.unauthenticated, message: `The gateway at ${address} refused: ${details}` });
  }
  const [, reason = details] = LAST_ERROR.exec(details) ?? [];
  if (reason !== 'Protocol error') return new Error(reason);
  const message = `What listens at ${address} does not speak gRPC: connect takes the gRPC addresses of gateways, not those for REST or Redis`;
  return new ClaretError({ code: codes.shardUnavailable, message });
}

/** What grpc-js says of a connection that it could not make. */
const LAST_ERROR = /Last error: (?:Error: )?(.*?)(?: \(\d{4}-[^)]*\))?\. Resolution note/;

const identity = (bytes: Buffer): Buffer => bytes;

export class GrpcTransport implements Transport {
  readonly #clients = new Map<string, Client>();
  readonly #metadata = new Metadata();

  /** @param token the cluster's, empty for none */
  constructor(token = '') {
    if (token !== '') this.#metadata.set('authorization', `Bearer ${token}`);
  }

  open(address: string, handlers: LinkHandlers): Link {
    const call = this.#client(address).makeBidiStreamRequest<Buffer, Buffer>(
      claretService['Session']!.path,
      identity,
      identity,
      this.#metadata,
    );
    let open = true;
    const close = (error?: Error) => {
      if (!open) return;
      open = false;
      handlers.onClose(error);
    };
    call.on('data', (bytes: Buffer) => {
      if (open) handlers.onFrame(bytes);
    });
    call.on('error', close);
    call.on('end', () => close());
    return {
      // grpc-js copies a message later. That is safe, since the writer never touches a frame again.
      send: (bytes) => open && call.write(bytes as Buffer),
      close: () => {
        if (!open) return;
        open = false;
        call.end();
        // A silent gateway would otherwise keep the stream, and this process, alive for ever.
        setTimeout(() => call.cancel(), CLOSE_GRACE_MS).unref();
      },
    };
  }

  topology(address: string): Promise<TopologyDescription> {
    const method = claretService['GetTopology']!;
    return new Promise((resolve, reject) => {
      this.#client(address).makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        {},
        this.#metadata,
        { deadline: deadlineIn(UNARY_DEADLINE_MS) },
        (error, answer) => {
          if (error !== null || answer === undefined) return reject(error === null ? new Error('no answer') : inWords(error, address));
          const topology = answer as Omit<TopologyDescription, 'version'> & { version: string };
          resolve({ ...topology, version: Number(topology.version) });
        },
      );
    });
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  #client(address: string): Client {
    let client = this.#clients.get(address);
    if (client === undefined) {
      client = new Client(address, credentials.createInsecure(), channelOptions);
      this.#clients.set(address, client);
    }
    return client;
  }
}
