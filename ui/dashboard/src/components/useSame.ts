import { useState } from 'react';

/** The first array given among consecutive ones with the same members: keeps effects and drawings from restarting for an equal array. */
export function useSame<Member>(members: readonly Member[]): readonly Member[] {
  const [kept, setKept] = useState(members);
  const isSame = kept.length === members.length && members.every((member, index) => member === kept[index]);
  if (!isSame) setKept(members);
  return isSame ? kept : members;
}
