// The installed types of a run: they are there before the drivers begin, and in each round one gets a later version while gateways are killed.
// What is not confirmed is asked for again, through any gateway.

import { writeFileSync } from 'node:fs';
import type { HistoryAttempt } from '@claret/client';
import type { DefinedType } from '@claret/client/types';
import { OwnTypes } from '../workloads/own-types.ts';
import { Leaderboard, MovingSeatMap, RateLimiter } from '../workloads/types/installed.ts';
import { laterVersion } from '../workloads/types/types-in-use.ts';
import type { Chance } from '../../kit/random.ts';
import { authorization } from './authorization.ts';
import type { Store } from './store.ts';
import { pause } from './until.ts';

/** In this round SeatMap gets the operation that moves guests. */
export const MOVING_IN_ROUND = 1;
/** A trial of the laws takes two seconds of a processor that all gateways share. */
const CONFIRMED_WITHIN_MS = 600_000;
const ASK_WITHIN_MS = 60_000;
const AGAIN_MS = 100;
export class TypesOfRun {
  /** changes that all shards have confirmed */
  confirmed = 0;
  readonly #running = new OwnTypes(false);
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get finalReads() {
    return this.#running.types.finalReads;
  }

  async installFirst(): Promise<void> {
    for (const type of this.#running.types.first) await this.#insist(type);
  }

  /** One type has a later version, beside the load of a round. */
  async change(round: number, chance: Chance): Promise<void> {
    await pause(chance.between(0, 300));
    const type = chance.pick([RateLimiter, Leaderboard]);
    await this.#insist(round === MOVING_IN_ROUND ? MovingSeatMap : laterVersion(type, { version: round }));
  }

  /** What does not add up in the reads at the end of a round. */
  judge(attempts: readonly HistoryAttempt[]): string[] {
    return this.#running.judge(attempts).map(({ text }) => text);
  }

  /** Writes the definitions to that file. Returns the arguments with which `npm run history` reads it. */
  written(path: string): string[] {
    writeFileSync(path, JSON.stringify([MovingSeatMap, ...this.#running.types.first.slice(1)].map(({ definition }) => definition)));
    return ['--types', path];
  }

  /** Throws if it is refused, or not confirmed in time. */
  async #insist(type: DefinedType): Promise<void> {
    const untilMs = performance.now() + CONFIRMED_WITHIN_MS;
    let problem = '';
    for (let i = 0; performance.now() < untilMs; i++) {
      problem = await this.#ask(type, this.#store.rest[i % this.#store.rest.length]!);
      if (problem === '') return void this.confirmed++;
      await pause(AGAIN_MS);
    }
    throw new Error(`${type.name} ${type.version} was not installed in time: ${problem}`);
  }

  /** Returns why it is not confirmed, or ''. */
  async #ask({ definition }: DefinedType, rest: string): Promise<string> {
    let answer: { status: number; text: string };
    try {
      const response = await fetch(`${rest}/v1/types`, {
        method: 'POST',
        body: JSON.stringify({ definition }),
        headers: { 'content-type': 'application/json', ...authorization(this.#store.token) },
        signal: AbortSignal.timeout(ASK_WITHIN_MS),
      });
      answer = { status: response.status, text: await response.text() };
    } catch (error) {
      return (error as Error).message; // it was killed
    }
    if (answer.status < 300) return '';
    if (answer.status < 500) throw new Error(`a change of a type was refused: ${answer.text}`);
    return answer.text;
  }
}
