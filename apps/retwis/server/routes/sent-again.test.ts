// A request that is sent again, after a lost answer or hours later, takes effect once.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { newRequestKey } from '@claret/ui/site/api/requestKeys.ts';
import { systemEnvironment } from '@claret/client';
import { TEST_COST, type Answer } from '@claret/site/testing/visitor.ts';
import { expect, test, vi } from 'vitest';

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

test('a post is made once, at whichever app server, and another text, person or key is another post', async () => {
  const world = await startWorld();
  const apps = [
    await buildApp({ claret: world.claret, password_cost: TEST_COST }),
    await buildApp({ claret: world.other, password_cost: TEST_COST }),
  ];
  const [ann, ben] = [await new Visitor(apps[0]!).register('ann'), await new Visitor(apps[0]!).register('ben')];
  const key = newRequestKey(Date.now());
  const sent = await Promise.all([0, 1, 0].map((server) => ann.at(apps[server]!).tryPost('once', key)));
  const told = ({ status, body }: Answer) => ({ status, ...body, server_time_ms: 0 });
  expect(sent[0]!.status, sent[0]!.raw.body).toBe(201);
  for (const answer of [...sent, await ann.tryPost('once', key)]) expect(told(answer)).toEqual(told(sent[0]!));
  expect((await ann.entries()).texts).toEqual(['once']);
  for (const another of [
    await ann.tryPost('twice', key),
    await ben.tryPost('once', key),
    await ann.tryPost('once'),
    await ann.tryPost('once'),
  ])
    expect(another.status).toBe(201);
  expect((await ann.entries()).texts.toSorted()).toEqual(['once', 'once', 'once', 'twice']);
  expect((await ben.entries()).texts).toEqual(['once']);
  await Promise.all(apps.map((app) => app.close()));
  await world.stop();
});

test('hours later a request is told whether it has posted, and posts nothing any more', async () => {
  let skipped_ms = 0;
  const { wallMs, civilMs, monotonicMs } = systemEnvironment;
  const environment = {
    ...systemEnvironment,
    wallMs: () => wallMs() + skipped_ms,
    civilMs: () => civilMs() + skipped_ms,
    monotonicMs: () => monotonicMs() + skipped_ms,
  };
  const world = await startWorld({ environment });
  const claret = await world.cluster.connect({ environment: systemEnvironment });
  const app = await buildApp({ claret, password_cost: TEST_COST });
  try {
    const [ann, ben] = [await new Visitor(app).register('ann'), await new Visitor(app).register('ben')];
    const [key, lost] = [newRequestKey(Date.now()), newRequestKey(Date.now())];
    const { body } = await ann.tryPost('arrived', key);
    for (const minutes of [10, 300]) {
      skipped_ms += minutes * 60_000;
      for (const host of world.cluster.hosts) host.breakSessions();
      await vi.waitFor(() => expect(claret.status.shards.every(({ state }) => state === 'live')).toBe(true));
      expect((await ann.tryPost('arrived', key)).body['entry']).toEqual(body['entry']);
      for (const [who, text, asked] of [
        [ann, 'never arrived', lost],
        [ann, 'another text', key],
        [ben, 'arrived', key],
      ] as const) {
        const refused = await who.tryPost(text, asked);
        expect(refused).toMatchObject({ status: 409, body: { code: 'key_expired', server_time_ms: expect.any(Number) } });
        expect(refused.body.detail).toContain('hasn’t been posted.');
      }
    }
    expect((await ann.entries()).texts).toEqual(['arrived']);
    expect((await ben.entries()).texts).toEqual([]);
    expect((await ann.tryPost('never arrived', newRequestKey(Date.now() + skipped_ms))).status).toBe(201);
  } finally {
    await app.close();
    await world.stop();
  }
});
