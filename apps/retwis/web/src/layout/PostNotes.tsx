// Notices about the viewer's own posts on any page: a post is published, or it failed and waits on the timeline.
import { Button, useAnnounce, useToast } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import type { PostOutcome } from '../compose/outbox.ts';
import { outboxOf } from '../compose/useOutbox.ts';
import { useSession } from '../session.ts';

const KEY = 'own post';

export function PostNotes() {
  const { user } = useSession();
  return user && <NotesOf key={user.id} writer={user} />;
}

function NotesOf({ writer }: { writer: api.UserRef }) {
  const { refresh } = useSession();
  const toast = useToast();
  const announce = useAnnounce();
  const isAtHome = useLocation().pathname === PAGE.home;
  const hear = useEffectEvent((outcome: PostOutcome) => {
    if ('posted' in outcome) {
      announce('Posted');
      if (!isAtHome) toast({ tone: 'good', key: KEY, title: 'Posted', action: linkTo(PAGE.post(outcome.posted.entry.post.id), 'View') });
      return;
    }
    const { code, message } = outcome.problem;
    if (code === 'not_logged_in') void refresh();
    if (!isAtHome) toast({ tone: 'bad', key: KEY, title: 'Your post wasn’t sent', text: message, action: linkTo(PAGE.home, 'View') });
  });
  useEffect(() => outboxOf(writer).onOutcome((outcome) => hear(outcome)), [writer]);
  return null;
}

function linkTo(to: string, label: string) {
  return (
    <Button asChild size="small">
      <AppLink to={to}>{label}</AppLink>
    </Button>
  );
}
