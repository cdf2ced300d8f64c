// The names of modes that are runs: `run of app-1`, the time in which a record belongs to the chain of the client app-1. And those of turns:
// `turn of app-1`, the time in which that client may send wide members.

const RUN = 'run';
const RUN_OF = 'run of ';

export const isRun = (mode: string): boolean => mode === RUN || mode.startsWith(RUN_OF);

/** `session`: the client's name; empty if it is not known. */
export const runOf = (session: string): string => (session === '' ? RUN : `${RUN_OF}${session}`);

const TURN_OF = 'turn of ';
/** The mode of those that wait for a turn. */
export const WAITING_FOR_TURN = 'waiting for a turn';

export const turnOf = (client: string): string => `${TURN_OF}${client}`;

/** The client whose turn it is; null: it is another mode. */
export const clientOfTurn = (mode: string): string | null => (mode.startsWith(TURN_OF) ? mode.slice(TURN_OF.length) : null);
