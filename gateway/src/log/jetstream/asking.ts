// Questions to servers that may have no leader at the moment. What was sent before there is a leader, or to one that is gone, is answered by
// nobody, and the next leader knows nothing of it.
import type { Environment, Timer } from '@claret/client';
import { JetStreamApiError } from '@nats-io/jetstream';
import { ANSWER_MS } from './connection.ts';

const ASK_AGAIN_MS = 250;
/** There is a server, but no leader. */
const UNAVAILABLE = 503;

/**
 * Asks, and asks again every ASK_AGAIN_MS, while nobody has answered. The first answer counts, also if it is a refusal, and may be one to an
 * earlier question. So it comes soon after there is a leader, and may nevertheless take its time. Rejects if there is none within ANSWER_MS.
 */
export function askAgain<T>(environment: Environment, ask: () => Promise<T>): Promise<T> {
  const giveUpMs = environment.monotonicMs() + ANSWER_MS;
  return new Promise((resolve, reject) => {
    let timer: Timer | undefined;
    let why: unknown = new Error('no answer');
    const failed = (error: unknown) => {
      environment.clearTimeout(timer);
      reject(error as Error);
    };
    const again = () => {
      if (environment.monotonicMs() >= giveUpMs) return failed(why);
      timer = environment.setTimeout(again, ASK_AGAIN_MS);
      ask().then(
        (answer) => {
          environment.clearTimeout(timer);
          resolve(answer);
        },
        (error: unknown) => {
          why = error;
          if (isAnswer(error)) failed(error);
        },
      );
    };
    again();
  });
}

const isAnswer = (error: unknown): boolean => error instanceof JetStreamApiError && error.status !== UNAVAILABLE;

/** Rejects once that is stopped, without the answer. */
export function unlessStopped<T>(answer: Promise<T>, stopped: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('stopped'));
    if (stopped.aborted) stop();
    stopped.addEventListener('abort', stop, { once: true });
    answer.then(resolve, reject).finally(() => stopped.removeEventListener('abort', stop));
  });
}
