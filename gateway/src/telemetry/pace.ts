// The pace of telemetry: intervals and timeouts, in one place because they depend on each other.

export const FRAMES_PER_SECOND = 5;
export const FRAME_EVERY_MS = 1000 / FRAMES_PER_SECOND;

/** The interval while there is no viewer and only the history is kept. */
export const BACKGROUND_EVERY_MS = 1_000;

/** The delay before the frames of all shards are merged: by then those of healthy shards have arrived. */
export const MERGE_AFTER_MS = 50;

/** A shard that has reported nothing for this long is silent. */
export const SILENT_AFTER_MS = 500;

/** A stream without a message for this long is closed and opened again. */
export const STALLED_AFTER_MS = 5_000;

/** The pause before a stream to an unreachable gateway is tried again; doubled with each failure. */
export const REOPEN_AFTER_MS = 200;
export const REOPEN_AFTER_MS_MAX = 2_000;

/** Frames of one shard that may wait for the merge. */
export const PENDING_FRAMES_MAX = 4;
