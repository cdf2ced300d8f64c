// A violation: one fault of a run.
export interface Violation {
  /** the violated rule, in a word or two */
  rule: string;
  text: string;
}
