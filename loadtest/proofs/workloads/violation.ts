// A violation: one thing that is wrong with a run.
export interface Violation {
  /** the rule that does not hold, in a word or two */
  rule: string;
  text: string;
}
