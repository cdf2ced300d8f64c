// The last step of a run: the history, completed from the shards' logs, is checked.
import type { HistoryAttempt } from '@claret/client';
import { checkHistory } from './check/check.ts';
import { readLogs } from './log-reader.ts';
import type { LoggedAttempt } from './log-reader.ts';
import type { Simulation } from './simulation.ts';

/** Of attempts that nobody told of: their process died. What they did stands in the logs. */
function untold(history: readonly HistoryAttempt[], logged: ReadonlyMap<string, LoggedAttempt>): HistoryAttempt[] {
  const told = new Set(history.map(({ id }) => id));
  return [...logged.values()]
    .filter(({ id, at }) => at !== null && !told.has(id))
    .map(({ id, label, ops }) => ({ id, transaction: id, process: 'dead', label, call: 0, return: 0, outcome: 'unknown', ops }));
}

export function judge(simulation: Simulation): void {
  const logged = readLogs(simulation.servers.map(({ disk }) => disk.all));
  simulation.history.push(...untold(simulation.history, logged));
  const committed = new Map<string, string>();
  for (const { id, at } of logged.values()) if (at !== null) committed.set(id, String(at));
  if (simulation.watcher !== null) simulation.violations.push(...simulation.watcher.judge(simulation.history, committed));
  simulation.violations.push(...(simulation.running.judge?.(simulation.history) ?? []));
  for (const { rule, text } of checkHistory(simulation.history, { committed, decided: true }).violations) simulation.blame(rule, text);
}
