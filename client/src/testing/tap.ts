// Tap: a transport that records each request that is sent, as "shard: operations, vote", and each reply, as "shard answers".

import { operationSpecs } from '../generated/handles.ts';
import type { Link, Transport } from '../transport/transport.ts';
import { claretService } from '../wire/contract.ts';

const { requestDeserialize, responseDeserialize } = claretService['Session']!;

/** code -> name without its type */
const NAMES = new Map([...operationSpecs.values()].map(({ code, name }) => [code, name.split('.')[1]!]));

export class Tap implements Transport {
  readonly seen: string[] = [];
  readonly #inner: Transport;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  open(address: string, handlers: Parameters<Transport['open']>[1]): Link {
    const shard = address.slice('shard-'.length);
    const link = this.#inner.open(address, {
      onFrame: (bytes) => {
        const { replies } = responseDeserialize(Buffer.from(bytes)) as { replies: { denied: unknown }[] };
        for (const { denied } of replies) this.seen.push(denied === null || denied === undefined ? `${shard} answers` : `${shard} denies`);
        handlers.onFrame(bytes);
      },
      onClose: (error) => handlers.onClose(error),
    });
    return {
      send: (bytes) => {
        const frame = requestDeserialize(Buffer.from(bytes)) as {
          requests: { operations: { code: number; intent: boolean }[]; prepare: unknown }[];
        };
        for (const { operations, prepare } of frame.requests) {
          const names = operations.map(({ code, intent }) => `${intent ? 'intent ' : ''}${NAMES.get(code)!}`);
          if (prepare !== null && prepare !== undefined) names.push('vote');
          this.seen.push(`${shard}: ${names.join(', ')}`);
        }
        return link.send(bytes);
      },
      close: () => link.close(),
    };
  }

  topology(address: string): ReturnType<Transport['topology']> {
    return this.#inner.topology(address);
  }

  close(): void {}
}
