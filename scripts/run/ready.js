// Waits until a server's readiness check succeeds.
import { get } from 'node:http';

const ASK_EVERY_MS = 50;
const ANSWER_WITHIN_MS = 2_000;

/**
 * A gateway's report during a long start.
 * @typedef {{records_loaded: number, entries_replayed: number, bytes_read: number, bytes_total: number}} Recovering
 */

/** @param {string} body @returns {Recovering | undefined} */
function recoveringIn(body) {
  try {
    const told = JSON.parse(body);
    return told.phase === 'recovering' ? told : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} url @returns {Promise<'ready' | 'not' | Recovering>} */
function ask(url) {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: ANSWER_WITHIN_MS }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve(response.statusCode === 200 ? 'ready' : (recoveringIn(body) ?? 'not')));
      response.on('error', () => resolve('not'));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve('not'));
  });
}

/**
 * @param {string} url answered with 200 when ready
 * @param {import('./process.js').Child} child its end ends the wait
 * @param {number} timeoutMs excludes the time in which the server reports that it is recovering, which is long for a large store
 * @param {(told: Recovering) => void} [onRecovering]
 * @returns {Promise<'ready' | 'ended' | 'timeout'>}
 */
export async function waitUntilReady(url, child, timeoutMs, onRecovering) {
  let deadline = Date.now() + timeoutMs;
  while (!child.ended) {
    const answer = await ask(url);
    if (answer === 'ready') return 'ready';
    if (typeof answer === 'object') {
      deadline = Date.now() + timeoutMs;
      onRecovering?.(answer);
    }
    if (Date.now() > deadline) return 'timeout';
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  return 'ended';
}
