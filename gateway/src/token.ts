// The cluster's token permits changes and reads of records. All gateways of a cluster have the same token, and send it to each other. With
// an empty token every call is permitted, and a gateway listens only on loopback (config.ts).
import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from './errors.ts';

/** Throws unauthenticated. `authorization`: the value of that header. */
export type TokenCheck = (authorization: string | undefined) => void;

const BEARER = /^bearer +([\x21-\x7e]+)$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function tokenCheck(token: string): TokenCheck {
  if (token === '') return () => {};
  const expected = digest(token);
  return (authorization) => {
    const given = BEARER.exec(authorization ?? '')?.[1];
    // Comparing digests, which have one length, reveals nothing about the token through its duration.
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
    const what = given === undefined ? "needs the cluster's token" : "came with another token than the cluster's";
    throw new GatewayError('unauthenticated', `This call ${what}: \`authorization: Bearer …\`.`);
  };
}

/** True for addresses that only this machine can reach. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
