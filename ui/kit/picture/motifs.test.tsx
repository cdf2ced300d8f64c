import { describe, expect, it } from 'vitest';
import { renderToStaticMarkup } from 'react-dom/server';
import { Picture } from '../Picture.tsx';
import { PALETTES } from './art.ts';
import { motifsFor } from './motifs.ts';
import { seeded } from '../seeded.ts';
import { parcel } from './motifs/house.tsx';
import { mantelClock, microphone } from './motifs/instruments.tsx';
import { wateringCan } from './motifs/play.tsx';
import { ring, watch } from './motifs/treasures.tsx';

const draw = (id: string, subject: string, category: string) =>
  renderToStaticMarkup(<Picture id={id} subject={subject} category={category} />);

describe('pictures', () => {
  it('are the same for the same thing, and differ from thing to thing', () => {
    expect(draw('7', 'Mantel Clock', 'Antiques · Antiques & Art')).toBe(draw('7', 'Mantel Clock', 'Antiques · Antiques & Art'));
    const different = new Set(
      Array.from({ length: 50 }, (_, at) => draw(String(at), 'Mantel Clock', 'Antiques · Antiques & Art')),
    );
    expect(different.size).toBe(50);
  });
  it('show what the name says, before what the category says', () => {
    expect(motifsFor('Georgian Mantel Clock', 'Antiques · Antiques & Art')).toEqual([mantelClock]);
    expect(motifsFor('Slim Railroad Watch', 'Watches · Jewelry, Gems & Watches')).toEqual([watch]);
    expect(motifsFor('Studio Microphone', '')).toEqual([microphone]); // not a phone
    expect(motifsFor('Copper Watering Can', '')).toEqual([wateringCan]); // not a ring
    expect(motifsFor('Thing', 'Jewelry & Gems · Jewelry, Gems & Watches')[0]).toBe(ring);
    expect(motifsFor('Thing', 'Unheard-of')).toEqual([parcel]);
  });
  it('draw only finite numbers, in every palette', () => {
    const names = [
      'Clock',
      'Telescope',
      'Bicycle',
      'Teapot',
      'Phone',
      'Radio',
      'LP',
      'Guitar',
      'Violin',
      'Drum',
      'Lamp',
      'Lantern',
      'Desk',
      'Sign',
      'Ship',
      'Dollhouse',
      'Bear',
      'Robot',
      'Train',
      'Rocket',
      'Puzzle',
      'Chemistry',
      'Atlas',
      'Novel',
      'Necklace',
      'Ring',
      'Hat',
      'Dress',
      'Bag',
      'Boots',
      'Luggage',
      'Ticket',
      'Watering Can',
      'Wrench',
      'Camera',
      'Trophy',
      'Television',
      'Film',
      'Racket',
      'Crate',
      'Microphone',
      'Headphones',
      'Typewriter',
      'Chair',
      'Etching',
    ];
    for (const name of names) {
      for (const [at, palette] of PALETTES.entries()) {
        for (const motif of motifsFor(name, '')) {
          const drawn = renderToStaticMarkup(<svg>{motif({ random: seeded(`${name} ${at}`), palette })}</svg>);
          expect(drawn, name).not.toMatch(/NaN|undefined|Infinity/);
        }
      }
    }
  });
});
