// Mode "unary": one gRPC call `Transact` for each operation, over one connection, as a program with a plain gRPC client would. The
// bytes are encoded and decoded by hand, so that only the call is measured.

import { Client, credentials } from '@grpc/grpc-js';
import { operationSpecs } from '@claret/client';
import { writeOperation } from '@claret/client/wire/client-frame.ts';
import { Reader } from '@claret/client/wire/reader.ts';
import { FrameWriter, LENGTH } from '@claret/client/wire/writer.ts';
import type { Load } from '../../kit/closed-loop.ts';
import type { Operations } from './operations.ts';

const TRANSACT = '/claret.v1.Claret/Transact';
const OPERATION = 2;
const COMMITTED_AT = 2;
const ADD = operationSpecs.get('Counter.add')!;
const VALUE = operationSpecs.get('Counter.value')!;

const asIs = (bytes: Buffer): Buffer => bytes;

export function unaryLoad(address: string, operations: Operations): Load {
  const client = new Client(address, credentials.createInsecure());
  const writer = new FrameWriter();
  const reader = new Reader();
  return {
    begin(done) {
      const { key, adds } = operations.next();
      writer.tag(1, LENGTH);
      writer.text('bench');
      writeOperation(writer, OPERATION, adds ? { spec: ADD, key, args: [1] } : { spec: VALUE, key, args: [] });
      client.makeUnaryRequest(TRANSACT, asIs, asIs, writer.take() as Buffer, (error, answer) => {
        if (error !== null) throw error;
        if (!isCommitted(reader, answer!)) throw new Error('an answer without a commit timestamp');
        done();
      });
    },
    close: () => client.close(),
  };
}

function isCommitted(reader: Reader, answer: Uint8Array): boolean {
  let committed = false;
  reader.reset(answer);
  for (let field = reader.tag(); field !== 0; field = reader.tag()) {
    committed ||= field === COMMITTED_AT;
    reader.skip();
  }
  return committed;
}
