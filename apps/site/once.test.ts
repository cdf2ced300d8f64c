// The names of requests. That a request is carried out once is tested with each site's routes (sent-again.test.ts).
import type { Claret } from '@claret/client';
import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { newRequestKey, REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { namedRequest } from './once.ts';

const KEY = '019a2d1f-1b2c-7abc-8def-0123456789ab';

let cluster: InProcessCluster;
let claret: Claret;
beforeAll(async () => {
  cluster = await inProcessCluster({ shards: 1 });
  claret = await cluster.connect();
  await claret.clock.ready();
});
afterAll(() => cluster.stop());

const asked = (key: string | undefined, more: object = {}) => ({
  method: 'POST',
  url: '/api/items/i1/buy',
  body: { quantity: 2 },
  headers: key === undefined ? {} : { [REQUEST_KEY_HEADER]: key },
  claret,
  ...more,
});

test('a request has the same name each time, which loadtest/load/k6/check/request-names.ts computes too', () => {
  expect(namedRequest(asked(KEY), 'u1', 'near').name).toBe('7w5kyW8Eu_3_zLswxOXiSQ');
});

test('another key, person, method, address or body is another request', () => {
  const key = newRequestKey(Date.now());
  const others = [
    namedRequest(asked(key), 'u1', 'near'),
    namedRequest(asked(newRequestKey(Date.now())), 'u1', 'near'),
    namedRequest(asked(key), 'u2', 'near'),
    namedRequest(asked(key, { method: 'PUT' }), 'u1', 'near'),
    namedRequest(asked(key, { url: '/api/items/i2/buy' }), 'u1', 'near'),
    namedRequest(asked(key, { body: { quantity: 3 } }), 'u1', 'near'),
    namedRequest(asked(undefined), 'u1', 'near'),
    namedRequest(asked(undefined), 'u1', 'near'),
  ];
  expect(new Set(others.map(({ name }) => name)).size).toBe(others.length);
  for (const { name, once: options } of others) {
    expect(name).toMatch(/^[\w-]{22}$/);
    expect(String(options.id)).not.toContain(Buffer.from(name, 'base64url').toString('hex'));
  }
});
