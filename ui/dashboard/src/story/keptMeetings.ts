// Where transactions met in each stretch: looked for anew at most once a second while the stretch goes on, so that a sentence about it can be
// read, and once when it is over.
import type { Span, TelemetryStore } from '../store/telemetryStore.ts';
import { meetingIn, NOWHERE, type Meeting } from './meeting.ts';

const RENEWED_MS = 1_000;
const KEPT_MAX = 32;

interface Kept {
  to_ms: number;
  meeting: Meeting;
}

export class KeptMeetings {
  /** by the beginning of the stretch */
  private readonly kept = new Map<number, Kept>();

  find(store: TelemetryStore, span: Span, run: Span, isRunning: boolean): Meeting {
    const before = this.kept.get(span.from_ms);
    if (before !== undefined && (span.to_ms === before.to_ms || (isRunning && span.to_ms - before.to_ms < RENEWED_MS)))
      return before.meeting;
    // What telemetry has forgotten stays as it was found.
    if (before !== undefined && (store.oldest_ms ?? 0) > span.from_ms) return before.meeting;
    const meeting = meetingIn(store, span, run, before?.meeting ?? NOWHERE);
    if (this.kept.size >= KEPT_MAX) this.kept.delete(this.kept.keys().next().value!);
    this.kept.set(span.from_ms, { to_ms: span.to_ms, meeting });
    return meeting;
  }
}
