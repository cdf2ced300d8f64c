// A standby waits for an owner as long as the caller does.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';
import { DEFAULTS } from '../config.ts';
import { RestListener } from './listener.ts';
import { buildStandbyApp } from './standby.ts';

/** Longer than the limit that the library sets by itself. */
const SLOW_MS = 11_000;

test('an answer that takes long to begin is passed on, such as a backup', async () => {
  const [grpc, port, slow] = await freePorts(3);
  const server = createServer((_request, response) => void setTimeout(() => response.end('late'), SLOW_MS)).listen(slow, '127.0.0.1');
  await once(server, 'listening');
  const rest = `127.0.0.1:${port}`;
  const listener = new RestListener({ ...DEFAULTS, cluster: `127.0.0.1:${grpc}/${rest}`, logLevel: 'silent' });
  const app = buildStandbyApp({ owners: () => [`127.0.0.1:${slow}`], follows: () => [], isWhole: () => true }, listener);
  try {
    await app.ready();
    listener.handOverTo(app);
    await listener.listen();
    const answer = await fetch(`http://${rest}/v1/admin/backup`);
    expect([answer.status, await answer.text()]).toEqual([200, 'late']);
  } finally {
    listener.closeAll();
    await listener.close();
    server.closeAllConnections();
    server.close();
  }
});
