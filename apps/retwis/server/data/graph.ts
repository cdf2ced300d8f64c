// Kronecker: a synthetic social graph whose degrees follow a power law, by the generator of the Graph 500 benchmark
// (graph500.org, specification, section 3.3): A=.57 B=.19 C=.19. The paper (section 6.3) uses scale 16, about 65,000 users
// with 16 followers each on average.

const A = 0.57;
const B = 0.19;
const C = 0.19;
const EDGE_FACTOR = 16;

export interface Graph {
  users: number;
  /** for each user their followers, without duplicates and without themselves */
  followers: Uint32Array[];
}

/** @param scale 2^scale users, 4 to 20 */
export function kronecker(scale: number, random: () => number): Graph {
  const users = 2 ** scale;
  const edges = users * EDGE_FACTOR;
  const relabel = shuffled(users, random);
  const found = new Set<number>();
  for (let edge = 0; edge < edges; edge++) {
    let followed = 0;
    let follower = 0;
    for (let bit = 0; bit < scale; bit++) {
      const low = random() > A + B;
      const right = random() > (low ? C / (1 - (A + B)) : A / (A + B));
      followed = followed * 2 + (low ? 1 : 0);
      follower = follower * 2 + (right ? 1 : 0);
    }
    if (followed !== follower) found.add(relabel[followed]! * users + relabel[follower]!);
  }
  const sorted = Float64Array.from(found).sort();
  const followers: Uint32Array[] = [];
  for (let user = 0, at = 0; user < users; user++) {
    const first = at;
    while (at < sorted.length && sorted[at]! < (user + 1) * users) at++;
    followers.push(Uint32Array.from(sorted.subarray(first, at), (edge) => edge - user * users));
  }
  return { users, followers };
}

function shuffled(count: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  return order;
}
