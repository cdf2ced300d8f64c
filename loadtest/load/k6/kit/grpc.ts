// A visitor who calls a gateway directly: unary gRPC, by reflection, so that no proto file is needed. Each virtual user has one
// connection, opened by its first call.

import grpc from 'k6/net/grpc';
import { storm } from './data.ts';
import { outcomeOfGrpc } from './outcome.ts';
import type { Told } from './tell.ts';
import { authorization } from './token.ts';
import { PATIENCE_S } from './site.ts';

/** As in the gRPC contract; operations by name, as in hand-written calls. */
export interface Operation {
  key: string;
  /** "TopK.top" */
  name: string;
  arguments?: object[];
}

export const text = (value: string) => ({ text: value });
export const integer = (value: number) => ({ integer: value });
export const list = (items: object[]) => ({ list: { items } });

const client = new grpc.Client();
let connected = false;

/** A one-shot transaction. The gateway is chosen by the virtual user's number. */
export function transact(name: string, label: string, operations: Operation[]): Told {
  const at_ms = Date.now();
  try {
    if (!connected)
      client.connect(storm.gateways[__VU % storm.gateways.length]!.grpc, { plaintext: true, reflect: true, timeout: `${PATIENCE_S}s` });
    connected = true;
  } catch {
    return { at_ms, ms: Date.now() - at_ms, outcome: 'unknown' };
  }
  const { status } = client.invoke(
    'claret.v1.Claret/Transact',
    { label, operations },
    {
      tags: { name, kind: 'grpc' },
      timeout: `${PATIENCE_S}s`,
      discardResponseMessage: true,
      metadata: authorization,
    },
  );
  return { at_ms, ms: Date.now() - at_ms, outcome: outcomeOfGrpc(Number(status)) };
}
