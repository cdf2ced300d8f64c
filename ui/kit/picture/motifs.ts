// Chooses the motif of an item. The last noun of the title decides: a "brass lamp" is a lamp, a "lamp shop sign" a sign. If that noun has
// no motif, the picture is an emblem of the category: nothing is drawn that the title does not name.
import type { LucideIcon } from 'lucide-react';
import {
  Amphora,
  Aperture,
  Baby,
  Briefcase,
  Clapperboard,
  Compass,
  Cpu,
  Disc3,
  Gem,
  Hammer,
  Hourglass,
  House,
  Images,
  Laptop,
  Medal,
  Megaphone,
  Music,
  Package,
  Plane,
  Puzzle,
  Shapes,
  Shirt,
  Speaker,
  Sprout,
  Star,
  Tags,
  Tv,
  Video,
  Volleyball,
  Wine,
  Wrench,
} from 'lucide-react';
import type { Motif } from './art.ts';
import { emblemOf } from './motifs/emblem.tsx';
import { bicycle, desk, dress, hat, lantern, satchel, sign, teapot, tickets, toolbox } from './motifs/everyday.tsx';
import { armchair, deskLamp, painting, parcel, vases } from './motifs/house.tsx';
import { flask, globe, mantelClock, microphone, telephone, telescope, violin } from './motifs/instruments.tsx';
import { bear, coat, film, guitar, record, rocket, shoes, suitcase, train } from './motifs/leisure.tsx';
import { camera, computer, headphones, radio, television, typewriter } from './motifs/machines.tsx';
import { boardGame, dollhouse, drum, necklace, robot, ship, wateringCan } from './motifs/play.tsx';
import { books, coins, ring, stamps, trophy, watch } from './motifs/treasures.tsx';

interface Rule {
  motif: Motif;
  /** the only categories in which the noun has this meaning */
  within?: RegExp;
  /** a title in which the noun has another meaning */
  unless?: RegExp;
}

/** nouns in the singular, grouped by motif */
const NOUNS = new Map<string, Rule>(
  (
    [
      ['clock', { motif: mantelClock, unless: /wall|neon|grandfather/i }],
      ['watch, wristwatch, chronograph', { motif: watch }],
      ['telescope', { motif: telescope }],
      ['bicycle, bike', { motif: bicycle }],
      ['teapot, kettle', { motif: teapot }],
      ['headphone', { motif: headphones }],
      ['microphone', { motif: microphone }],
      ['phone, telephone', { motif: telephone, unless: /flip|cell|mobile|smart|conference/i }],
      ['radio', { motif: radio }],
      ['record, recording, lp, single, maxi, shellac', { motif: record, within: /records/i }],
      ['album', { motif: record, within: /records/i }],
      ['guitar, ukulele', { motif: guitar }],
      ['violin, fiddle, cello', { motif: violin }],
      ['drum', { motif: drum }],
      ['typewriter', { motif: typewriter }],
      ['lamp', { motif: deskLamp, unless: /oil|carriage|miner|street/i }],
      ['lantern', { motif: lantern }],
      ['desk', { motif: desk }],
      ['armchair', { motif: armchair }],
      ['sign', { motif: sign }],
      [
        'painting, watercolour, watercolor, print, portrait, landscape, seascape, etching, lithograph, woodcut, linocut',
        { motif: painting, within: /paintings|antiques/i },
      ],
      ['ship, schooner, sailboat', { motif: ship }],
      ['dollhouse', { motif: dollhouse }],
      ['bear', { motif: bear }],
      ['robot', { motif: robot }],
      ['locomotive, train', { motif: train }],
      ['rocket', { motif: rocket }],
      ['game, chess', { motif: boardGame, unless: /video|card|trivia|console|pinball|arcade/i }],
      ['chemistry, flask', { motif: flask }],
      ['globe', { motif: globe, unless: /snow|pump/i }],
      ['book, novel, cookbook, atlas, dictionary, encyclopedia, guidebook, diary', { motif: books, unless: /scrap|autograph|paper doll/i }],
      ['necklace, pendant', { motif: necklace }],
      ['ring', { motif: ring }],
      ['hat', { motif: hat }],
      ['dress', { motif: dress }],
      ['satchel, handbag, briefcase', { motif: satchel }],
      ['shoe, sneaker', { motif: shoes, unless: /dancing|snow|horse|ice|ski/i }],
      ['suitcase', { motif: suitcase }],
      ['ticket', { motif: tickets }],
      ['can', { motif: wateringCan, unless: /^(?!.*watering can)/i }],
      ['toolbox', { motif: toolbox }],
      ['chest', { motif: toolbox, unless: /^(?!.*tool chest)/i }],
      ['camera', { motif: camera, unless: /video|movie/i }],
      ['trophy', { motif: trophy }],
      ['television, tv', { motif: television }],
      ['reel', { motif: film, within: /movies/i }],
      ['coat, overcoat', { motif: coat }],
      ['computer, workstation, terminal', { motif: computer, unless: /handheld/i }],
      ['vase', { motif: vases }],
      ['coin', { motif: coins }],
      ['stamp', { motif: stamps }],
      ['parcel, gift', { motif: parcel }],
    ] as const satisfies readonly (readonly [words: string, rule: Rule])[]
  ).flatMap(([words, rule]) => words.split(', ').map((word) => [word, rule] as const)),
);

