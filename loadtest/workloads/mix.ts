// Mix: which kind of transaction runs next, by its share.

export type Mix<Kind extends string> = Readonly<Record<Kind, number>>;

/** Shares are percent; what they leave of a hundred goes to the first kind. @param chance uniform in [0, 1) */
export function drawFrom<Kind extends string>(mix: Mix<Kind>, chance: number): Kind {
  const shares = Object.entries(mix) as [Kind, number][];
  let left = chance * 100;
  for (const [kind, share] of shares) if ((left -= share) < 0) return kind;
  return shares[0]![0];
}
