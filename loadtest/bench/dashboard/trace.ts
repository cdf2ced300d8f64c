// The work of a page's main thread, from Chromium's trace.

/** As in the Trace Event Format; times in microseconds. */
export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** the CPU time of the thread in the event: less than `dur` if it waited for a CPU */
  tdur?: number;
}

export interface MainThread {
  /** the tasks in which `mark` was set, with the number of marks and the thread's CPU time */
  marked: { marks: number; took_ms: number }[];
  /** CPU time of all tasks, as a share of the time from the first task to the end of the last, 0..1 */
  busy_share: number;
}

const TASK = 'RunTask';

/** `mark`: the name of a user timing mark, which the page sets at the work to be measured. */
export function readMainThread(events: readonly TraceEvent[], mark: string): MainThread {
  const marks = events.filter(({ name, ph }) => name === mark && (ph === 'I' || ph === 'R' || ph === 'i'));
  const page = marks[0];
  if (page === undefined) return { marked: [], busy_share: 0 };
  const tasks = events
    .filter(({ name, ph, pid, tid }) => name.endsWith(TASK) && ph === 'X' && pid === page.pid && tid === page.tid)
    .sort((one, other) => one.ts - other.ts);
  const marked: MainThread['marked'] = [];
  let at = 0;
  let [busy_us, end_us] = [0, Number.NEGATIVE_INFINITY];
  marks.sort((one, other) => one.ts - other.ts);
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    if (ts < end_us) continue; // nested in another task
    end_us = ts + dur;
    busy_us += tdur;
    while (at < marks.length && marks[at]!.ts < ts) at += 1;
    const first = at;
    while (at < marks.length && marks[at]!.ts <= end_us) at += 1;
    if (at > first) marked.push({ marks: at - first, took_ms: tdur / 1_000 });
  }
  const span_us = end_us - (tasks[0]?.ts ?? end_us);
  return { marked, busy_share: span_us > 0 ? busy_us / span_us : 0 };
}
