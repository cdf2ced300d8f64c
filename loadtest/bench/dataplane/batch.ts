// Mode "batch": the Claret client as an application uses it: one `transact` and one promise for each operation. All operations of
// one turn of the event loop are sent in one frame.

import { connect } from '@claret/client';
import type { Load } from '../../kit/closed-loop.ts';
import type { Operations } from './operations.ts';

export async function batchLoad(address: string, operations: Operations, pollMicroseconds: number): Promise<Load> {
  const claret = await connect({ addresses: [address], name: 'bench', pollMicroseconds });
  return {
    begin(done) {
      const { key, adds } = operations.next();
      const counter = claret.on.counter(key);
      void claret.transact('bench', [adds ? counter.add(1) : counter.value()]).then(done);
    },
    close: () => claret.close(),
  };
}
