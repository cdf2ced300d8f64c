// The notices of this window's visit, so that loading a page again does not lose them. They go when the window is closed.
import type * as api from '../../../server/api.ts';

interface Box {
  notices: readonly api.LiveNotice[];
  /** What happened until then has been looked at. */
  seen_until_ms: number;
}

const EMPTY: Box = { notices: [], seen_until_ms: 0 };
const key = (user_id: string) => `claret-notices:${user_id}`;

export function readBox(user_id: string, storage: Pick<Storage, 'getItem'> = sessionStorage): Box {
  try {
    const box = JSON.parse(storage.getItem(key(user_id)) ?? 'null') as Partial<Box> | null;
    if (!Array.isArray(box?.notices)) return EMPTY;
    return { notices: box.notices, seen_until_ms: Number(box.seen_until_ms) || 0 };
  } catch {
    return EMPTY;
  }
}

/** Keeps these parts of the box; without storage they live as long as the page. */
export function writeBox(
  user_id: string,
  part: Partial<Box>,
  storage: Pick<Storage, 'getItem' | 'setItem'> = sessionStorage,
): void {
  try {
    storage.setItem(key(user_id), JSON.stringify({ ...readBox(user_id, storage), ...part }));
  } catch {
    // Full or forbidden storage loses no more than a list after a reload.
  }
}
