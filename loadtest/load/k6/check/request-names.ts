// The names that the sites give to what a request makes, computed as apps/site/once.ts does. So the check knows what a request without a response has
// made, if it has made anything.

import { createHash } from 'node:crypto';
import type { LedgerFacts } from '../storm.ts';

export const purchaseId = (person_id: string, { key, item, quantity }: LedgerFacts['buy']): string =>
  nameOf(key, person_id, `/api/items/${item}/buy`, { quantity });

export const postId = (person_id: string, { key, text }: LedgerFacts['post']): string => nameOf(key, person_id, '/api/posts', { text });

/** The second half of the hash of what tells a request from all others. */
const nameOf = (key: string, person_id: string, url: string, body: object): string =>
  createHash('sha256')
    .update(JSON.stringify([key, person_id, 'POST', url, body]))
    .digest()
    .subarray(16)
    .toString('base64url');
