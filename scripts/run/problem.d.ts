/** An error message with advice for the person who typed the command: shown without a stack trace. */
export class Problem extends Error {
  constructor(message: string, output?: string);
  /** the output of the tool that failed */
  output: string;
}
