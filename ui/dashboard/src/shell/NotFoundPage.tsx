import { Button, EmptyState } from '@claret/ui/kit';
import { Link } from 'react-router';

export function NotFoundPage() {
  return (
    <>
      <title>Not here · Claret Dashboard</title>
      <EmptyState
        heading="h1"
        title="There is no such page"
        actions={
          <Button asChild>
            <Link to="/">Go to the instrument</Link>
          </Button>
        }
      >
        The address may be mistyped, or from another version of the dashboard.
      </EmptyState>
    </>
  );
}
