// Wrong use of a command: a message of a line or two, without a stack, and exit code 2.

/** What was asked for cannot be done: the message is for whoever typed the command. */
export class WrongUse extends Error {}

/** Runs a command and sets the process's exit code; `usage` answers `--help`, and follows what is told of its wrong use. */
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
