// The names of modes that are runs: `run of app-1`, the time in which a record belongs to the chain of the client app-1.

const RUN = 'run';
const RUN_OF = 'run of ';

export const isRun = (mode: string): boolean => mode === RUN || mode.startsWith(RUN_OF);

/** `session`: the client's name; empty if it is not known. */
export const runOf = (session: string): string => (session === '' ? RUN : `${RUN_OF}${session}`);
