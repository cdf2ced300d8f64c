// The visitors of one site: people with a session, and what they send, with a browser's headers. A change has a key, and some are sent again with it,
// to another app server (kit/browser.ts).

import type { Agent } from 'node:http';
import { headersOf, keyOf, serversOf, timesOf, type Method } from '../../kit/browser.ts';
import { madeUpId, pick } from '../../kit/random.ts';
import { costIn, send, type Answer } from './http.ts';
import { NO_OUTCOMES } from './outcome.ts';
import type { Cost } from './question.ts';

const PASSWORD = 'of a load test';
/** Each hash of a password keeps a processor busy for some tenths of a second. */
const REGISTER_AT_ONCE = 2;
/** Visitors give up then; the sites' own deadlines are shorter. Preparations may take longer. */
const PATIENCE_MS = 10_000;
const PATIENCE_PREPARING_MS = 60_000;

export interface Person {
  id: string;
  name: string;
  cookie: string;
}

/** What was sent in one span. */
export class Counts {
  requests = 0;
  readonly outcomes = { ...NO_OUTCOMES };
  readonly changes = { ...NO_OUTCOMES };
  readonly costs: Record<string, Cost> = {};

  readonly #readsCosts: boolean;

  constructor(readsCosts: boolean) {
    this.#readsCosts = readsCosts;
  }

  note(answer: Answer, isChange: boolean): void {
    this.requests++;
    this.outcomes[answer.outcome]++;
    if (isChange) this.changes[answer.outcome]++;
    const cost = this.#readsCosts ? costIn(answer) : null;
    if (cost !== null) for (const row of JSON.parse(cost) as CostRow[]) this.#add(row);
  }

  #add({ label, count, operations = 0, warranted = 0, retries = 0, batched = 0, locks_waited = 0 }: CostRow): void {
    const sum = (this.costs[label] ??= { transactions: 0, operations: 0, warranted: 0, retries: 0, batched: 0, locks_waited: 0 });
    sum.transactions += count;
    sum.operations += operations;
    sum.warranted += warranted;
    sum.retries += retries;
    sum.batched += batched;
    sum.locks_waited += locks_waited;
  }
}

/** A row of the header (ui/site/cost.ts), which leaves out what is 0. */
type CostRow = { label: string; count: number } & Partial<Omit<Cost, 'transactions'>>;

export interface Change {
  path: string;
  person: Person;
  body: object;
  /** called with each answer, with the key of the change; `isAfter`: the request was sent after another one with this key had been answered */
  note: (answer: Answer, sent: { key: string; isAfter: boolean }) => void;
  /** called with the first answer: the person need not wait for the other one */
  onAnswer: () => void;
}

export class Visitors {
  readonly urls: readonly string[];
  readonly random: () => number;
  people: readonly Person[] = [];
  /** of the present span */
  counts = new Counts(false);
  readonly #agent: Agent;

  constructor(urls: readonly string[], random: () => number, agent: Agent) {
    this.urls = urls;
    this.random = random;
    this.#agent = agent;
  }

  /** At least so many. `bodyOf`: what a person with that name enters besides the password. */
  async register(count: number, bodyOf: (name: string) => object): Promise<void> {
    const people: Person[] = [];
    const registerNext = async (): Promise<void> => {
      const name = `p${madeUpId(this.random, 14)}`;
      const body = { ...bodyOf(name), password: PASSWORD };
      const { value, headers } = await this.must<{ user: { id: string } }>('POST', '/api/register', null, body);
      people.push({ id: value.user.id, name, cookie: headers['set-cookie']![0]!.split(';', 1)[0]! });
      if (people.length < count) await registerNext();
    };
    await Promise.all(Array.from({ length: REGISTER_AT_ONCE }, registerNext));
    this.people = people;
  }

  /** For preparations and checks. Rejects if it is not accepted. */
  async must<Value>(method: Method, path: string, person: Person | null, body: object | null = null) {
    const answer = await this.#send(
      pick(this.random, this.urls),
      { method, path, person, body, key: keyOf(method, this.random, Date.now()) },
      true,
      PATIENCE_PREPARING_MS,
    );
    if (answer.outcome !== 'accepted') throw new Error(`${method} ${path} was answered ${answer.status} ${answer.body}`);
    return { value: JSON.parse(answer.body) as Value, headers: answer.headers };
  }

  /** A request of a page, to the visitor's server; its answer is not read. */
  async look(server: string, path: string, person: Person | null): Promise<void> {
    const answer = await this.#send(server, { method: 'GET', path, person, body: null, key: null }, false);
    this.counts.note(answer, false);
  }

  /** Resolves when all answers are there. */
  async change({ path, person, body, note, onAnswer }: Change): Promise<void> {
    const key = keyOf('POST', this.random, Date.now())!;
    const times = timesOf(key, this.random);
    const servers = serversOf(this.urls, this.random);
    const sendTo = async (server: string, isAfter = false) => {
      const answer = await this.#send(server, { method: 'POST', path, person, body, key }, true);
      this.counts.note(answer, true);
      note(answer, { key, isAfter });
    };
    const first = sendTo(servers[0]).then(onAnswer);
    if (times === 'twice') await Promise.all([first, sendTo(servers.at(-1)!)]);
    await first;
    if (times === 'again') await sendTo(servers.at(-1)!, true);
  }

  #send(base: string, { method, path, person, body, key }: Asked, wantsBody: boolean, patienceMs = PATIENCE_MS): Promise<Answer> {
    const headers = headersOf({ method, origin: base, cookie: person?.cookie ?? null, hasBody: body !== null, key });
    const text = body === null ? null : JSON.stringify(body);
    return send(this.#agent, { base, method, path, headers, body: text, wantsBody, patienceMs });
  }
}

interface Asked {
  method: Method;
  path: string;
  person: Person | null;
  body: object | null;
  key: string | null;
}
