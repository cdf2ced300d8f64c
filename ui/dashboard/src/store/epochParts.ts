// The parts of an epoch at a shard as modes of its lane. Writes take their turn before reads, so the two halves of a turn are the modes of
// blind writes and of reads.

/** Members wait for their epoch, and hold nothing. */
export const GATHERED = 'gathered';
/** The shard puts its list together. */
export const LISTING = 'listing';
/** Listed members hold their records, until the seal. */
export const HELD = 'held';
export const WRITE_TURN = 'write';
export const READ_TURN = 'read';

/** Nothing of the epoch commits: a list was late. */
export const CALLED_OFF = 'called off';

/** `late`: the shards whose lists were late; empty: unknown. */
export const calledOffFor = (late: readonly number[]): string =>
  late.length === 0 ? CALLED_OFF : `${CALLED_OFF}: ${shardsWords(late)} late`;

export const isCalledOff = (mode: string): boolean => mode.startsWith(CALLED_OFF);

/** "shard 1 late", which needs less room; or all of it, if nobody is known to have been late. */
export const lateWords = (mode: string): string => (mode === CALLED_OFF ? mode : mode.slice(CALLED_OFF.length + ': '.length));

/** "shard 1", "shards 1, 2 and 5". */
export function shardsWords(shards: readonly number[]): string {
  if (shards.length === 1) return `shard ${shards[0]}`;
  return `shards ${shards.slice(0, -1).join(', ')} and ${shards.at(-1)}`;
}
