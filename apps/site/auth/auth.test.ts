import { describe, expect, test } from 'vitest';

import { COST, TooManyHashes, hashPassword, verifyPassword } from './password.ts';
import { AttemptLimit } from './rate-limit.ts';
import { hashToken, newToken } from './token.ts';

const CHEAP = { log2_n: 4, r: 1, p: 1 };

describe('Passwords', () => {
  test('match themselves and nothing else, at the cost that the site uses', async () => {
    const stored = await hashPassword('correct horse', COST);
    expect(stored).toMatch(/^scrypt\$15\$8\$3\$/);
    expect(stored).not.toContain('correct');
    expect(await verifyPassword('correct horse', stored)).toBe(true);
    expect(await verifyPassword('correct horsE', stored)).toBe(false);
  });

  test('hash differently each time, and match hashes of another cost', async () => {
    const [one, two] = [await hashPassword('same', CHEAP), await hashPassword('same', CHEAP)];
    expect(one).not.toBe(two);
    expect(await verifyPassword('same', one, { log2_n: 5, r: 1, p: 1 })).toBe(true);
  });

  test('are the same if typed on another keyboard', async () => {
    const stored = await hashPassword('caf\u00e9', CHEAP);
    expect(await verifyPassword('cafe\u0301', stored, CHEAP)).toBe(true);
  });

  test('never match a missing account or a malformed hash', async () => {
    expect(await verifyPassword('', null, CHEAP)).toBe(false);
    expect(await verifyPassword('', '', CHEAP)).toBe(false);
    expect(await verifyPassword('x', 'plain$x', CHEAP)).toBe(false);
    expect(await verifyPassword('x', 'scrypt$4$1$1$AAAA$', CHEAP)).toBe(false);
  });

  test('are refused when too many are being checked, and every accepted check is answered', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 150 }, () => hashPassword('x', CHEAP)));
    const refused = answers.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(48);
    expect(refused.every((one) => one.reason instanceof TooManyHashes)).toBe(true);
    expect(await hashPassword('x', CHEAP)).toContain('scrypt');
  });
});

describe('AttemptLimit', () => {
  test('allows a burst of attempts up to the budget, then one for each fraction of the window', () => {
    const limit = new AttemptLimit({ budget: 3, window_ms: 3_000 });
    const blocked = (now: number) => limit.waitMs('x', now) > 0;
    for (let i = 0; i < 3; i++) {
      expect(blocked(0)).toBe(false);
      limit.count('x', 0);
    }
    expect(limit.waitMs('x', 0)).toBe(1_000);
    expect(blocked(999)).toBe(true);
    expect(blocked(1_000)).toBe(false);
    limit.count('x', 1_000);
    expect(blocked(1_000)).toBe(true);
    expect(limit.waitMs('y', 1_000)).toBe(0);
    limit.takeBack('x');
    expect(blocked(1_000)).toBe(false);
    limit.count('x', 1_000);
    expect(blocked(1_000)).toBe(true);
  });

  test('remembers no more names than its bound', () => {
    const limit = new AttemptLimit({ budget: 1, window_ms: 1_000_000 });
    for (let i = 0; i < 20_001; i++) limit.count(`name ${i}`, 0);
    expect(limit.waitMs('name 0', 0)).toBe(0);
    expect(limit.waitMs('name 20000', 0)).toBeGreaterThan(0);
  });
});

describe('Tokens', () => {
  test('are long, unique, and stored only as a hash', () => {
    const token = newToken();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(newToken()).not.toBe(token);
    expect(hashToken(token)).not.toContain(token);
    expect(hashToken(undefined)).toBeNull();
    expect(hashToken(`${token}x`)).toBeNull();
  });
});
