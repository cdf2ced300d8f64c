import { describe, expect, it } from 'vitest';
import { renderToStaticMarkup } from 'react-dom/server';
import { Picture } from '../Picture.tsx';
import { PALETTES } from './art.ts';
import { motifFor } from './motifs.ts';
import { seeded } from '../seeded.ts';
import { desk } from './motifs/everyday.tsx';
import { deskLamp } from './motifs/house.tsx';
import { mantelClock, microphone } from './motifs/instruments.tsx';
import { film } from './motifs/leisure.tsx';
import { wateringCan } from './motifs/play.tsx';
import { watch } from './motifs/treasures.tsx';

const draw = (id: string, subject: string, category: string) =>
  renderToStaticMarkup(<Picture id={id} subject={subject} category={category} />);

describe('pictures', () => {
  it('are the same for the same item, and differ between items', () => {
    expect(draw('7', 'Mantel Clock', 'Antiques')).toBe(draw('7', 'Mantel Clock', 'Antiques'));
    const different = new Set(Array.from({ length: 50 }, (_, at) => draw(String(at), 'Mantel Clock', 'Antiques')));
    expect(different.size).toBe(50);
  });
  it('show the head noun, whatever stands before or after it', () => {
    expect(motifFor('Georgian Mantel Clock, from the 1920s', 'Antiques')).toBe(mantelClock);
    expect(motifFor('Slim Railroad Watches', 'Watches')).toBe(watch);
    expect(motifFor('Studio Microphone', 'Television')).toBe(microphone);
    expect(motifFor('Copper Watering Can, with Case', 'Garden')).toBe(wateringCan);
    expect(motifFor('Single brass lamp', 'Home')).toBe(deskLamp);
    expect(motifFor('A set of lamps for the hall', 'Home')).toBe(deskLamp);
    expect(motifFor('Film Reel', 'Movies')).toBe(film);
  });
  it('are the category’s emblem if the noun has no motif, never the motif of another word of the title', () => {
    const emblem = (category: string) => motifFor('', category);
    for (const [title, category] of [
      ['Fishing Reel', 'Sports Gear'],
      ['Carbon Skis', 'Sports Gear'],
      ['Ship’s bell, brass, signed', 'Curiosities'],
      ['Clock Radio Manual Binder', 'Office'],
      ['Doll Carriage', 'Dolls'],
      ['Tin Can', 'Garden'],
      ['Photo Album', 'Darkroom & Photographs'],
    ] as const) {
      expect(motifFor(title, category), title).toBe(emblem(category));
    }
    expect(emblem('Desktops & Laptops')).not.toBe(desk);
    expect(motifFor('Thing', 'Unheard-of')).toBe(emblem('Another'));
  });
  it('contain only finite numbers, in every palette', () => {
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
        const motif = motifFor(name, '');
        const drawn = renderToStaticMarkup(<svg>{motif({ random: seeded(`${name} ${at}`), palette })}</svg>);
        expect(drawn, name).not.toMatch(/NaN|undefined|Infinity/);
      }
    }
  });
});
