// The cluster's token: who has it may change things and read records. All gateways of a cluster have the same one, and say
// it to each other; an empty one asks nobody, and then only loopback is listened on (config.ts).
import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from './errors.ts';

/** Throws unauthenticated. `authorization`: what the caller sent under that name. */
export type TokenCheck = (authorization: string | undefined) => void;

const BEARER = /^bearer +([\x21-\x7e]+)$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function tokenCheck(token: string): TokenCheck {
  if (token === '') return () => {};
  const expected = digest(token);
  return (authorization) => {
    const given = BEARER.exec(authorization ?? '')?.[1];
    // Digests have one length, and a comparison of them tells nothing of the token by the time it takes.
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
    const what = given === undefined ? "needs the cluster's token" : "came with another token than the cluster's";
    throw new GatewayError('unauthenticated', `This call ${what}: \`authorization: Bearer …\`.`);
  };
}

/** What others cannot reach unless they are on this machine. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
