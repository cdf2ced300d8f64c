// Mistakes of the client about warranties, and about what bodies see.
import { inClient, type ClientMistake, type Mistake } from './mistake.ts';

export const WARRANTY_MISTAKES: readonly ClientMistake[] = [
  {
    name: 'lease-from-arrival',
    file: 'warranties/shard-warranties.ts',
    right: 'this.leaseUntilMs = leftMs + ',
    wrong: 'this.leaseUntilMs = this.#environment.monotonicMs() + ',
  },
  {
    name: 'lease-too-long',
    file: 'warranties/shard-warranties.ts',
    right: 'leftMs + promisedMs(this.#termMs);',
    wrong: 'leftMs + promisedMs(100 * this.#termMs);',
  },
  {
    name: 'returned-while-pinned',
    file: 'warranties/shard-warranties.ts',
    right: 'if (grant.pinners.length === 0) this.#return(grant);',
    wrong: 'this.#return(grant);',
  },
  {
    name: 'grant-in-next-session',
    file: 'warranties/shard-warranties.ts',
    right: 'for (const grant of this.#grants.values()) this.#fall(grant);',
    wrong: '',
  },
  {
    name: 'early-recall-forgotten',
    file: 'warranties/shard-warranties.ts',
    right: 'this.#recalledEarly.delete(number) || ',
    wrong: '',
  },
  {
    name: 'frame-before-lost-time-counts',
    file: 'warranties/shard-warranties.ts',
    right: 'this.#trustedAfterMs = nowMs;',
    wrong: '',
  },
  {
    name: 'recall-wounds-nobody',
    file: 'warranties/shard-warranties.ts',
    right: 'if (isBefore(priority, pinner.priority)) pinner.mustNotWait(priority);',
    wrong: 'void pinner;',
  },
  {
    name: 'civil-clock-ignored',
    file: 'warranties/lost-time.ts',
    right: 'return this.#aheadMs - before > LOST_MS;',
    wrong: 'return before > Infinity;',
  },
  {
    name: 'timestamp-above-until',
    file: 'warranties/reliance.ts',
    right: 'isBefore(grant.holder.until, at)',
    wrong: 'isBefore(grant.holder.until, ZERO)',
  },
  {
    name: 'fallen-not-validated',
    file: 'warranties/reliance.ts',
    right: '!grant.stands(nowMs) || deeds.changes(',
    wrong: 'deeds.changes(',
  },
  {
    name: 'own-change-pinned',
    file: 'warranties/reliance.ts',
    right: ' || deeds.changes(grant.call.key)',
    wrong: '',
  },
  {
    name: 'vote-without-end',
    file: 'warranties/uses.ts',
    right: 'clock.atLeastUs(untilMs)',
    wrong: 'clock.atLeastUs(2 ** 40 * untilMs)',
  },
  {
    name: 'vote-below-warranty',
    file: 'warranties/uses.ts',
    right: 'notBefore: at, notAfter,',
    wrong: 'notBefore: { high: 0, low: at.low & 0 }, notAfter,',
  },
  {
    name: 'mixture-in-replies',
    file: 'warranties/uses.ts',
    right: 'if (this.#attempt.running && !this.hold(nowMs)) return this.#validateFallen(nowMs);',
    wrong: '',
  },
  {
    name: 'mixture-in-uses',
    file: 'warranties/uses.ts',
    right: 'if (!this.hold(nowMs)) {',
    wrong: 'if (nowMs < 0) {',
  },
  {
    name: 'error-of-mixture-passed-on',
    file: 'attempt/locking-run.ts',
    right: 'if (this.#attempt.reliesInVain) this.#attempt.failWithoutWarranties(warrantyOver());',
    wrong: 'if (!this.#attempt.running) return;',
  },
  {
    name: 'error-of-ended-attempt-passed-on',
    file: 'attempt/locking-run.ts',
    right: 'confirm(this.#attempt.branches, this.#attempt.uses !== null, () => {',
    wrong: 'confirm([], false, () => {',
  },
  {
    name: 'commit-is-no-use',
    file: 'warranties/uses.ts',
    right: 'if (committedAt !== null && pinned.length > 0) this.#warranties.used(committedAt);',
    wrong: '',
  },
  {
    name: 'pins-dropped-by-giving-up',
    file: 'warranties/uses.ts',
    right: 'if (leftMs <= 0) unpin();',
    wrong: 'if (leftMs <= Infinity) unpin();',
  },
  {
    name: 'digest-not-sent',
    file: 'attempt/branch.ts',
    right: 'wishes.of(operation), expect,',
    wrong: 'wishes.of(operation), null,',
  },
  {
    name: 'grant-of-ended-attempt-kept',
    file: 'session/session.ts',
    right: 'else this.#context.warranties.at(this.shard).onGrantedInVain(reply.granted);',
    wrong: '',
  },
];

const placesOf = (name: string) => inClient(WARRANTY_MISTAKES.find((mistake) => mistake.name === name)!).places;

/** Bodies see mixtures, and what they throw on them is passed on: each of the two alone does no harm to a caller. */
export const MIXTURES_ALLOWED: Mistake = {
  name: 'mixtures-allowed',
  places: ['mixture-in-replies', 'mixture-in-uses', 'error-of-mixture-passed-on'].flatMap(placesOf),
};
