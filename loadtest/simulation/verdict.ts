// The last step of a run: the history, completed from the shards' logs, is checked.
import type { HistoryAttempt } from '@claret/client';
import { readLogs } from './log-reader.ts';
import type { Simulation } from './simulation.ts';

/** Of attempts that nobody told of: their process died. What they did stands in the logs. */
function untold({ history }: Simulation, logged: ReturnType<typeof readLogs>): HistoryAttempt[] {
  const told = new Set(history.map(({ id }) => id));
  return [...logged.values()]
    .filter(({ id, at }) => at !== null && !told.has(id))
    .map(({ id, label, ops }) => ({ id, transaction: id, process: '', label, call: 0, return: Infinity, outcome: 'unknown', ops }));
}

export function judge(simulation: Simulation): void {
  const logged = readLogs(simulation.servers.map(({ disk }) => disk.pieces));
  const attempts = [...simulation.history, ...untold(simulation, logged)];
  const sums = new Map<string, number>();
  for (const { outcome, id, ops } of attempts) {
    const at = logged.get(id)?.at ?? null;
    const mutates = ops.some(({ op }) => op === 'add');
    if (outcome === 'ok' && mutates && at === null) simulation.blame('lost', `${id} was acknowledged and is in no log`);
    if (outcome === 'fail' && at !== null) simulation.blame('aborted', `${id} was told as failed and is in the logs`);
    if (at === null) continue;
    for (const { key, op, args } of ops) if (op === 'add') sums.set(key, (sums.get(key) ?? 0) + (args[0] as number));
  }
  for (const { label, ops } of attempts) {
    if (label !== 'FinalRead') continue;
    for (const { key, result } of ops) {
      if (result !== (sums.get(key) ?? 0)) simulation.blame('sum', `${key} is ${JSON.stringify(result)}, committed additions make ${sums.get(key) ?? 0}`);
    }
  }
}
