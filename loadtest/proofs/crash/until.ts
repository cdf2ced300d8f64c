// Waits for events in other processes.

const LOOK_MS = 10;

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Returns false if it was not reached within that time. */
export async function until(reached: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const untilMs = performance.now() + withinMs;
  while (!(await reached())) {
    if (performance.now() > untilMs) return false;
    await pause(LOOK_MS);
  }
  return true;
}
