// Replaces a page that cannot be shown: it threw, or its code could not be fetched.
import { Button, ErrorState } from '@claret/ui/kit';
import { WifiOff } from 'lucide-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { SITE_PATHS } from '../api/addresses.ts';
import { useSite } from '../site.ts';
import { usePageReload } from './usePageReload.ts';

/** The connection failed, or the site was updated while this page was open. */
function isCodeMissing(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|preload CSS|module script failed/i.test(error.message);
}

export function PageBroke() {
  const error = useRouteError();
  return isCodeMissing(error) ? <CodeMissing error={error} /> : <Broken error={error} />;
}

function Broken({ error }: { error: unknown }) {
  const { name, comfort } = useSite();
  useEffect(() => console.error(error), [error]);
  return (
    <>
      <title>{`Something went wrong · Claret ${name}`}</title>
      <ErrorState
        heading="h1"
        title="Something went wrong"
        onRetry={() => window.location.reload()}
        actions={
          <Button asChild>
            <a href={SITE_PATHS.home}>Go to home page</a>
          </Button>
        }
      >
        {comfort} Reloading the page usually helps.
      </ErrorState>
    </>
  );
}

/** Reloads the page as soon as the site answers; if the code is still missing then, the page is broken. */
function CodeMissing({ error }: { error: unknown }) {
  const { name } = useSite();
  const { state, retry } = usePageReload();
  if (state === 'in vain') return <Broken error={error} />;
  if (state === 'asking') return null;
  return (
    <>
      <title>{`No connection · Claret ${name}`}</title>
      <ErrorState heading="h1" title="No connection" icon={<WifiOff size={26} />} onRetry={retry}>
        This page couldn’t be loaded. It will open as soon as you’re back online.
      </ErrorState>
    </>
  );
}
