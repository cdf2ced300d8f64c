// A picture for a thing that has none: a still life drawn from its id, fitting its category. The same id and category
// give the same picture in every browser.
import { memo } from 'react';
import { classes } from './classes.ts';
import styles from './Picture.module.css';
import { PALETTES } from './picture/art.ts';
import { motifsFor } from './picture/motifs.ts';
import { Scene } from './picture/Scene.tsx';
import { seeded } from './seeded.ts';

export interface PictureProps {
  /** What the picture is of; the same id always gives the same picture. */
  id: string;
  /** The category's name; chooses what is drawn. */
  category: string;
  /** What it shows, in words; without it the picture is decoration. */
  label?: string;
  className?: string;
}

export const Picture = memo(function Picture({ id, category, label, className }: PictureProps) {
  const random = seeded(`picture ${id}`);
  const art = { random, palette: random.pick(PALETTES) };
  const Motif = random.pick(motifsFor(category));
  return (
    <svg
      className={classes(styles.picture, className)}
      viewBox="0 0 400 300"
      preserveAspectRatio="xMidYMid slice"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <Scene art={art}>{Motif(art)}</Scene>
    </svg>
  );
});
