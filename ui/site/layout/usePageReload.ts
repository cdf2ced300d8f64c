// Reloads the window once the site answers. A browser may remember that a module could not be fetched, so that only a reload fetches it.
import { useEffect, useRef, useState } from 'react';

const RETRY_MS = 3_000;
const RELOADED_KEY = 'claret-reloaded-at';
/** A page that is still missing within this time after a reload is missing for good. */
const RELOAD_AGAIN_AFTER_MS = 60_000;

export interface PageReload {
  /** `asking`: not answered yet; `away`: no connection; `in vain`: a reload has not helped */
  state: 'asking' | 'away' | 'in vain';
  /** Asks the site now. */
  retry(): void;
}

export function usePageReload(): PageReload {
  const [state, setState] = useState<PageReload['state']>('asking');
  const ask = useRef(() => {});
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const step = async () => {
      window.clearTimeout(timer);
      const isReachable = await answers();
      if (isGone) return;
      if (!isReachable) {
        setState('away');
        timer = window.setTimeout(step, RETRY_MS);
      } else if (mayReload()) window.location.reload();
      else setState('in vain');
    };
    ask.current = () => void step();
    void step();
    window.addEventListener('online', ask.current);
    return () => {
      isGone = true;
      window.clearTimeout(timer);
      window.removeEventListener('online', ask.current);
    };
  }, []);
  return { state, retry: () => ask.current() };
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Also records the time of this reload. Without storage it could reload for ever, so it does not. */
function mayReload(): boolean {
  try {
    const reloaded_at_ms = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (Date.now() - reloaded_at_ms < RELOAD_AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
