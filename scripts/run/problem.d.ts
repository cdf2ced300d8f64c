/** What went wrong and what to do about it, for the person who typed the command: shown without a stack. */
export class Problem extends Error {
  constructor(message: string, output?: string);
  /** of the tool that failed */
  output: string;
}
