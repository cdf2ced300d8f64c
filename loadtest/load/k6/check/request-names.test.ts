import { expect, it } from 'vitest';
import { purchaseId } from './request-names.ts';

it('a name is the one that the site gives: apps/site/once.test.ts has the same', () => {
  expect(purchaseId('u1', { key: '019a2d1f-1b2c-7abc-8def-0123456789ab', item: 'i1', quantity: 2 })).toBe('7w5kyW8Eu_3_zLswxOXiSQ');
});
