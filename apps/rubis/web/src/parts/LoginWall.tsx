import { Button, EmptyState } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { LogIn } from 'lucide-react';
import { useLocation } from 'react-router';
import { PAGE } from '../api/paths.ts';

/** Shown where one has to be logged in; one comes back here afterwards. */
export function LoginWall({ title, children }: { title: string; children: string }) {
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      heading="h1"
      icon={<LogIn size={26} />}
      title={title}
      actions={
        <>
          <Button asChild look="primary">
            <AppLink to={PAGE.login(pathname + search)}>Log in</AppLink>
          </Button>
          <Button asChild>
            <AppLink to={PAGE.register(pathname + search)}>Register</AppLink>
          </Button>
        </>
      }
    >
      {children}
    </EmptyState>
  );
}
