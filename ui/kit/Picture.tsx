// A picture for an item without a photo: a still life generated from its id, title and category. The same words give the same picture in
// every browser.
import { memo } from 'react';
import { classes } from './classes.ts';
import styles from './Picture.module.css';
import { PALETTES } from './picture/art.ts';
import { motifFor } from './picture/motifs.ts';
import { Scene } from './picture/Scene.tsx';
import { seeded } from './seeded.ts';

export interface PictureProps {
  /** the item's id; the same id always gives the same picture */
  id: string;
  /** the item's title: its noun selects the motif */
  subject?: string;
  /** the category's name: selects the motif otherwise */
  category: string;
  /** alternative text; without it the picture is decoration */
  label?: string;
  className?: string;
}

export const Picture = memo(function Picture({ id, subject = '', category, label, className }: PictureProps) {
  const random = seeded(`picture ${id}`);
  const art = { random, palette: random.pick(PALETTES) };
  const motif = motifFor(subject, category);
  return (
    <svg
      className={classes(styles.picture, className)}
      viewBox="0 0 400 300"
      preserveAspectRatio="xMidYMid slice"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <Scene art={art}>{motif(art)}</Scene>
    </svg>
  );
});
