// The browser, as streams see it: its network, timers and other pages.
import type { Pages, SharedStreamWorld } from './sharedStream.ts';

const pages: Pages = {
  me: `${Date.now()} ${Math.random()}`,
  open(name, onMessage) {
    const channel = new BroadcastChannel(name);
    channel.addEventListener('message', ({ data }) => onMessage(data));
    const post = (message: unknown) => {
      channel.postMessage(message); // oxlint-disable-line unicorn/require-post-message-target-origin -- that is for windows
    };
    return { post, close: () => channel.close() };
  },
  contend(name, { rob, onLead, onLost }) {
    const leaving = new AbortController();
    const end = new Promise<void>((resolve) => leaving.signal.addEventListener('abort', () => resolve()));
    let isHeld = false;
    const hold = () => {
      if (leaving.signal.aborted) return;
      isHeld = true;
      onLead();
      return end;
    };
    navigator.locks.request(name, rob ? { steal: true } : { signal: leaving.signal }, hold).catch(() => {
      if (leaving.signal.aborted) return;
      if (isHeld) onLost();
      else onLead(); // this browser grants its pages no locks: each leads itself
    });
    return () => leaving.abort();
  },
};

export const browser: SharedStreamWorld = {
  fetch: (url, init) => fetch(url, { ...init, cache: 'no-store', credentials: 'same-origin' }),
  setTimeout: (run, delay_ms) => window.setTimeout(run, delay_ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
  random: () => Math.random(),
  isOnline: () => navigator.onLine,
  ...('locks' in navigator ? { pages } : {}),
};

/** What a stream learns of its page: whether it is visible, and whether there is a network. */
export interface Attending {
  wake(): void;
  sleep(): void;
  rest(): void;
}

/** Lets the stream rest while the page has been hidden for `unseen_ms`. Returns a function that ends it. */
export function attend(stream: Attending, unseen_ms: number): () => void {
  let restTimer = 0;
  const rest = () => stream.rest();
  const look = () => {
    window.clearTimeout(restTimer);
    if (document.visibilityState === 'visible') stream.wake();
    else restTimer = window.setTimeout(rest, unseen_ms);
  };
  const sleep = () => stream.sleep();
  const events = new AbortController();
  const { signal } = events;
  window.addEventListener('online', look, { signal });
  window.addEventListener('offline', sleep, { signal });
  // A page that is left may be kept by the browser, and shown again.
  window.addEventListener('pagehide', rest, { signal });
  window.addEventListener('pageshow', look, { signal });
  document.addEventListener('visibilitychange', look, { signal });
  return () => {
    window.clearTimeout(restTimer);
    events.abort();
  };
}
