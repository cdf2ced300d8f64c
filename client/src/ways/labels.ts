// Labels: which kinds of transactions may be forecast, by label.
//
// A forecast saves the round trips of a body that awaits nothing but its operations. One that also waits for timers, files or other
// transactions would hold up its chain. So a label has to be *straight*: its last bodies awaited nothing else. A label whose forecasts
// often prove wrong, or cannot be used, pauses.

/** Bodies in a row that awaited only operations. */
const STRAIGHT_RUNS = 8;
/** Bodies without records on several shards after which none are expected. */
const WIDE_RUNS = 64;
/** Members whose ends are remembered, and how many of them may have been out. */
const MEMBERS = 64;
const OUTS_MAX = 24;
const PAUSE_FIRST_MS = 1_000;
const PAUSE_LONGEST_MS = 60_000;
/** With more labels, all are learned anew. Labels are few, unless an application makes one for each transaction. */
const LABELS_MAX = 1_024;

class Label {
  straightRuns = 0;
  /** bodies to come for which records on several shards are to be expected */
  wideRuns = 0;
  /** the ends of its last members, the newest last; true: out */
  readonly ends: boolean[] = [];
  outs = 0;
  pausedUntilMs = 0;
  pauseMs = PAUSE_FIRST_MS;
}

export class Labels {
  readonly #labels = new Map<string, Label>();

  /** @param isList a list of operations awaits nothing else */
  mayBeForecast(label: string, isList: boolean, nowMs: number): boolean {
    const known = this.#labels.get(label);
    if (known === undefined) return isList;
    if (!isList && known.straightRuns < STRAIGHT_RUNS) return false;
    return nowMs >= known.pausedUntilMs;
  }

  isStraight(label: string): boolean {
    return (this.#labels.get(label)?.straightRuns ?? 0) === STRAIGHT_RUNS;
  }

  /** Its bodies have lately had records on several shards. */
  isWide(label: string): boolean {
    return (this.#labels.get(label)?.wideRuns ?? 0) > 0;
  }

  /** A forecast had records on several shards, or not. */
  forecast(label: string, wide: boolean): void {
    const known = this.#of(label);
    known.wideRuns = wide ? WIDE_RUNS : Math.max(0, known.wideRuns - 1);
  }

  /** A body has run to its end. `straight`: it awaited nothing but its operations. */
  ran(label: string, straight: boolean): void {
    const known = this.#of(label);
    known.straightRuns = straight ? Math.min(STRAIGHT_RUNS, known.straightRuns + 1) : 0;
  }

  /** A member was found in, or out. */
  concluded(label: string, out: boolean, nowMs: number): void {
    const known = this.#of(label);
    known.ends.push(out);
    if (out) known.outs++;
    if (known.ends.length > MEMBERS && known.ends.shift() === true) known.outs--;
    if (known.outs > OUTS_MAX) this.pause(label, nowMs);
    // A whole window without a pause: the next one is short again.
    else if (known.ends.length === MEMBERS) known.pauseMs = PAUSE_FIRST_MS;
  }

  /** Its transactions run with locks for a while. */
  pause(label: string, nowMs: number): void {
    const known = this.#of(label);
    if (nowMs < known.pausedUntilMs) return;
    known.pausedUntilMs = nowMs + known.pauseMs;
    known.pauseMs = Math.min(PAUSE_LONGEST_MS, known.pauseMs * 2);
    known.ends.length = 0;
    known.outs = 0;
  }

  #of(label: string): Label {
    let known = this.#labels.get(label);
    if (known !== undefined) return known;
    if (this.#labels.size === LABELS_MAX) this.#labels.clear();
    known = new Label();
    this.#labels.set(label, known);
    return known;
  }
}
