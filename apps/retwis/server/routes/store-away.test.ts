// While the store is unavailable, every request is answered quickly, and the site recovers by itself.
import { inProcessCluster } from '@claret/client/testing';
import { problemIn } from '@claret/site/testing/problem.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { expect, test, vi } from 'vitest';

import { ERROR_STATUS } from '../api.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';

test('Without the store each request is answered with 503; once it is back, the site works again', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const app = await buildApp({ claret: await cluster.connect({ timeoutMs: 2_000 }), password_cost: TEST_COST });
  try {
    const ann = await new Visitor(app).register('ann');
    for (const host of cluster.hosts) host.stop();
    await vi.waitFor(async () => expect((await ann.get('/readyz')).status).toBe(503));
    expect((await ann.get('/livez')).status).toBe(200);

    const asked = [
      ...['/session', '/timeline', '/latest', '/trending', '/people', '/users/ann', '/posts/1-1', '/demo'].map((url) =>
        ann.send('GET', `/api${url}`),
      ),
      ann.tryPost('hello'),
      ann.post('/api/posts/1-1/repost'),
      ann.post('/api/users/ben/follow'),
      ann.post('/api/login', { username: 'ann', password: 'correct horse' }),
      new Visitor(app).post('/api/register', { username: 'ben', password: 'correct horse' }),
    ];
    const stranger = new Visitor(app);
    expect((await stranger.get('/api/session')).body['user']).toBeNull();
    for (const answer of await Promise.all(asked)) {
      expect(problemIn(ERROR_STATUS, answer)).toBe('busy');
      expect(Number(answer.raw.headers['retry-after'])).toBeGreaterThan(0);
    }

    cluster.restart(0);
    cluster.restart(1);
    await vi.waitFor(async () => expect((await ann.get('/readyz')).status).toBe(200));
    const ben = await new Visitor(app).register('ben');
    await ben.write('here we are');
    expect((await ben.entries()).texts).toEqual(['here we are']);
  } finally {
    await app.close();
    await cluster.stop();
  }
});
