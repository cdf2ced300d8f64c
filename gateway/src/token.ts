// The cluster's token permits changes and reads of records. All gateways of a cluster have the same token, and send it to each other. With
// an empty token every call is permitted, and a gateway listens only on loopback (config.ts).
//
// The admin token permits changes of the data types, and everything else too. Where there is none, the cluster's token permits them.
import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from './errors.ts';

/** Throws unauthenticated. `authorization`: the value of that header. */
export type TokenCheck = (authorization: string | undefined) => void;

const BEARER = /^bearer +([\x21-\x7e]+)$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export interface Tokens {
  token: string;
  adminToken: string;
}

export const tokenCheck = ({ token, adminToken }: Tokens): TokenCheck => check(token, adminToken, "cluster's token");

/** For changes of the data types. */
export const adminTokenCheck = ({ token, adminToken }: Tokens): TokenCheck =>
  adminToken === '' ? tokenCheck({ token, adminToken }) : check(adminToken, '', "cluster's admin token");

/** With an empty `token`, everything is permitted; `other` is taken too unless it is empty. */
function check(token: string, other: string, name: string): TokenCheck {
  if (token === '') return () => {};
  const expected = [token, other].filter((each) => each !== '').map(digest);
  return (authorization) => {
    const given = BEARER.exec(authorization ?? '')?.[1];
    // Comparing digests, which have one length, reveals nothing about the tokens through its duration.
    const has = given !== undefined && expected.filter((one) => timingSafeEqual(digest(given), one)).length > 0;
    if (has) return;
    const what = given === undefined ? `needs the ${name}` : `came with a token that is not the ${name}`;
    throw new GatewayError('unauthenticated', `This call ${what}: \`authorization: Bearer …\`.`);
  };
}

/** True for addresses that only this machine can reach. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
