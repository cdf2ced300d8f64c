// Why a chain broke, or a batch stood back, in words (docs/errors.md). Reasons unknown to this page are shown as they are.

const WORDS: Record<string, string> = {
  displaced: 'kept an earlier turn waiting',
  kept_waiting: 'kept others waiting for too long',
  newer_chain: 'broken at another shard',
  word_refused: 'a word came too late',
  batch_refused: 'a batch was refused',
  batch_aborted: 'a batch below was aborted',
  stood_back: 'a batch below stood back',
  out_of_order: 'a member came out of order',
  abandoned: 'given up by the client',
  asked_about: 'stood back at another shard',
  expired: 'timed out',
  session_lost: 'the session was lost',
  slots_moved: 'a record moved to another shard',
  overloaded: 'too many undecided members',
  condition_changed: 'the conditions were switched',
  disk_full: 'the disk is full',
  log_unavailable: 'the log is unavailable',
};

export const reasonWords = (reason: string): string => WORDS[reason] ?? reason.replaceAll('_', ' ');
