import { useState } from 'react';

/** The array that was given first of all that have the same members: for effects and drawings that begin anew with another. */
export function useSame<Member>(members: readonly Member[]): readonly Member[] {
  const [kept, setKept] = useState(members);
  const isSame = kept.length === members.length && members.every((member, index) => member === kept[index]);
  if (!isSame) setKept(members);
  return isSame ? kept : members;
}
