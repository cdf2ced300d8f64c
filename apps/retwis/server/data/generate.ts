// The data set: people, their follows, posts and reposts; the same for the same scale and seed.
import { Random } from '@claret/site/data/random.ts';

import { play, type PostMade, type RepostMade } from './activity.ts';
import { makeSociety, type Society } from './people.ts';
import { makeTexts } from './texts.ts';

/** 2^scale people; the paper uses 16 */
export const SCALE_MIN = 4;
export const SCALE_MAX = 18;

export type SeedPost = PostMade & { id: string; text: string };

export type DataSet = {
  society: Society;
  /** in the order of time, as are the reposts, whose `post` is an index into this list */
  posts: SeedPost[];
  reposts: RepostMade[];
};

export function generate(scale: number, seed: number): DataSet {
  // One random stream for each part: changing one part leaves the others as they are.
  const stream = (number: number): Random => new Random(seed, number);
  const society = makeSociety(scale, { graph: stream(1), people: stream(2) });
  const { posts, reposts } = play(society, stream(3));
  const texts = makeTexts(
    posts.map(({ author }) => author),
    society.users,
    stream(4),
  );
  return { society, posts: posts.map((post, i) => ({ ...post, id: `p${i + 1}`, text: texts[i]! })), reposts };
}
