import { ErrorState } from '@claret/ui/kit';
import { useRef } from 'react';
import { useParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/door.ts';
import { API } from '../api/paths.ts';
import { LargePost, LargePostWaiting } from '../post/LargePost.tsx';
import { Reposters } from '../post/Reposters.tsx';
import { useRepost } from '../posts/useRepost.ts';
import { NotFoundPage } from './NotFoundPage.tsx';

const TITLE_LENGTH_MAX = 60;

export default function PostPage() {
  const { id = '' } = useParams();
  const { data, problem, reload } = useQuery<api.PostPage>(API.post(id));
  if (data) return <Post key={id} page={data} />;
  if (problem?.code === 'unknown_post' || problem?.code === 'invalid_input')
    return <NotFoundPage title="There is no such post">The address may be mistyped.</NotFoundPage>;
  if (problem) return <ErrorState onRetry={reload}>{problem.message}</ErrorState>;
  return <LargePostWaiting />;
}

function Post({ page: { post, server_time_ms } }: { page: api.PostPage }) {
  const card = useRef<HTMLElement>(null);
  const repost = useRepost(post, server_time_ms, card);
  return (
    <>
      <title>{`${post.author.username}: ${shortened(post.text)} · Claret Timelines`}</title>
      <LargePost post={post} repost={repost} card={card} />
      <Reposters post={post} repost={repost} />
    </>
  );
}

/** The first words, on one line. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return characters.length > TITLE_LENGTH_MAX ? `${characters.slice(0, TITLE_LENGTH_MAX).join('')}…` : line;
}
