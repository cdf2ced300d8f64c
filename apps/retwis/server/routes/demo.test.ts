import { hashPassword } from '@claret/site/auth/password.ts';
import { load } from '@claret/site/data/loader.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { expect, test } from 'vitest';

import { LIMITS } from '../api.ts';
import { buildApp } from '../app.ts';
import { generate } from '../data/generate.ts';
import { Store } from '../data/store.ts';
import { key } from '../model.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld } from '../testing/world.ts';

test('A visitor finds demo accounts once the data set is loaded, and with them a full timeline', async () => {
  const { claret, stop } = await startWorld();
  const app = await buildApp({ claret, password_cost: TEST_COST });
  try {
    const visitor = new Visitor(app);
    const accounts = async () => (await visitor.get('/api/demo')).body['accounts'] as { username: string; password: string }[];
    expect(await accounts()).toEqual([]);
    await load(claret, {
      marker: key.dataset,
      name: 'scale 8',
      seed: 1,
      async write() {
        expect(await accounts()).toEqual([]);
        await new Store(claret, generate(8, 1), {
          now_ms: Date.now(),
          demo_credentials: await hashPassword('claret-demo', TEST_COST),
        }).write();
        return '';
      },
    });
    const all = await accounts();
    expect(all.map(({ username }) => username)).toEqual(['demo1', 'demo2', 'demo3', 'demo4']);
    for (const account of all) {
      const person = new Visitor(app);
      expect(await person.post('/api/login', account)).toMatchObject({ status: 200, body: { user: { username: account.username } } });
      const timeline = await person.get('/api/timeline');
      expect((timeline.body['entries'] as unknown[]).length).toBeGreaterThan(LIMITS.page_size / 2);
      expect(timeline.body['next_cursor']).not.toBeNull();
    }
  } finally {
    await app.close();
    await stop();
  }
});
