import { ProblemState } from '@claret/ui/site';
import { useParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { ProfileHead, ProfileWaiting } from '../profile/ProfileHead.tsx';
import { ProfileTabs } from '../profile/ProfileTabs.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';

/** the codes for an unknown person, including malformed and overlong names */
const UNKNOWN_USER = new Set<string>(['unknown_user', 'invalid_input', 'unknown_route'] satisfies api.ErrorCode[]);

export default function ProfilePage() {
  const { username = '' } = useParams();
  const { data, problem, reload } = useQuery<api.Profile>(API.user(username));
  if (data) return <Person key={data.user.id} profile={data} />;
  if (problem && UNKNOWN_USER.has(problem.code))
    return <NotFoundPage title="No such user">Check the spelling. Usernames never change.</NotFoundPage>;
  return (
    <>
      <title>{`${username} · Claret Timelines`}</title>
      {problem ? <ProblemState problem={problem} heading="h1" onRetry={() => void reload()} /> : <ProfileWaiting />}
    </>
  );
}

function Person({ profile }: { profile: api.Profile }) {
  return (
    <>
      <title>{`${profile.user.username} · Claret Timelines`}</title>
      <ProfileHead profile={profile} />
      <ProfileTabs user={profile.user} />
    </>
  );
}
