// The paper's 40 categories: the 20 of RUBiS, each split in two.
//
// Groups and weights are facts from michaelmior/RUBiS, database/ebay_simple_categories.txt (a snapshot of eBay, 20 September 2001; the
// weight is the number of listings given there); the halves are our own and share the weight equally.
import type { Category } from '../api.ts';

type Half = readonly [id: string, name: string];

const GROUPS: readonly (readonly [group: string, weight: number, first: Half, second: Half])[] = [
  ['Antiques & Art', 1374, ['antiques', 'Antiques'], ['art', 'Paintings & Prints']],
  ['Books', 2691, ['fiction', 'Fiction'], ['nonfiction', 'Nonfiction']],
  ['Business, Office & Industrial', 259, ['office', 'Office'], ['industrial', 'Workshop & Industrial']],
  ['Clothing & Accessories', 2874, ['clothing', 'Clothing'], ['accessories', 'Shoes & Accessories']],
  ['Coins', 538, ['us-coins', 'US Coins'], ['world-coins', 'World & Ancient Coins']],
  ['Collectibles', 7521, ['advertising', 'Signs & Advertising'], ['keepsakes', 'Cards & Keepsakes']],
  ['Computers', 664, ['computers', 'Desktops & Laptops'], ['computer-parts', 'Parts & Software']],
  ['Consumer Electronics', 586, ['audio', 'Audio & Radio'], ['video-phones', 'Video & Phones']],
  ['Dolls & Bears', 1077, ['dolls', 'Dolls'], ['bears', 'Bears']],
  ['Home & Garden', 976, ['home', 'Home'], ['garden', 'Garden']],
  ['Jewelry, Gems & Watches', 2325, ['jewelry', 'Jewelry & Gems'], ['watches', 'Watches']],
  ['Movies & Television', 1051, ['movies', 'Movies'], ['television', 'Television']],
  ['Music', 1420, ['records', 'Records & Tapes'], ['instruments', 'Instruments']],
  ['Photo', 170, ['cameras', 'Cameras & Lenses'], ['darkroom', 'Darkroom & Photographs']],
  ['Pottery & Glass', 1069, ['pottery', 'Pottery'], ['glass', 'Glass']],
  ['Sports', 3029, ['sports-gear', 'Sports Gear'], ['sports-memorabilia', 'Sports Memorabilia']],
  ['Stamps', 305, ['us-stamps', 'US Stamps'], ['world-stamps', 'World Stamps']],
  ['Tickets & Travel', 242, ['tickets', 'Tickets'], ['travel', 'Travel']],
  ['Toys & Hobbies', 3671, ['toys', 'Toys & Games'], ['hobbies', 'Models & Hobbies']],
  ['Everything Else', 825, ['curiosities', 'Curiosities'], ['useful', 'Useful Things']],
];

export const CATEGORIES: readonly Category[] = GROUPS.flatMap(([group, , first, second]) =>
  [first, second].map(([id, name]) => ({ id, name, group })),
);

// relative number of listings, in the order of CATEGORIES
export const CATEGORY_WEIGHTS: readonly number[] = GROUPS.flatMap(([, weight]) => [weight / 2, weight / 2]);

const known = new Set(CATEGORIES.map((category) => category.id));
export const isCategory = (id: string): boolean => known.has(id);
