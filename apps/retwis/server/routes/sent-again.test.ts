// A person whose registration got no answer sends it again: they are registered once, and logged in.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { newRequestKey } from '@claret/ui/site/api/requestKeys.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { expect, test } from 'vitest';

import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld } from '../testing/world.ts';

test('a person is registered once, at whichever app server, and logged in each time', async () => {
  const world = await startWorld();
  const apps = [
    await buildApp({ claret: world.claret, password_cost: TEST_COST }),
    await buildApp({ claret: world.other, password_cost: TEST_COST }),
  ];
  const visitors = [0, 1, 0].map((server) => new Visitor(apps[server]!));
  const form = { username: 'joins_once', password: 'correct horse' };
  const join = (visitor: Visitor, key: string) =>
    visitor.send('POST', '/api/register', form, { [CSRF_HEADER]: '1', 'idempotency-key': key });
  const key = newRequestKey(Date.now());
  const answers = await Promise.all(visitors.map((visitor) => join(visitor, key)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body['user']))).size).toBe(1);
  for (const visitor of visitors) expect((await visitor.get('/api/session')).body['user']).toEqual(answers[0]!.body['user']);
  expect((await join(new Visitor(apps[1]!), newRequestKey(Date.now()))).body.code).toBe('username_taken');
  await Promise.all(apps.map((app) => app.close()));
  await world.stop();
});
