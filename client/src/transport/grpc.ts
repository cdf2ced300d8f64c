// Frames over gRPC: one bidirectional stream per link, raw Buffers both ways (identity serializers), one HTTP/2
// connection per gateway.

import { Client, Metadata, credentials, status, type ChannelOptions, type ServiceError } from '@grpc/grpc-js';
import { ClaretError, codes } from '../errors.ts';
import type { TopologyDescription } from '../topology.ts';
import type { Link, LinkHandlers, Transport } from '../transport.ts';
import { claretService } from '../wire/contract.ts';

const UNARY_DEADLINE_MS = 5_000;
/** For the last frames to leave. */
const CLOSE_GRACE_MS = 500;

const channelOptions: ChannelOptions = {
  // The limit on frames is the shard's own.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  // The session has a backoff of its own; the channel's default would add up to two minutes.
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.min_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

// grpc-js wants the time of day; a simulation does not come here.
function deadlineIn(ms: number): Date {
  return new Date(Date.now() + ms);
}

/** What asking again would not change, as what it is. */
function refusalOr(error: ServiceError, address: string): Error {
  if (error.code !== status.UNAUTHENTICATED) return error;
  return new ClaretError({ code: codes.unauthenticated, message: `The gateway at ${address} refused: ${error.details}` });
}

const identity = (bytes: Buffer): Buffer => bytes;

export class GrpcTransport implements Transport {
  readonly #clients = new Map<string, Client>();
  readonly #metadata = new Metadata();

  /** `token`: the cluster's, empty for none */
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
      // grpc-js copies a message only later: the writer never touches a frame again.
      send: (bytes) => open && call.write(bytes as Buffer),
      close: () => {
        if (!open) return;
        open = false;
        call.end();
        // A gateway that has fallen silent would keep the stream, and this process, for ever.
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
          if (error !== null || answer === undefined) return reject(error === null ? new Error('no answer') : refusalOr(error, address));
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
