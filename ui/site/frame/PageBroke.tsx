import { Button, ErrorState } from '@claret/ui/kit';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { DOOR } from '../api/addresses.ts';
import { useSite } from '../site.ts';

const RELOADED_KEY = 'claret-reloaded-at';
const RELOAD_AGAIN_AFTER_MS = 60_000;

/** The page's code is gone from the server: the site was renewed while this page was open. */
function isCodeGone(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|preload CSS|module script failed/i.test(error.message);
}

/** Loads the page afresh, unless that was just tried, or the site does not answer: then this page is better than none. */
async function reloadOnce(): Promise<void> {
  try {
    const reloaded_at_ms = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (Date.now() - reloaded_at_ms < RELOAD_AGAIN_AFTER_MS) return;
    const answer = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' });
    if (!answer.ok) return;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    window.location.reload();
  } catch {
    // Not reachable; or no storage, without which it could reload for ever.
  }
}

/** Shown in place of a page that threw. A page whose code could not be fetched is first loaded afresh. */
export function PageBroke() {
  const error = useRouteError();
  const { name, comfort } = useSite();
  useEffect(() => {
    if (isCodeGone(error)) void reloadOnce();
    else console.error(error);
  }, [error]);
  return (
    <>
      <title>{`Something broke · Claret ${name}`}</title>
      <ErrorState
        heading="h1"
        title="This page broke"
        onRetry={() => window.location.reload()}
        actions={
          <Button asChild>
            <a href={DOOR.home}>Go to the start</a>
          </Button>
        }
      >
        {comfort} Loading the page again usually helps.
      </ErrorState>
    </>
  );
}
