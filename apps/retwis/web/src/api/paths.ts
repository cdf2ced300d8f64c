// The server's API paths and the site's own page paths, in one file, so that a link and the prefetch behind it agree.
import { SITE_PATHS, withQuery } from '@claret/ui/site';

const at = encodeURIComponent;

export const API = {
  demo: '/api/demo',
  timeline: '/api/timeline',
  latest: '/api/latest',
  trending: '/api/trending',
  tagged: (tag: string) => `/api/tags/${at(tag)}/posts`,
  people: '/api/people',
  posts: '/api/posts',
  post: (post_id: string) => `/api/posts/${at(post_id)}`,
  repost: (post_id: string) => `/api/posts/${at(post_id)}/repost`,
  reposters: (post_id: string) => `/api/posts/${at(post_id)}/reposters`,
  user: (username: string) => `/api/users/${at(username)}`,
  userPosts: (username: string) => `/api/users/${at(username)}/posts`,
  followers: (username: string) => `/api/users/${at(username)}/followers`,
  following: (username: string) => `/api/users/${at(username)}/following`,
  follow: (username: string) => `/api/users/${at(username)}/follow`,
};

export const PAGE = {
  ...SITE_PATHS,
  discover: (tab?: string) => withQuery('/discover', { tab }),
  about: '/about',
  user: (username: string, tab?: string) => withQuery(`/u/${at(username)}`, { tab }),
  post: (post_id: string) => `/p/${at(post_id)}`,
  tag: (tag: string) => `/t/${at(tag)}`,
};
