// What a run is blamed for.
export interface Violation {
  /** the rule that does not hold, in a word or two */
  rule: string;
  text: string;
}
