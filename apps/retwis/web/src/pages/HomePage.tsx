import { Timeline } from '../home/Timeline.tsx';
import { Welcome } from '../home/Welcome.tsx';
import { PostsWaiting } from '../posts/PostsWaiting.tsx';
import { useSession } from '../session.ts';

export default function HomePage() {
  const { user, isKnown } = useSession();
  if (!isKnown) return <PostsWaiting />;
  return user ? <Timeline key={user.id} viewer={user} /> : <Welcome />;
}
