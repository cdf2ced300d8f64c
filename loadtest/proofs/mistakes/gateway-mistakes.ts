// Mistakes of the gateway with a replicated log, with slots that move, with installed types, and at its Redis door. The
// simulation finds each of these (gateway-cases.ts).
import type { Mistake } from './mistake.ts';

const LOG = 'gateway/src/log/jetstream';
const REPLICATION = 'gateway/src/replication';
const MOVING = 'gateway/src/moving';
const DOOR = 'gateway/src/resp';
const STORE = 'gateway/src/store';

export const GATEWAY_MISTAKES: readonly Mistake[] = [
  {
    name: 'appended-anywhere',
    places: [
      {
        file: `${LOG}/fenced-stream.ts`,
        right: 'const expect = { streamName: stream, lastSequence: message.sequence - 1 };',
        wrong: 'const expect = { streamName: stream };',
      },
    ],
  },
  {
    name: 'start-not-awaited',
    places: [
      {
        file: `${LOG}/fence.ts`,
        right:
          'const { seq } = await nats.js.publish(subject, start, { expect, msgID: `${token}.start.${sent.length}`, timeout: SOON_MS });',
        wrong: 'const seq = sequence + 1; void nats.js.publish(subject, start, { expect }).catch(() => {});',
      },
      {
        file: `${LOG}/fence.ts`,
        right: 'await insisting(options, fill(options, start.sequence));',
        wrong: 'void fill(options, start.sequence)().catch(() => {});',
      },
      {
        file: `${LOG}/log-follower.ts`,
        right: 'followed.reading.readParts(begun.parts.sequence)',
        wrong: 'followed.reading.readParts(begun.parts.sequence - 8)',
      },
      {
        file: `${LOG}/log-follower.ts`,
        right: 'followed.reading.readEntries(begun.log.sequence)',
        wrong: 'followed.reading.readEntries(begun.log.sequence - 8)',
      },
      {
        file: `${LOG}/open-jetstream-log.ts`,
        right: 'reading.checkEnds(begun);',
        wrong: '',
      },
    ],
  },
  {
    name: 'late-messages-count',
    places: [
      {
        file: `${LOG}/chain.ts`,
        right: '(incarnation === 0 || incarnation < this.#incarnation)',
        wrong: 'incarnation === 0',
      },
    ],
  },
  {
    name: 'served-without-the-rest',
    places: [
      {
        file: `${LOG}/log-follower.ts`,
        right: 'return { current: followed, ...(await this.#readRest(followed, opening)) };',
        wrong: 'return { current: followed, entries: 0, bytes: 0 };',
      },
      {
        file: `${LOG}/log-follower.ts`,
        right: 'while (!followed.reading.hasReached(begun) && environment.monotonicMs() < untilMs) await pause(environment, 1);',
        wrong: 'void untilMs;',
      },
      {
        file: `${LOG}/open-jetstream-log.ts`,
        right: 'reading.checkEnds(begun);',
        wrong: '',
      },
    ],
  },
  {
    name: 'lease-from-answer',
    places: [
      {
        file: `${REPLICATION}/ownership.ts`,
        right: 'this.#renewed(renewed, revision, sentAtMs + LEASE_USED * leaseMs)',
        wrong: 'this.#renewed(renewed, revision, environment.monotonicMs() + LEASE_USED * leaseMs)',
      },
    ],
  },
  {
    name: 'answers-after-lease',
    places: [
      {
        file: 'gateway/src/store/shard-host.ts',
        right: 'this.environment.monotonicMs() >= this.answersUntilMs()',
        wrong: 'this.answersUntilMs() === -Infinity',
      },
    ],
  },
  {
    name: 'took-not-awaited',
    places: [
      {
        file: 'gateway/src/store/moving-host.ts',
        right: 'return this.logged((shard, wallMs, monotonicMs) => shard.takeOver(move, at, wallMs, monotonicMs));',
        wrong: 'this.step((shard, wallMs, monotonicMs) => shard.takeOver(move, at, wallMs, monotonicMs)); return Promise.resolve();',
      },
    ],
  },
  {
    name: 'gave-not-awaited',
    core: 'gave-not-awaited',
    places: [
      {
        file: 'gateway/src/store/moving-host.ts',
        right: 'return this.logged((shard, wallMs, monotonicMs) => shard.give(wallMs, monotonicMs));',
        wrong: 'this.step((shard, wallMs, monotonicMs) => shard.give(wallMs, monotonicMs)); return Promise.resolve();',
      },
    ],
  },
  {
    name: 'pieces-not-awaited',
    places: [{ file: `${MOVING}/slot-taker.ts`, right: '    await durable;\n', wrong: '' }],
  },
  {
    name: 'given-and-forgotten',
    places: [{ file: `${MOVING}/own-moves.ts`, right: 'if (given !== null)', wrong: 'if (given === undefined)' }],
  },
  {
    name: 'types-not-awaited',
    places: [
      {
        file: `${STORE}/own-types.ts`,
        right: '!this.host.installed().done && environment.monotonicMs() < giveUpMs',
        wrong: 'environment.monotonicMs() > giveUpMs',
      },
      { file: `${STORE}/cluster-types.ts`, right: 'if (!own.done) {', wrong: 'if (own.types.length === 0) {' },
    ],
  },
  {
    name: 'types-not-told',
    places: [
      {
        file: `${STORE}/cluster-types.ts`,
        right: '(member) => this.parts.peers.followType(member, type.id),',
        wrong: '(member) => this.parts.peers.getTypes(member),',
      },
    ],
  },
  {
    name: 'exec-in-pieces',
    places: [
      {
        file: `${DOOR}/spreads.ts`,
        right: 'wanted.map((operation) => tx.perform(describeNamed(catalogue, operation)))',
        wrong:
          'wanted.map((operation) => claret.transact(LABEL, [describeNamed(catalogue, operation)]).then(([result]) => result as unknown))',
      },
    ],
  },
  {
    name: 'exec-keeps-results',
    places: [{ file: `${DOOR}/spreads.ts`, right: '      spreading.restart(number);\n', wrong: '' }],
  },
  {
    name: 'unknown-exec-is-refused',
    places: [
      {
        file: `${DOOR}/spreads.ts`,
        right: "error instanceof ClaretError && error.commitState !== 'none'",
        wrong: "error instanceof ClaretError && error.commitState === 'applied'",
      },
    ],
  },
  {
    name: 'answers-overtake',
    places: [
      {
        file: `${DOOR}/links.ts`,
        right: "socket.on('data', (bytes) => this.host.receive(peer, bytes));",
        wrong:
          "socket.on('data', (bytes) => void this.environment.setTimeout(() => this.host.receive(peer, bytes), this.environment.random() * 10));",
      },
    ],
  },
];
