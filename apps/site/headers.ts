// What every answer of a site carries for its visitor's protection, whoever gives it: a route, an error, a file, a live
// stream, the server below the routes, a gate in front of it. Made by helmet, once: the same for every answer.
//
// The pages are files of this server and nothing else, so the policy begins with nothing and allows what they have: scripts,
// styles, pictures and fonts from files, requests to this server. Nothing inline but what was built into index.html, by its hash;
// no eval, no frames, no data: addresses; and a text can never become markup or code by way of a script (trusted types: there is
// no policy that could make it so).
import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import helmet from 'helmet';

const SELF = ["'self'"];
const NONE = ["'none'"];

/** What stands inside a page, as a content policy names it. */
export type Inline = { scripts: readonly string[]; styles: readonly string[] };

const answersOver = (protocol: 'http' | 'https', inline: Inline = { scripts: [], styles: [] }) =>
  headersBy(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: NONE,
          scriptSrc: [...SELF, ...inline.scripts],
          styleSrc: [...SELF, ...inline.styles],
          imgSrc: SELF,
          fontSrc: SELF,
          connectSrc: SELF,
          manifestSrc: SELF,
          formAction: SELF,
          baseUri: NONE,
          objectSrc: NONE,
          frameAncestors: NONE,
          requireTrustedTypesFor: ["'script'"],
          trustedTypes: NONE,
        },
      },
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      referrerPolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' },
      // Said over plain HTTP it would mean nothing, and must not be said (RFC 6797, section 7.2). Of other hosts it says nothing.
      strictTransportSecurity: protocol === 'https' ? { maxAge: 365 * 24 * 60 * 60, includeSubDomains: false } : false,
    }),
  );

function headersBy(protect: ReturnType<typeof helmet>): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(request, response, (error) => {
    if (error !== undefined) throw error;
  });
  // helmet has no word on this one.
  response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

/** Of every answer. */
export const SECURITY_HEADERS = answersOver('http');

/** Of every answer to a visitor who came by TLS. */
export const TLS_SECURITY_HEADERS = answersOver('https');

/** The inline scripts and styles of a built page. */
export function inlineOf(html: string): Inline {
  const hashes = (element: string) =>
    Array.from(html.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g')), ([, text]) => `'sha256-${sha256(text!)}'`);
  return { scripts: hashes('script'), styles: hashes('style') };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** The content policy of a page: that of every answer, and what stands inside it. */
export const pagePolicy = (html: string): string => answersOver('http', inlineOf(html))['content-security-policy']!;
