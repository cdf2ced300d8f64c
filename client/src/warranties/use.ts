// Use: an attempt's reliance on one grant. If the grant falls before the attempt has an end, the shard says whether the result is still the
// same: it executes the grant's call under a lock and compares the digest.
//
// relied on ──▶ asked ──the result is the same──▶ locked
//                 └──it is another one──▶ the attempt fails

import { Operation, type Sender, type Witness } from '../operation/operation.ts';
import type { Call } from '../values/call.ts';
import type { Grant } from './grant.ts';

export class Use {
  readonly grant: Grant;
  /** the operations of the body that it has answered */
  readonly answered: Call[];
  /** The shard was asked, or is to be asked with the next request. */
  asked = false;
  locked = false;
  /** what its shard is asked; null: nothing yet */
  validation: Validation | null = null;
  /** of the validation */
  witness: Witness | null = null;

  constructor(grant: Grant, first: Call) {
    this.grant = grant;
    this.answered = [first];
  }
}

/** Asks whether the result that a use relies on is still the same. */
export class Validation extends Operation<unknown> {
  readonly use: Use;

  constructor(sender: Sender, use: Use) {
    const { spec, key, args } = use.grant.call;
    super(sender, spec, key, args);
    this.use = use;
    this.expect = use.grant.digest;
    this.witness = use.witness;
  }
}
