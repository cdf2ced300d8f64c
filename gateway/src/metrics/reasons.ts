// The reasons for which chains break, and batches stand back (docs/errors.md). Each has a counter from the start, since a rate needs two values.
export const BREAK_REASONS = [
  'displaced',
  'kept_waiting',
  'newer_chain',
  'word_refused',
  'batch_refused',
  'batch_aborted',
  'stood_back',
  'out_of_order',
  'session_lost',
  'slots_moved',
  'overloaded',
  'condition_changed',
  'disk_full',
  'log_unavailable',
] as const;

export const STAND_BACK_REASONS = ['kept_waiting', 'abandoned', 'asked_about', 'expired', 'session_lost'] as const;
