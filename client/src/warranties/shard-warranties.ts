// ShardWarranties: what one shard has granted to this client in the present session, and how long that stands.
//
// There is one lease for all grants of a session: it is counted from the departure of the newest frame that the shard has acknowledged. The
// shard counts from that frame's arrival, so the client stops first. While grants are held, heartbeats keep the lease alive. If the
// session breaks, its grants stand until the lease ends or the next session begins.
//
// Recalls overtake the replies that grant: one of an unknown grant is kept until the grant comes.

import type { Environment, Timer } from '../environment/environment.ts';
import type { Session } from '../session/session.ts';
import type { WarrantyReceiver, WarrantyTerms } from '../session/incoming.ts';
import type { Call } from '../values/call.ts';
import { isSame } from '../values/same.ts';
import type { WireValue } from '../values/values.ts';
import type { Granted, Standing } from '../wire/warranty-reader.ts';
import { isBefore, later, type Wide } from '../wire/wide.ts';
import { Grant, type Holder } from './grant.ts';
import type { GrantTable } from './grant-table.ts';
import { Firmness } from './firmness.ts';
import { OwnChanges } from './own-changes.ts';
import { promisedMs } from './promised-ms.ts';
import { ShardClock } from './shard-clock.ts';

const UNUSED_MS = 60_000;
const LOOK_AT_UNUSED_MS = 1_000;
const ZERO: Wide = { high: 0, low: 0 };

/** All warranties of the client, as those of one shard see them. Implemented once, since they make those of each shard. */
export interface AllWarranties {
  readonly table: GrantTable;
  readonly counters: { grants: number; grantsRecalled: number };
  /** the greatest timestamp at which any was used */
  readonly usedUpTo: Wide;
  /** the client takes and uses warranties at present */
  readonly on: boolean;
  /** A grant is kept from now on: the table may be too large. */
  kept(nowMs: number): void;
  /** A grant has fallen. */
  fell(): void;
  /** Lost time is looked for. */
  look(nowMs: number): void;
  /** Time was lost: no grant can be trusted. */
  lostTime(nowMs: number): void;
}

export class ShardWarranties implements WarrantyReceiver, Holder {
  readonly shard: number;
  leaseUntilMs = -Infinity;
  /** a warranty is wished for where the last so many answers were the same; 0: everywhere */
  evidence = 0;
  now = ZERO;
  until = ZERO;
  readonly clock = new ShardClock();
  readonly #all: AllWarranties;
  readonly #environment: Environment;
  readonly #sessionOf: (shard: number) => Session;
  /** 0: nothing is ever granted */
  #termMs = 0;
  /** not returned, by number */
  readonly #grants = new Map<number, Grant>();
  readonly #recalledEarly = new Map<number, Wide>();
  readonly #ownChanges = new OwnChanges();
  readonly #firmness: Firmness;
  /** the greatest number of a grant that has come */
  #newest = 0;
  /** acknowledgements of frames that left no later say nothing */
  #trustedAfterMs = -Infinity;
  #toldUpTo = ZERO;
  /** to be told */
  #answers = 0;
  #commits = 0;
  #timer: Timer | null = null;
  #lookAtUnusedMs = 0;

  constructor(shard: number, sessionOf: (shard: number) => Session, environment: Environment, all: AllWarranties) {
    this.shard = shard;
    this.#sessionOf = sessionOf;
    this.#environment = environment;
    this.#all = all;
    this.#firmness = new Firmness(environment, (wanted) => this.#session.outbox.warranties.wantFirm(wanted));
  }