/** categories by name: a motif if it fits all their items, otherwise an emblem */
const CATEGORIES: Readonly<Record<string, Motif>> = {
  Antiques: emblemOf(Hourglass),
  'Paintings & Prints': painting,
  Fiction: books,
  Nonfiction: books,
  Office: emblemOf(Briefcase),
  'Workshop & Industrial': emblemOf(Wrench),
  Clothing: emblemOf(Shirt),
  'Shoes & Accessories': emblemOf(Tags),
  'US Coins': coins,
  'World & Ancient Coins': coins,
  'Signs & Advertising': emblemOf(Megaphone),
  'Cards & Keepsakes': emblemOf(Star),
  'Desktops & Laptops': emblemOf(Laptop),
  'Parts & Software': emblemOf(Cpu),
  'Audio & Radio': emblemOf(Speaker),
  'Video & Phones': emblemOf(Video),
  Dolls: emblemOf(Baby),
  Bears: bear,
  Home: emblemOf(House),
  Garden: emblemOf(Sprout),
  'Jewelry & Gems': emblemOf(Gem),
  Watches: watch,
  Movies: emblemOf(Clapperboard),
  Television: emblemOf(Tv),
  'Records & Tapes': emblemOf(Disc3),
  Instruments: emblemOf(Music),
  'Cameras & Lenses': emblemOf(Aperture),
  'Darkroom & Photographs': emblemOf(Images),
  Pottery: emblemOf(Amphora),
  Glass: emblemOf(Wine),
  'Sports Gear': emblemOf(Volleyball),
  'Sports Memorabilia': emblemOf(Medal),
  'US Stamps': stamps,
  'World Stamps': stamps,
  Tickets: tickets,
  Travel: emblemOf(Plane),
  'Toys & Games': emblemOf(Puzzle),
  'Models & Hobbies': emblemOf(Shapes),
  Curiosities: emblemOf(Compass),
  'Useful Things': emblemOf(Hammer),
};
const ANYTHING = emblemOf(Package satisfies LucideIcon);

/** words for a container or a quantity, which do not decide the motif */
const CONTAINERS = /^(sets?|lots?|kits?|collections?|bundles?|pairs?|rolls?|series|famil(y|ies)|parts|replicas?)$/;

/** The words of the title that name the item, without the description after them; for "a set of lamps", the lamps. */
function headWords(title: string): string[] {
  const [main = ''] = title.toLowerCase().split(/,|\(| - /);
  const [before = '', after] = main.split(/\bof\b/);
  const named =
    after !== undefined &&
    before
      .trim()
      .split(/\s+/)
      .some((word) => CONTAINERS.test(word) || word === 'copy')
      ? after
      : before;
  const [what = ''] = named.split(/\b(?:in|with|from|for|on|by)\b/);
  return (what.replace(/[’']s\b/g, '').match(/[\p{L}\d]+/gu) ?? []).filter((word) => !CONTAINERS.test(word));
}

const singulars = (word: string): string[] => [word, word.replace(/s$/, ''), word.replace(/es$/, '')];

/** The motif of the title's head noun, otherwise that of the category; independent of the id. */
export function motifFor(title: string, category: string): Motif {
  const head = headWords(title).at(-1);
  const rule =
    head === undefined
      ? undefined
      : singulars(head)
          .map((word) => NOUNS.get(word))
          .find((found) => found !== undefined);
  const fits = rule !== undefined && (rule.within?.test(category) ?? true) && !rule.unless?.test(title);
  return fits ? rule.motif : (CATEGORIES[category] ?? ANYTHING);
}
