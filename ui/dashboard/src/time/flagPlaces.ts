// Where flags stand on the axis: in two rows, so that one that follows closely does not take the words of the one before.
// A flag waves to the right of its pole, and has room until the next pole in its row; the newest, at the right end, waves
// to the left.

export interface FlagPlace {
  x: number;
  row: 0 | 1;
  /** CSS pixels for its words */
  room: number;
  waves: 'right' | 'left';
}

const WORDS_PX = 130;

/** `poles`: from left to right, in CSS pixels. */
export function flagPlaces(poles: readonly number[], width: number): FlagPlace[] {
  return poles.map((x, index) => {
    const row = (index % 2) as 0 | 1;
    const next = poles[index + 2] ?? width;
    const room = Math.max(0, Math.min(next, width) - x);
    const before = poles[index - 2];
    const roomLeft = x - (before === undefined ? 0 : before + WORDS_PX);
    if (room < WORDS_PX && next >= width && roomLeft > room) return { x, row, room: roomLeft, waves: 'left' };
    return { x, row, room, waves: 'right' };
  });
}
