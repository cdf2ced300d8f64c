// Parts of an answer that its page does without.

/** From the whole to its answer, for parts that are not there yet: a shard that is away must not keep the rest of a page from being shown. */
export const LATE_MS = 500;
/** However long this server stands still, only so much of the time passes at once: what has arrived meanwhile is read first. */
const STEP_MS = 50;

/** What `part` resolves with; null if it fails, which `missed` is told, or is not there LATE_MS after `whole`, or `whole` fails. */
export function unlessLate<Part>(part: Promise<Part>, whole: Promise<unknown>, missed: (error: unknown) => void): Promise<Part | null> {
  return new Promise((resolve) => {
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const end = (told: Part | null): void => {
      isOver = true;
      clearTimeout(timer);
      resolve(told);
    };
    const wait = (left_ms: number): void => {
      if (isOver) return;
      if (left_ms === 0) return end(null);
      timer = setTimeout(wait, STEP_MS, left_ms - STEP_MS);
    };
    part.then(end, (error: unknown) => {
      if (!isOver) missed(error);
      end(null);
    });
    whole.then(
      () => wait(LATE_MS),
      () => end(null),
    );
  });
}
