// An error message with advice for the person who typed the command: shown without a stack trace.
export class Problem extends Error {
  /** @param {string} message @param {string} [output] the output of the tool that failed */
  constructor(message, output = '') {
    super(message);
    this.output = output;
  }
}
