// How often telemetry is told, and how long one waits for it. One place, since the numbers hang together.

export const FRAMES_PER_SECOND = 5;
export const FRAME_EVERY_MS = 1000 / FRAMES_PER_SECOND;

/** In the background, where nobody views and a history is kept. */
export const BACKGROUND_EVERY_MS = 1_000;

/** Shards are put together so long after they have told: by then the frames of those that are well have arrived. */
export const MERGE_AFTER_MS = 50;

/** A shard that has told nothing for so long is silent. */
export const SILENT_AFTER_MS = 500;

/** A stream that has told nothing for so long is given up, and opened anew. */
export const STALLED_AFTER_MS = 5_000;

/** Before a stream to a gateway that could not be reached is tried again: doubled with each failure. */
export const REOPEN_AFTER_MS = 200;
export const REOPEN_AFTER_MS_MAX = 2_000;

/** Frames of one shard that wait to be put together. */
export const PENDING_FRAMES_MAX = 4;
