// How long the laws of a type are tried, unless the caller says. Claret's own tests set less: other tests try the laws of the same types for longer.

const SECONDS = 2;

/** Throws for a text that is no positive number. */
export function trialSecondsOf({ CLARET_TRIAL_SECONDS: text }: NodeJS.ProcessEnv): number {
  if (text === undefined) return SECONDS;
  const seconds = Number(text);
  if (seconds > 0 && Number.isFinite(seconds)) return seconds;
  throw new Error(`CLARET_TRIAL_SECONDS: ${JSON.stringify(text)} is not a positive number`);
}
