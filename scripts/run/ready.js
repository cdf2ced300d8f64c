// Waiting for a server to answer its readiness check.
import { get } from 'node:http';

const ASK_EVERY_MS = 50;
const ANSWER_WITHIN_MS = 2_000;

/** @param {string} url @returns {Promise<boolean>} */
function answers(url) {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: ANSWER_WITHIN_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/**
 * @param {string} url answered with 200 when ready
 * @param {import('./process.js').Child} child whose end ends the waiting
 * @param {number} timeoutMs
 * @returns {Promise<'ready' | 'ended' | 'timeout'>}
 */
export async function waitUntilReady(url, child, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (!child.ended) {
    if (await answers(url)) return 'ready';
    if (Date.now() > deadline) return 'timeout';
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  return 'ended';
}
