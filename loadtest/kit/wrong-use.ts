// Wrong use of a command: a message of one or two lines, without a stack trace, and exit code 2.

/** The request cannot be fulfilled; the message is for the person who typed the command. */
export class WrongUse extends Error {}

/** Runs a command and sets the process's exit code; `usage` is printed for `--help`, and after the message of a wrong use. */
export async function runCommand(usage: string, command: () => number | Promise<number>): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(usage);
    return;
  }
  try {
    process.exitCode = await command();
  } catch (error) {
    if (!(error instanceof WrongUse || isOfArguments(error))) throw error;
    console.error(`${error.message.split('\n', 1)[0]}\n\n${usage}`);
    process.exitCode = 2;
  }
}

function isOfArguments(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
