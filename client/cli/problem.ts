// Problem: an error of the command line, as it is reported on standard error, with its exit code.

export const EXIT = {
  ok: 0,
  /** the operation was refused, or failed; nothing happened */
  failed: 1,
  /** the command line cannot be understood */
  usage: 2,
  /** no gateway, or not the required shard, could be reached; nothing happened */
  unreachable: 3,
  /** the transaction may have happened, or it has and its results were lost */
  unknown: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error for the user at the terminal. Its message is one or more complete sentences. */
export class Problem extends Error {
  readonly exit: ExitCode;
  /** stable, as in docs/errors.md, or the command line's own: `usage`, `no_gateway`, `no_record`, `no_answer` … */
  readonly code: string;
  /** further members for `--json` */
  readonly detail: Record<string, unknown>;
  /** advice, on a line of its own */
  readonly hint: string | undefined;

  constructor(
    exit: ExitCode,
    code: string,
    message: string,
    { hint, ...detail }: { hint?: string | undefined } & Record<string, unknown> = {},
  ) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.hint = hint;
    this.detail = detail;
  }
}

export const usageProblem = (message: string, hint?: string): Problem => new Problem(EXIT.usage, 'usage', message, { hint });

/** The message says which token it is. */
export const TOKEN_HINT = 'Give that token with --token or CLARET_TOKEN.';

/** The members of a `ClaretError`, declared here so that the client need not be imported. */
interface ClientError extends Error {
  code: string;
  retryable: boolean;
  commitState: 'none' | 'applied' | 'unknown';
  cause?: string;
  key?: string;
  operation?: string;
  blockingOperation?: string;
  blockingLabel?: string;
  retries: number;
}

const isClientError = (error: unknown): error is ClientError => error instanceof Error && error.name === 'ClaretError';

/** Makes a sentence of the text: a capital at the beginning, if that is a plain word, and a full stop at the end. */
export function sentence(text: string): string {
  const begun = /^[a-z]+\b(?![.:])/.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

function hintOf({ code, cause, commitState, retryable, key }: ClientError): string | undefined {
  if (code === 'wrong_type' && key !== undefined && !retryable) return `\`claret get ${key}\` shows it.`;
  if (commitState === 'applied') return 'It is committed: do not send it again.';
  if (commitState === 'unknown')
    return 'It may have happened. A transaction that was given an --id can be sent again with it: it commits once.';
  if (code === 'unauthenticated') return TOKEN_HINT;
  if (cause === 'shard_unavailable') return '`claret shards` shows which shards can be reached.';
  return retryable ? 'Nothing happened; it can be tried again.' : undefined;
}

/** Converts an error of the client to a problem. Other errors, which are bugs, are thrown again. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!isClientError(error)) throw error;
  const { code, cause, key, operation, blockingOperation, blockingLabel, retries, retryable, commitState } = error;
  const gone = code === 'shard_unavailable' || cause === 'shard_unavailable';
  const exit = commitState !== 'none' ? EXIT.unknown : gone ? EXIT.unreachable : EXIT.failed;
  const detail = {
    retryable,
    commit_state: commitState,
    retries,
    key,
    operation,
    blocking_operation: blockingOperation,
    blocking_label: blockingLabel,
    cause,
  };
  return new Problem(exit, code, sentence(error.message), { hint: hintOf(error), ...detail });
}
