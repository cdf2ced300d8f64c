// The security headers of every answer, wherever it comes from: a route, an error, a file, a live stream, the server below the routes, a
// refusal of admission control. Made by helmet, once.
//
// The pages are files of this server and nothing else, so the policy starts with nothing and allows what they need: scripts, styles,
// pictures and fonts from files, requests to this server. Nothing inline except what was built into index.html, by its hash; no eval, no
// frames, no data: URLs; and a script can never turn text into markup or code (trusted types: the policy allows none to be created).
import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import helmet from 'helmet';

const SELF = ["'self'"];
const NONE = ["'none'"];

/** The inline elements of a page, by their hashes, as a content policy names them. */
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
      // Over plain HTTP this header has no meaning and must not be sent (RFC 6797, section 7.2). It covers this host only.
      strictTransportSecurity: protocol === 'https' ? { maxAge: 365 * 24 * 60 * 60, includeSubDomains: false } : false,
    }),
  );

function headersBy(protect: ReturnType<typeof helmet>): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(request, response, (error) => {
    if (error !== undefined) throw error;
  });
  // helmet does not set this header.
  response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

/** on every answer */
export const SECURITY_HEADERS = answersOver('http');

/** on every answer to a visitor who came by TLS */
export const TLS_SECURITY_HEADERS = answersOver('https');

/** The inline scripts and styles of a built page. */
export function inlineOf(html: string): Inline {
  const hashes = (element: string) =>
    Array.from(html.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g')), ([, text]) => `'sha256-${sha256(text!)}'`);
  return { scripts: hashes('script'), styles: hashes('style') };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** The content policy of a page: that of every answer, plus the hashes of the page's inline elements. */
export const pagePolicy = (html: string): string => answersOver('http', inlineOf(html))['content-security-policy']!;
