// Every route that changes something, tried by everyone who may not: logged-out visitors, forgers, people who name others' things, and
// clients that repeat a request. The public content of the site is compared before and after.
import { CSRF_HEADER } from '@claret/ui/site/api/csrf.ts';
import { REQUEST_KEY_HEADER } from '@claret/ui/site/api/requestKeys.ts';
import { expect, test } from 'vitest';

import { newToken } from '../../auth/token.ts';
import type { App } from '../../http.ts';
import { SiteVisitor, type Answer } from '../visitor.ts';

export type Write = {
  method: 'POST' | 'PUT' | 'DELETE';
  /** as registered */
  route: string;
  /** a URL that names existing things */
  url: string;
  body?: Record<string, unknown>;
  /** a person who may do it, at least once */
  by: SiteVisitor;
  /** people, logged in, who may not, and the error codes they get */
  refused: [who: SiteVisitor, code: string, instead?: { url?: string; body?: Record<string, unknown> }][];
  /** ids of nothing, or of another thing, besides NO_IDS; and the codes of the answers */
  forged?: { address: (id: string) => string; ids: string[]; codes: string[] };
  /** fields that would state the actor, the time or the price, if the server believed them */
  claims?: Record<string, unknown>;
  /** the same request again, by the same person: it is refused, or answered the same and done once, or it is another change */
  again: 'refused' | 'same' | 'another';
  /** the idempotency key that a repeated request shares with the first one */
  key?: string;
  /** sent again before the first is answered, it may be done twice */
  once_at_a_time?: boolean;
  /** parts of the answer that differ when it is sent again */
  varies?: Record<string, unknown>;
};

/** malformed ids, for a path */
export const NO_IDS = [
  '__proto__',
  'constructor',
  '%7Bitem%7D',
  '%00',
  '..%2f..',
  'x'.repeat(65),
  'x'.repeat(257),
  '-',
  encodeURIComponent('é'),
  '1%20OR%201',
];

export type WritesUnderTest = {
  app: () => App;
  /** the name of the session cookie */
  cookie: string;
  /** everything that the site shows, to everyone */
  everything: () => Promise<unknown>;
  writes: () => Write[];
  /** the result of writeRoutesOf */
  routes: () => string[];
  /** routes that are open to everyone, such as login and registration */
  open_to_all: string[];
};

const RETRIES_MAX = 20;

/** Asks again if the site was too busy. */
async function answered(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (answer.body.code !== 'busy' || tries === RETRIES_MAX) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The answers to each of these people at these URLs. */
export function shownTo(people: readonly SiteVisitor[], urls: readonly string[]): Promise<unknown> {
  return Promise.all(
    people.map(async (who) => {
      const shown = [];
      for (const url of urls) {
        const { status, body } = await answered(() => who.get(`/api${url}`));
        shown.push({ url, status, ...body, server_time_ms: 0 });
      }
      return shown;
    }),
  );
}

export function writesAreRefused({ app, cookie, everything, writes, routes, open_to_all }: WritesUnderTest): void {
  const say = (
    who: SiteVisitor,
    { method, url, body, key }: Pick<Write, 'method' | 'url' | 'body' | 'key'>,
    headers: Record<string, string> = { [CSRF_HEADER]: '1' },
  ) => answered(() => who.send(method, url, body, key === undefined ? headers : { ...headers, [REQUEST_KEY_HEADER]: key }));
  const nothingChanges = async (during: () => Promise<void>): Promise<void> => {
    const before = await everything();
    await during();
    expect(await everything()).toEqual(before);
  };
  const codeOf = ({ body }: Answer) => body.code ?? 'done';

  test('The table has every route that changes something', () => {
    expect([...writes().map(({ method, route }) => `${method} ${route}`), ...open_to_all].toSorted()).toEqual(routes());
  });

  test('Nothing changes without a session: no cookie, an invented one, an altered one, one of another site', () =>
    nothingChanges(async () => {
      for (const write of writes()) {
        const token = write.by.cookie?.split('=')[1] ?? '';
        const wrong = `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`;
        const cookies = [
          null,
          `${cookie}=`,
          `${cookie}=__proto__`,
          `${cookie}=${newToken()}`,
          `${cookie}=${wrong}`,
          `${cookie}=${token}x`,
          `claret_other=${token}`,
          `__Host-${cookie}=${token}`,
        ];
        for (const one of cookies) {
          const forger = new SiteVisitor(app());
          forger.cookie = one;
          expect([write.route, one, codeOf(await say(forger, write))]).toEqual([write.route, one, 'not_logged_in']);
        }
      }
    }));

  test('Nothing changes by a request from elsewhere than a page of this site', () =>
    nothingChanges(async () => {
      const elsewhere: Record<string, string>[] = [
        {},
        { [CSRF_HEADER]: '1', 'sec-fetch-site': 'cross-site' },
        { [CSRF_HEADER]: '1', 'sec-fetch-site': 'same-site' },
        { [CSRF_HEADER]: '1', origin: 'https://evil.example' },
        { [CSRF_HEADER]: '1', origin: 'null' },
      ];
      for (const write of writes()) {
        for (const headers of elsewhere)
          expect([write.route, codeOf(await say(write.by, write, headers))]).toEqual([write.route, 'csrf_missing']);
      }
    }));

  test('People cannot change things of others', () =>
    nothingChanges(async () => {
      for (const write of writes()) {
        for (const [who, code, instead] of write.refused)
          expect([write.route, codeOf(await say(who, { ...write, ...instead }))]).toEqual([write.route, code]);
      }
    }));

  test('Malformed ids, and ids of other things, change nothing', () =>
    nothingChanges(async () => {
      for (const write of writes()) {
        if (write.forged === undefined) continue;
        const { address, ids, codes } = write.forged;
        for (const id of [...NO_IDS, ...ids]) {
          const answer = await say(write.by, { ...write, url: address(id) });
          expect(id.length > 256 ? ['unknown_route'] : codes, `${write.route} ${id}`).toContain(codeOf(answer));
        }
      }
    }));

  test('A body cannot state the actor, the time or the price', () =>
    nothingChanges(async () => {
      for (const write of writes()) {
        for (const [field, value] of Object.entries(write.claims ?? {})) {
          const answer = await say(write.by, { ...write, body: { ...write.body, [field]: value } });
          expect([write.route, field, codeOf(answer), answer.body['field']]).toEqual([write.route, field, 'invalid_input', field]);
        }
      }
    }));

  test('A request that is repeated by the same person is done once, also when it is sent five times at once', async () => {
    for (const write of writes()) {
      const shown = ({ body }: Answer) => ({ ...body, server_time_ms: 0, ...write.varies });
      const before = await everything();
      const crowd = write.again === 'another' || write.once_at_a_time === true ? 1 : 5;
      const answers = await Promise.all(Array.from({ length: crowd }, () => say(write.by, write)));
      const after = await everything();
      expect([write.route, after]).not.toEqual([write.route, before]);
      const done = answers.filter(({ status }) => status < 300);
      expect([write.route, answers.map(codeOf), done.length]).toEqual([write.route, expect.anything(), write.again === 'same' ? crowd : 1]);
      if (write.again === 'another') continue;
      const again = await say(write.by, write);
      expect([write.route, again.status < 300 ? 'same' : 'refused']).toEqual([write.route, write.again]);
      if (write.again === 'same')
        for (const one of [...done, again]) expect([write.route, shown(one)]).toEqual([write.route, shown(answers[0]!)]);
      expect([write.route, await everything()]).toEqual([write.route, after]);
    }
  });
}
