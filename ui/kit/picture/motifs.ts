// Which motifs fit which category. A category is matched by the words in its name, so halves and finer shelves of one
// category find the same motifs; the first matching rule wins, and what matches nothing is a parcel.
import type { Motif } from './art.ts';
import { armchair, deskLamp, glassware, painting, parcel, plant, vases } from './motifs/house.tsx';
import { ball, bear, coat, film, guitar, record, rocket, shoes, suitcase, train } from './motifs/leisure.tsx';
import { camera, computer, headphones, radio, television, typewriter } from './motifs/machines.tsx';
import { books, coins, ring, stamps, trophy, watch } from './motifs/treasures.tsx';

const RULES: readonly [words: RegExp, motifs: readonly Motif[]][] = [
  [/watch|clock/i, [watch, ring]],
  [/jewel|gem/i, [ring, watch]],
  [/pottery|glass|ceramic/i, [glassware, vases]],
  [/book|magazine|comic/i, [books]],
  [/stamp/i, [stamps]],
  [/coin|currency/i, [coins]],
  [/photo|camera/i, [camera]],
  [/comput/i, [computer]],
  [/electronic|audio/i, [radio, headphones, television]],
  [/movie|film|television|dvd|video/i, [film, television]],
  [/music|instrument/i, [record, guitar]],
  [/ticket|travel/i, [suitcase]],
  [/sport/i, [ball, trophy]],
  [/doll|bear/i, [bear]],
  [/toy|hobb|game/i, [train, rocket]],
  [/cloth|accessor|shoe|fashion/i, [coat, shoes]],
  [/home|garden|furniture/i, [plant, armchair]],
  [/business|office|industr/i, [deskLamp, typewriter]],
  [/antique|art/i, [painting, vases]],
  [/collect/i, [trophy, rocket, stamps, camera]],
];

const find = (text: string) => RULES.find(([words]) => words.test(text))?.[1];

export function motifsFor(subject: string, category: string): readonly Motif[] {
  return find(subject) ?? find(category) ?? [parcel];
}
