import { expect, test } from 'vitest';

import { TEST_COST } from '../testing/visitor.ts';
import { visitorAddress } from './address.ts';
import { verifyPassword } from './password.ts';
import { RegistrationCheck } from './registration.ts';

const codeOf = (attempt: Promise<string>) =>
  attempt.then(
    () => 'in',
    (error: { code?: string }) => error.code,
  );

test('Registering gives the credentials to store until one address has registered too often, also concurrently', async () => {
  const registrations = new RegistrationCheck({ password_cost: TEST_COST, registrations_per_hour: 5 });
  const stored = await registrations.credentials({ ip: '10.0.0.1' }, 'long enough');
  expect(await verifyPassword('long enough', stored)).toBe(true);
  const flood = await Promise.all(Array.from({ length: 20 }, () => codeOf(registrations.credentials({ ip: '10.0.0.1' }, 'long enough'))));
  expect(flood.toSorted()).toEqual([...Array<string>(4).fill('in'), ...Array<string>(16).fill('too_many_attempts')]);
  expect(await codeOf(registrations.credentials({ ip: '::ffff:10.0.0.1' }, 'long enough'))).toBe('too_many_attempts');
  expect(await codeOf(registrations.credentials({ ip: '10.0.0.2' }, 'long enough'))).toBe('in');
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['nowhere', 'nowhere'],
])('A visitor at %s counts as %s', (ip, counted) => {
  expect(visitorAddress(ip)).toBe(counted);
});
