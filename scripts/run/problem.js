// What went wrong and what to do about it, for the person who typed the command: shown without a stack.
export class Problem extends Error {
  /** @param {string} message @param {string} [output] of the tool that failed */
  constructor(message, output = '') {
    super(message);
    this.output = output;
  }
}
