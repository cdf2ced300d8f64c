// Mistakes of the client about members of several shards, transactions with an id, and warranties. The client's own tests find each of these
// (client-mistakes.long.test.ts). seeds.ts tells whether the simulation does.
import { inClient, type ClientMistake, type Mistake } from './mistake.ts';
import { COMPUTATION_MISTAKES } from './computation-mistakes.ts';
import { MIXTURES_ALLOWED, WARRANTY_MISTAKES } from './warranty-mistakes.ts';

export const TESTS: readonly string[] = [
  'client/src/crowd/wide-',
  'client/src/crowd/chains.test.ts',
  'client/src/crowd/second-run.test.ts',
  'client/src/attempt/confirmation.test.ts',
  'client/src/idempotency/identity.test.ts',
  'client/src/warranties/warranties.test.ts',
  'client/src/warranties/reliance.test.ts',
];
export const COMPUTATION_TESTS: readonly string[] = ['client/src/computations/'];

const IDENTITY_MISTAKES: readonly ClientMistake[] = [
  {
    name: 'own-effects-told',
    file: 'idempotency/identity.ts',
    right: 'this.#isLetIn || this.#failure !== null',
    wrong: 'true',
  },
  {
    name: 'home-left-out',
    file: 'attempt/attempt.ts',
    right: 'if (identity !== null) {',
    wrong: 'if (identity?.failure) {',
  },
  {
    name: 'answer-of-this-attempt',
    file: 'attempt/branch.ts',
    right: 'return coordinator.committedBefore(this, reply.committedBefore);',
    wrong: 'reply.committedBefore = null;',
  },
];

const WIDE_MISTAKES: readonly ClientMistake[] = [
  {
    name: 'withdrawn-at-one-shard',
    file: 'crowd/chains.ts',
    right: 'if (!part.written || part === but) continue;',
    wrong: 'if (!part.written || part === but || part !== member.parts[0]) continue;',
  },
  {
    name: 'withdrawals-not-counted',
    file: 'crowd/part.ts',
    right: 'return this.results !== null && this.withdrawals >= this.needs;',
    wrong: 'return this.results !== null;',
  },
  {
    name: 'look-not-held',
    file: 'crowd/chains.ts',
    right: 'if (member.wide && member.hasResults) this.#turn.answered(member);',
    wrong: `if (member.timed) {
        lane.withdrawals++;
        lane.session.outbox.chains.withdraw(chain.number, member.number, lane.withdrawals);
        part.written = false;
      }
      if (member.wide && member.hasResults) this.#turn.answered(member);`,
  },
  {
    name: 'look-at-greatest-time',
    file: 'crowd/looks.ts',
    right: 'isBefore(at, least)',
    wrong: 'isBefore(least, at)',
  },
  {
    name: 'look-survives-break',
    file: 'crowd/looks.ts',
    right: 'this.#over.is = true;',
    wrong: 'return;',
  },
  {
    name: 'two-looks-in-one-body',
    file: 'crowd/forecast.ts',
    right: 'this.#given ??= new Given(',
    wrong: 'this.#given = new Given(',
  },
  {
    name: 'concluded-at-one-shard',
    file: 'crowd/chain.ts',
    right: 'member.parts.every((one) => this.laneOf(one).first === one)',
    wrong: 'true',
  },
  {
    name: 'first-vote-commits',
    file: 'crowd/batch.ts',
    right: 'if (!this.undecided || --this.#unvoted > 0) return;',
    wrong: 'if (!this.undecided) return;',
  },
  {
    name: 'least-vote-is-time',
    file: 'crowd/batch.ts',
    right: 'const at = greatestVote(this.#parts);',
    wrong: 'const at = this.#parts.map(({ votedAt }) => votedAt).reduce((a, b) => (isBefore(b, a) ? b : a));',
  },
  {
    name: 'refusal-is-vote',
    file: 'crowd/batch.ts',
    right: 'if (error === null) return this.vote(votedAt);',
    wrong: 'if (error === null || error.code === codes.chainBroken) return this.vote(votedAt);',
  },
  {
    name: 'lost-answer-is-refusal',
    file: 'crowd/batch.ts',
    right: 'if (part !== undefined && this.undecided && !part.voted) this.#ask(part);',
    wrong: 'if (part !== undefined && this.undecided && !part.voted) this.fail(noTrace);',
  },
  {
    name: 'unknown-runs-again',
    file: 'crowd/chains.ts',
    right: 'unknown: () => this.#batchOver(batch, ({ owner }) => owner.onUnknown()),',
    wrong: 'unknown: () => this.#batchOver(batch, ({ owner }) => owner.onBroken(brokenChain)),',
  },
  {
    name: 'aborts-at-nobody',
    file: 'crowd/batch.ts',
    right: 'if (part.connected && !part.ended) part.session.outbox.outcomes.abort(this.number);',
    wrong: '{}',
  },
  {
    name: 'abort-keeps-chain',
    file: 'crowd/chains.ts',
    right: 'if (this.#chain.number === batch.chain) this.#break(error, null, BATCH_ABORTED);',
    wrong: '',
  },
  {
    name: 'two-batches-at-a-shard',
    file: 'crowd/chains.ts',
    right: 'nextWords(this.#concluded, (shard) => ',
    wrong: 'nextWords(this.#concluded, (shard) => shard < 0 && ',
  },
  {
    name: 'break-not-told',
    file: 'crowd/chains.ts',
    right: 'if (session.shard !== shard) session.outbox.chains.begin(this.#chain.number);',
    wrong: '{}',
  },
  {
    name: 'concluded-survives-break',
    file: 'crowd/chains.ts',
    right: "for (const member of this.#concluded) member.state = 'sent'; // its word has not left\n    this.#concluded = [];",
    wrong: '',
  },
  {
    name: 'answered-again-stands',
    file: 'crowd/chains.ts',
    right: 'const stale = !stays && this.#takeBack(member);',
    wrong: 'const stale = false;',
  },
  {
    name: 'numbers-out-of-order',
    file: 'crowd/member.ts',
    right: 'for (const part of this.parts) part.dropped = true;\n    this.parts = this.#divide();',
    wrong: 'for (const part of this.parts) part.again();',
  },
  {
    name: 'single-ends-in-a-batch',
    file: 'crowd/chain.ts',
    right: 'this.laneOf(member.parts[0]!).wides === 0;',
    wrong: 'true;',
  },
  {
    name: 'ticks-from-zero',
    file: 'crowd/batch.ts',
    right: '(number - this.members[0]!.number) * TIMESTAMPS_PER_TICK',
    wrong: '0',
  },
  {
    name: 'turn-never-returned',
    file: 'crowd/sending-turn.ts',
    right: "if (this.#state !== 'held' || !this.#recalled",
    wrong: "if (this.#state !== '' || !this.#recalled",
  },
  {
    name: 'turn-returned-unanswered',
    file: 'crowd/sending-turn.ts',
    right: '!this.#recalled || this.#unanswered',
    wrong: '!this.#recalled || this.#asks < 0 && this.#unanswered',
  },
];

/** Each with the tests of the client that find it. */
export const CLIENT_MISTAKES: readonly (Mistake & { readonly tests: readonly string[] })[] = [
  ...[...IDENTITY_MISTAKES, ...WIDE_MISTAKES, ...WARRANTY_MISTAKES].map((mistake) => ({ ...inClient(mistake), tests: TESTS })),
  { ...MIXTURES_ALLOWED, tests: TESTS },
  ...COMPUTATION_MISTAKES.map((mistake) => ({ ...inClient(mistake), tests: COMPUTATION_TESTS })),
];
