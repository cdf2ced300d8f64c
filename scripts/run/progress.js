// One line per step, redrawn on a terminal, plain lines elsewhere. A step that took no time prints no line. Steps may run in
// parallel.
import { countedFor } from './cpu.js';
import { isStopping } from './shutdown.js';

const QUICK_MS = 400;
const BAR_WIDTH = 24;
const TICK_MS = 1_000;
/** Without a terminal, a progress bar is printed each time it has grown by this much. */
const PLAIN_STEP_PERCENT = 25;

const terminal = process.stdout.isTTY === true;

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** @param {number} done @param {number} total */
export function bar(done, total) {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const full = Math.round(share * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${String(Math.floor(share * 100)).padStart(3)}%`;
}

/** The steps that have ended, in the order of their ends; `cpuMs`: of the processes that they started. @type {{name: string, ms: number, cpuMs: number}[]} */
const ended = [];

export const endedSteps = () => [...ended];

/** The lines of the running steps, oldest first: on a terminal they share the last line. @type {Set<() => string>} */
const underWay = new Set();

function redraw() {
  const width = process.stdout.columns ?? 80;
  const text = [...underWay].map((say) => say()).join(' · ');
  process.stdout.write(`\r\x1b[2K${text === '' ? '' : `  ${text}`.slice(0, width - 1)}`);
}

/** Prints a line above those of the running steps. @param {string} text */
function print(text) {
  if (terminal) process.stdout.write('\r\x1b[2K');
  console.log(text);
  if (terminal) redraw();
}

/**
 * Runs one step of work and shows its progress.
 * @template T
 * @param {string} title
 * @param {(show: {note: (text: string) => void, amount: (done: number, total: number, what: string) => void}) => Promise<T>} work
 * @param {(result: T) => string} [outcome] describes the result, and is always printed; without it, a quick success prints nothing
 * @returns {Promise<T>}
 */
export async function step(title, work, outcome) {
  const started = Date.now();
  const elapsed = () => Date.now() - started;
  const used = { cpuMs: 0 };
  let detail = '';
  let announced = false;
  let plainPercent = 0;
  const say = () => `${title} ${detail}${detail && ' '}${Math.floor(elapsed() / 1000)} s`;
  const draw = () => {
    if (terminal) {
      underWay.add(say);
      redraw();
    } else if (!announced) print(`  ${title} …`);
    announced = true;
  };
  const leave = (line) => {
    underWay.delete(say);
    if (line !== '') print(line);
    else if (terminal && announced) redraw();
  };
  const soon = setTimeout(draw, QUICK_MS);
  const ticks = setInterval(draw, TICK_MS);
  const show = {
    note(text) {
      detail = text;
    },
    amount(done, total, what) {
      detail = `${bar(done, total)} ${what}`;
      if (terminal) return draw();
      const percent = total > 0 ? Math.floor((done / total) * 100) : 0;
      if (percent < plainPercent - PLAIN_STEP_PERCENT) plainPercent = 0; // another amount begins
      if (percent < plainPercent + PLAIN_STEP_PERCENT) return;
      plainPercent = percent - (percent % PLAIN_STEP_PERCENT);
      announced = true;
      print(`  ${title} ${detail}`);
    },
  };
  try {
    const result = await countedFor(used, () => work(show));
    const isWorthALine = outcome !== undefined || announced || elapsed() >= QUICK_MS;
    leave(isWorthALine ? `${outcome ? outcome(result) : `✓ ${title}`} (${seconds(elapsed())})` : '');
    return result;
  } catch (error) {
    leave(isStopping() ? '' : `✗ ${title} (${seconds(elapsed())})`); // a stopped step has not failed
    throw error;
  } finally {
    ended.push({ name: title, ms: elapsed(), ...used });
    clearTimeout(soon);
    clearInterval(ticks);
  }
}
