import { ProblemState } from '@claret/ui/site';
import { useRef } from 'react';
import { useParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { BackLink } from '../components/BackLink.tsx';
import { LargePost, LargePostWaiting } from '../post/LargePost.tsx';
import { postTitle } from '../post/postTitle.ts';
import { Reposters } from '../post/Reposters.tsx';
import { useRepost } from '../posts/useRepost.ts';
import { NotFoundPage } from './NotFoundPage.tsx';

/** the codes for an unknown post, including malformed and overlong ids */
const UNKNOWN_POST = new Set<string>(['unknown_post', 'invalid_input', 'unknown_route'] satisfies api.ErrorCode[]);

export default function PostPage() {
  const { id = '' } = useParams();
  const { data, problem, reload } = useQuery<api.PostPage>(API.post(id));
  if (data) return <Post key={id} page={data} />;
  if (problem && UNKNOWN_POST.has(problem.code)) return <NotFoundPage title="No such post">Check the address for typos.</NotFoundPage>;
  return (
    <>
      <title>Post · Claret Timelines</title>
      <BackLink />
      {problem ? <ProblemState problem={problem} heading="h1" onRetry={() => void reload()} /> : <LargePostWaiting />}
    </>
  );
}

function Post({ page: { post, server_time_ms } }: { page: api.PostPage }) {
  const card = useRef<HTMLElement>(null);
  const repost = useRepost(post, server_time_ms, card);
  return (
    <>
      <title>{`${post.author.username}: ${postTitle(post.text)} · Claret Timelines`}</title>
      <BackLink />
      <LargePost post={post} repost={repost} card={card} />
      <Reposters post={post} repost={repost} />
    </>
  );
}
