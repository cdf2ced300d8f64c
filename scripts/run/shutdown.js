// Shutdown. A signal, or the end of a command, runs the registered handlers, newest first; then the process exits. Handlers must
// bound their own time, so that the shutdown cannot hang.
import { constants } from 'node:os';
import { stopAll } from './process.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Ctrl-C reaches us from the terminal and again through npm: only a signal later than this means "stop at once". */
const REPEATED_SIGNAL_MS = 1_000;

/** @type {(() => unknown)[]} */
const handlers = [];
let stopping = false;

/** @param {() => unknown} handler @returns {() => void} unregisters the handler */
export function onShutdown(handler) {
  handlers.push(handler);
  return () => {
    const at = handlers.indexOf(handler);
    if (at >= 0) handlers.splice(at, 1);
  };
}

/** Runs all handlers once, newest first, and stops the remaining children. */
export async function shutdown() {
  stopping = true;
  for (let handler = handlers.pop(); handler; handler = handlers.pop()) await handler();
  await stopAll();
}

export const isStopping = () => stopping;

/** @param {{exitCode?: number}} [options] exitCode: for programs that are normally ended by a signal; default 128 + signal */
export function stopOnSignals({ exitCode } = {}) {
  let first = 0;
  for (const signal of SIGNALS) {
    process.on(signal, async () => {
      if (stopping) {
        if (first && Date.now() - first > REPEATED_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
        return;
      }
      first = Date.now();
      await shutdown();
      process.exit(exitCode ?? 128 + constants.signals[signal]);
    });
  }
}
