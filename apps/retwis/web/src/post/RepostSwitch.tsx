import { Button } from '@claret/ui/kit';
import { Repeat2, Undo2 } from 'lucide-react';
import type { Repost } from '../posts/useRepost.ts';

/** Repost or undo, in words: the main action of a post's own page. */
export function RepostSwitch({ repost: { reposted, press } }: { repost: Repost }) {
  return (
    <Button look={reposted ? 'plain' : 'primary'} onClick={press}>
      {reposted ? <Undo2 size={18} aria-hidden="true" /> : <Repeat2 size={18} aria-hidden="true" />}
      {reposted ? 'Undo repost' : 'Repost'}
    </Button>
  );
}