  get #session(): Session {
    return this.#sessionOf(this.shard);
  }

  /** Observing operations ask for warranties. */
  get asks(): boolean {
    return this.#termMs > 0 && this.#all.on;
  }

  // ---- the session ----

  onSessionBegun({ warrantyTermMs, warrantyEvidence }: WarrantyTerms): void {
    for (const grant of this.#grants.values()) this.#fall(grant);
    this.#grants.clear();
    this.#firmness.forget();
    this.#recalledEarly.clear();
    this.#newest = this.#answers = this.#commits = 0;
    this.#toldUpTo = ZERO;
    this.#termMs = warrantyTermMs;
    this.evidence = warrantyEvidence;
    this.leaseUntilMs = -Infinity;
    this.now = this.until = ZERO;
    this.clock.forget();
  }

  onTakenIn(leftMs: number): void {
    if (this.#termMs > 0 && leftMs > this.#trustedAfterMs) this.leaseUntilMs = leftMs + promisedMs(this.#termMs);
  }

  onStanding({ now, until, clockUs }: Standing): void {
    const nowMs = this.#session.heardMs;
    this.now = later(this.now, now);
    this.until = later(this.until, until);
    this.#all.look(this.#environment.monotonicMs());
    if (this.clock.told(clockUs, nowMs)) this.#all.lostTime(nowMs);
  }

  // ---- grants ----

  /** The shard has granted the result of a call, or told its digest. Returns a grant of the result; one that is not kept has fallen. */
  onGranted(call: Call, result: WireValue, granted: Granted): Grant {
    const nowMs = this.#environment.monotonicMs();
    const grant = new Grant(this, call, result, granted, nowMs);
    if (this.#keep(grant, nowMs)) return grant;
    grant.fall();
    // What the client has is not granted again.
    const same = this.#all.table.same(call);
    return same !== undefined && isSame(same.result, result) ? same : grant;
  }

  #keep(grant: Grant, nowMs: number): boolean {
    const { number, call } = grant;
    if (number === 0) return false;
    const all = this.#all;
    this.#newest = Math.max(this.#newest, number);
    all.counters.grants++;
    if (this.#recalledEarly.delete(number) || !all.on || all.table.same(call)?.holder === this) {
      this.#giveBack(number, 0);
      return false;
    }
    this.#grants.set(number, grant);
    all.table.add(grant);
    this.#setTimer();
    all.kept(nowMs);
    return true;
  }

  onGrantedInVain(granted: readonly Granted[]): void {
    for (const { grant } of granted) {
      if (grant === 0) continue;
      this.#newest = Math.max(this.#newest, grant);
      this.#recalledEarly.delete(grant);
      this.#giveBack(grant, 0);
    }
  }

  onRecall(number: number, priority: Wide): void {
    const grant = this.#grants.get(number);
    if (grant === undefined) {
      if (number > this.#newest) this.#recalledEarly.set(number, priority);
      return;
    }
    this.#all.counters.grantsRecalled++;
    if (!grant.fallen) this.#ownChanges.recalled(grant.call.key, priority);
    this.letGo(grant);
    for (const pinner of grant.pinners.slice()) if (isBefore(priority, pinner.priority)) pinner.mustNotWait(priority);
  }

  /** A transaction of that priority is about to send a change of the record. */
  onChange(key: string, priority: Wide): void {
    const there = this.#all.table.of(key);
    if (there.length === 0 || !this.#ownChanges.changes(key, priority)) return;
    for (const grant of there.slice()) if (grant.holder === this) this.letGo(grant);
  }

  /** The client does not rely on it any more. */
  letGo(grant: Grant): void {
    this.#fall(grant);
    if (grant.pinners.length === 0) this.#return(grant);
  }

  /** Lets all go. Those that are pinned are returned later. */
  letAllGo(): void {
    for (const grant of [...this.#grants.values()]) this.letGo(grant);
  }

  /** Time was lost before now: nothing that left before tells how long grants stand. */
  distrust(nowMs: number): void {
    this.#trustedAfterMs = nowMs;
    this.leaseUntilMs = -Infinity;
    this.#firmness.forget();
    for (const grant of this.#grants.values()) grant.firmUntilMs = -Infinity;
    this.letAllGo();
  }

  unpinned(grant: Grant): void {
    if (grant.fallen && grant.pinners.length === 0) this.#return(grant);
  }

  #fall(grant: Grant): void {
    if (grant.fallen) return;
    grant.fall();
    this.#all.table.remove(grant);
    this.#all.fell();
  }

  /** One of an earlier session is not there any more. */
  #return(grant: Grant): void {
    if (this.#grants.get(grant.number) !== grant) return;
    this.#grants.delete(grant.number);
    this.#giveBack(grant.number, grant.uses);
  }

  #giveBack(number: number, uses: number): void {
    if (!this.#session.live) return;
    this.#tell();
    this.#session.outbox.warranties.giveBack({ grant: number, uses });
  }

  // ---- firm promises ----

  /** Until when the grant is firm, on the steady clock. Its shard is asked if that is much less than wanted; it may refuse. */
  firm(grant: Grant, forMs: number): Promise<number> {
    const mayAsk = !grant.fallen && this.#session.live;
    return this.#firmness.until(grant, forMs, mayAsk);
  }

  onFirm(number: number, forUs: number): void {
    this.#firmness.onFirm(number, forUs);
  }

  // ---- what the shard is told ----

  answered(): void {
    this.#answers++;
  }

  committed(): void {
    this.#commits++;
  }

  #tell(): void {
    const { usedUpTo } = this.#all;
    if (this.#answers + this.#commits === 0 && !isBefore(this.#toldUpTo, usedUpTo)) return;
    this.#session.outbox.warranties.used({ upTo: usedUpTo, answers: this.#answers, commits: this.#commits });
    this.#toldUpTo = usedUpTo;
    this.#answers = this.#commits = 0;
  }

  // ---- time ----

  #setTimer(): void {
    this.#timer ??= this.#environment.setTimeout(this.#onTimer, this.#termMs / 3);
  }

  readonly #onTimer = (): void => {
    this.#timer = null;
    const nowMs = this.#environment.monotonicMs();
    this.#all.look(nowMs);
    if (this.#session.live) {
      this.#tell();
      this.#session.keepAlive(this.#termMs / 6);
    } else if (nowMs >= this.leaseUntilMs) {
      this.letAllGo();
    }
    if (nowMs >= this.#lookAtUnusedMs) {
      this.#lookAtUnusedMs = nowMs + LOOK_AT_UNUSED_MS;
      for (const grant of [...this.#grants.values()]) if (nowMs - grant.usedMs >= UNUSED_MS) this.letGo(grant);
    }
    if (this.#grants.size > 0) this.#setTimer();
  };

  /** The client is closing. */
  close(): void {
    if (this.#timer !== null) this.#environment.clearTimeout(this.#timer);
    this.#timer = null;
    this.#firmness.forget();
    this.letAllGo();
    if (this.#session.live) this.#session.leaveNow();
  }
}
