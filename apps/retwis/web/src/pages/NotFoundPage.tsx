import { Button, EmptyState } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Compass } from 'lucide-react';
import { PAGE } from '../api/paths.ts';

export function NotFoundPage({ title = 'There is no such page', children }: { title?: string; children?: string }) {
  return (
    <>
      <title>Not found · Claret Timelines</title>
      <EmptyState
        heading="h1"
        icon={<Compass size={26} />}
        title={title}
        actions={
          <>
            <Button asChild look="primary">
              <AppLink to={PAGE.discover()}>See what is going on</AppLink>
            </Button>
            <Button asChild>
              <AppLink to={PAGE.home}>Go to the start</AppLink>
            </Button>
          </>
        }
      >
        {children ?? 'The address may be mistyped, or the page has moved.'}
      </EmptyState>
    </>
  );
}
