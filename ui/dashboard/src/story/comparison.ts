// The figures of two modes beside each other. A quotient is that of the two numbers as they are shown.
import { figureWords, msWords } from '../components/figures.ts';
import type { Figures } from './cards.ts';
import { differ } from './spread.ts';

/** With more, tries are counted in whole and tenths. */
const PRECISE_BELOW = 10;

/** "22.7", "0.04", "0": as the cards and the sentences show it. */
export function lostWords(lost_per_commit: number): string {
  if (lost_per_commit >= PRECISE_BELOW) return lost_per_commit.toFixed(1);
  return lost_per_commit > 0 && lost_per_commit < 0.005 ? '<0.01' : figureWords(lost_per_commit);
}

export const rateWords = (per_s: number): string => figureWords(per_s);
export const waitedWords = (ms: number): string => msWords(ms);

const shown = (words: string): number => Number(words.replaceAll(/[^\d.]/g, ''));

export type Change = { is: 'other run' } | { is: 'unclear' } | { is: 'clear'; factor: number };

/** Commits a second: unclear within the spread; not known if the two were measured under different loads. */
export function rateChange(before: Figures, after: Figures): Change {
  if (before.run_ms !== after.run_ms) return { is: 'other run' };
  if (!differ(before.spread, after.spread)) return { is: 'unclear' };
  const least = shown(rateWords(before.committed_per_s));
  return least > 0 ? { is: 'clear', factor: shown(rateWords(after.committed_per_s)) / least } : { is: 'unclear' };
}

/** "32", "1.2", "0.85" */
export function factorWords(factor: number): string {
  if (factor >= 9.95) return String(Math.round(factor));
  return factor >= 1.05 ? factor.toFixed(1) : factor.toFixed(2);
}
