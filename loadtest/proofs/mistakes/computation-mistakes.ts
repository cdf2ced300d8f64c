// Mistakes of the client about computations.
import type { ClientMistake } from './mistake.ts';

export const COMPUTATION_MISTAKES: readonly ClientMistake[] = [
  {
    name: 'node-not-marked',
    file: 'computations/leaf.ts',
    right: 'this.doubted = true;\n    this.#above?.suspect();',
    wrong: 'this.doubted = true;',
  },
  {
    name: 'nodes-above-not-marked',
    file: 'computations/node.ts',
    right: 'for (const parent of this.parents) parent.suspect();',
    wrong: '',
  },
  {
    name: 'lease-ignored-above',
    file: 'computations/node.ts',
    right: 'return this.clean && this.#holders.every(({ leaseUntilMs }) => nowMs < leaseUntilMs);',
    wrong: 'return this.clean;',
  },
  {
    name: 'other-value-below',
    file: 'computations/node.ts',
    right: 'if (node.record?.hash !== hash || !node.settle(',
    wrong: 'if (!node.settle(',
  },
  {
    name: 'fallen-before-kept',
    file: 'computations/leaf.ts',
    right: 'return this.grant !== null && !this.grant.fallen;',
    wrong: 'return this.grant !== null && this.grant.number > 0;',
  },
  {
    name: 'joins-after-the-end',
    file: 'client.ts',
    right: 'flight.joinable = false;',
    wrong: '',
  },
  {
    name: 'joins-inside-a-transaction',
    file: 'transaction/tx.ts',
    right: 'return this.#evaluates().call(',
    wrong:
      'if (this.retries >= 0) return (computation as unknown as { get(...all: Args): Promise<Result> }).get(...args);\n    return this.#evaluates().call(',
  },
  {
    name: 'mixture-in-a-refresh',
    file: 'computations/refresh.ts',
    right: 'return !this.failed && this.#warranties.falls === this.#falls && nowMs < this.#untilMs;',
    wrong: 'return !this.failed && nowMs > 0;',
  },
  {
    name: 'refreshed-though-fallen',
    file: 'computations/computations.ts',
    right: 'if (!(await this.#refresh.run(node)) || !this.#isOfNow(node)) return',
    wrong: 'await this.#refresh.run(node);\n    if (node.record === null) return',
  },
  {
    name: 'value-not-proved',
    file: 'computations/evaluation.ts',
    right: 'uses.relyLate(leaves.map((leaf) => leaf.reason!));',
    wrong: '',
  },
  {
    name: 'proof-not-awaited',
    file: 'computations/evaluation.ts',
    right: 'if (asked.length > 0) await Promise.all(asked);',
    wrong: '',
  },
  {
    name: 'changed-leaf-ignored',
    file: 'computations/evaluation.ts',
    right: 'if (isSame(result, leaf.result)) {',
    wrong: 'if (isSame(result, leaf.result) || leaf.doubted) {',
  },
  {
    name: 'always-cut-off',
    file: 'computations/evaluation.ts',
    right: 'if (hash !== member.hash) return false;',
    wrong: '',
  },
  {
    name: 'never-cut-off',
    file: 'computations/evaluation.ts',
    right: 'if (hash !== member.hash) return false;',
    wrong: 'if (hash !== null) return false;',
  },
  {
    name: 'impure-value-kept',
    file: 'computations/evaluation.ts',
    right: 'computations.isImpure(computation);\n      return { value: frozenFrom(text), hash: null };',
    wrong: '',
  },
  {
    name: 'refusal-of-others-passed-on',
    file: 'attempt/locking-run.ts',
    right: 'this.othersRefused = !error.retryable && this.asksForOthers > 0;',
    wrong: '',
  },
];
