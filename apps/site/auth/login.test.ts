import { beforeAll, describe, expect, test } from 'vitest';

import { TEST_COST } from '../testing/visitor.ts';
import { LoginCheck } from './login.ts';
import { hashPassword } from './password.ts';

let ann: { id: string; credentials: string | null };
beforeAll(async () => void (ann = { id: 'u1', credentials: await hashPassword('right', TEST_COST) }));

const find = async () => ann;
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'in',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

describe('Logging in', () => {
  test('gives the account to everyone who knows its password, as often as they like', async () => {
    const logins = new LoginCheck(TEST_COST);
    for (let i = 0; i < 30; i++) expect(await logins.check({ ip: '1' }, { name: 'ann', password: 'right' }, find)).toBe(ann);
  });

  test('is refused for a name after ten failures, from every address, and for no other name', async () => {
    const logins = new LoginCheck(TEST_COST);
    const guess = (ip: string, name: string, password: string) => codeOf(logins.check({ ip }, { name, password }, find));
    for (let i = 0; i < 10; i++) expect(await guess(String(i), i % 2 === 0 ? 'ann' : 'ANN', 'wrong')).toBe('wrong_credentials');
    expect(await guess('99', 'ann', 'right')).toBe('too_many_attempts');
    expect(await guess('1', 'ben', 'right')).toBe('in');
  });

  test('is refused for an address after fifty failures at different names', async () => {
    const logins = new LoginCheck(TEST_COST);
    const guess = (ip: string, name: string) => codeOf(logins.check({ ip }, { name, password: 'wrong' }, async () => null));
    for (let i = 0; i < 50; i++) expect(await guess('1', `name${i}`)).toBe('wrong_credentials');
    expect(await guess('1', 'another')).toBe('too_many_attempts');
    expect(await guess('2', 'another')).toBe('wrong_credentials');
  });

  test('is refused for a whole IPv6 network, whichever of its addresses the guesses come from', async () => {
    const logins = new LoginCheck(TEST_COST);
    const guess = (ip: string, name: string) => codeOf(logins.check({ ip }, { name, password: 'wrong' }, async () => null));
    for (let i = 0; i < 50; i++) expect(await guess(`2001:db8::${i.toString(16)}`, `name${i}`)).toBe('wrong_credentials');
    expect(await guess('2001:db8::ffff', 'another')).toBe('too_many_attempts');
    expect(await guess('2001:db8:0:1::1', 'another')).toBe('wrong_credentials');
  });

  test('does not count attempts that the store could not answer', async () => {
    const logins = new LoginCheck(TEST_COST);
    const away = async () => {
      throw new Error('away');
    };
    for (let i = 0; i < 60; i++) expect(await codeOf(logins.check({ ip: '1' }, { name: 'ann', password: 'right' }, away))).toBe('away');
    expect(await codeOf(logins.check({ ip: '1' }, { name: 'ann', password: 'right' }, find))).toBe('in');
  });

  test('does not look up a name that is not well-formed text', async () => {
    const logins = new LoginCheck(TEST_COST);
    const asked = async () => {
      throw new Error('asked');
    };
    expect(await codeOf(logins.check({ ip: '1' }, { name: 'a\ud800', password: 'x' }, asked))).toBe('wrong_credentials');
  });
});
