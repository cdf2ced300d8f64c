// Which motifs fit. A word in a thing's own name is asked first, from the particular to the general; then its category's
// name, then the shelf that the category stands on. What matches nothing is a parcel.
import type { Motif } from './art.ts';
import { bicycle, desk, dress, hat, lantern, satchel, sign, teapot, tickets, toolbox } from './motifs/everyday.tsx';
import { armchair, deskLamp, glassware, painting, parcel, plant, vases } from './motifs/house.tsx';
import { flask, globe, mantelClock, microphone, telephone, telescope, violin } from './motifs/instruments.tsx';
import { ball, bear, coat, film, guitar, record, rocket, shoes, suitcase, train } from './motifs/leisure.tsx';
import { camera, computer, headphones, radio, television, typewriter } from './motifs/machines.tsx';
import { boardGame, dollhouse, drum, necklace, robot, ship, wateringCan } from './motifs/play.tsx';
import { books, coins, ring, stamps, trophy, watch } from './motifs/treasures.tsx';

type Rules = readonly [words: RegExp, motifs: readonly Motif[]][];

const BY_NAME: Rules = [
  [/clock(?!.*radio)|barometer|sundial/i, [mantelClock]],
  [/\bwatch\b|chronograph/i, [watch]],
  [/telescope|star charts|binocular/i, [telescope]],
  [/bicycle/i, [bicycle]],
  [/teapot|kettle|tea caddy|tea bowl|espresso/i, [teapot]],
  [/headphones|portable player/i, [headphones]],
  [/microphone/i, [microphone]],
  [/phone|intercom|answering/i, [telephone]],
  [/radio|receiver|shortwave|boombox|amplifier|speakers/i, [radio]],
  [/turntable|\bLP\b|record|album(?!.*(stamp|coin|card))|single|vinyl|shellac|maxi/i, [record]],
  [/guitar|bass|ukulele|banjo|mandolin/i, [guitar]],
  [/violin|cello/i, [violin]],
  [/drum/i, [drum]],
  [/typewriter|adding machine/i, [typewriter]],
  [/lamp\b|safelight/i, [deskLamp]],
  [/lantern|candlestick|stove/i, [lantern]],
  [/desk|table\b|washstand|cabinet|bookcase|workbench|shelves/i, [desk]],
  [/chair|bench/i, [armchair]],
  [/sign\b|poster|lobby card|marquee/i, [sign]],
  [/watercolour|landscape|print\b|portrait|still life|etching|seascape|drawing|village scene|panel|linocut|lithograph|woodcut|pastel|mirror/i, [painting]],
  [/\bship\b|sailing trip|houseboat|kayak/i, [ship]],
  [/dollhouse|doll furniture|cottage|cabin/i, [dollhouse]],
  [/bear\b|panda|koala|growler/i, [bear]],
  [/robot/i, [robot]],
  [/locomotive|train|rail/i, [train]],
  [/rocket|space/i, [rocket]],
  [/board game|card game|puzzle|chess|trivia|blocks|marble/i, [boardGame]],
  [/chemistry|apothecary|perfume/i, [flask]],
  [/atlas|globe|guidebook|geology/i, [globe]],
  [/book|novel|stories|volume|almanac|encyclopedia|dictionary|manual|handbook|diary|fables|scripts/i, [books]],
  [/necklace|pendant|locket|pearl|chain|brooch|amber/i, [necklace]],
  [/\brings?\b|sapphire|opal|garnet|bangle|bracelet|earrings|cufflinks/i, [ring]],
  [/\bhat\b/i, [hat]],
  [/dress\b|skirt|blouse/i, [dress]],
  [/\bbag\b|satchel|purse|basket/i, [satchel]],
  [/boots|shoes|skis|skateboard|snowshoes/i, [shoes]],
  [/luggage|trunk|suitcase/i, [suitcase]],
  [/tickets?\b|pass\b|seats|voucher/i, [tickets]],
  [/watering can|hose|rain barrel/i, [wateringCan]],
  [/\btool|wrench|vise|drill|ladder|micrometer|hoist|chuck|compressor|jack\b/i, [toolbox]],
  [/camera|lens\b|tripod|light meter|flash unit|enlarger/i, [camera]],
  [/trophy|medal/i, [trophy]],
  [/television|\bTV\b|video/i, [television]],
  [/film|projector|reel\b/i, [film]],
  [/ball\b|racket|glove|goal/i, [ball]],
  [/crate|mystery|box\b/i, [parcel]],
];

const BY_CATEGORY: Rules = [
  [/us coins|world.*coins|coins/i, [coins]],
  [/jewelry & gems/i, [ring, necklace]],
  [/watches/i, [watch]],
  [/pottery/i, [vases, teapot]],
  [/glass/i, [glassware]],
  [/fiction|books/i, [books]],
  [/stamps/i, [stamps]],
  [/darkroom|camera|photo/i, [camera]],
  [/computer|desktops|parts & software/i, [computer]],
  [/video & phones/i, [television, telephone]],
  [/audio|electronics/i, [radio, headphones]],
  [/movies/i, [film]],
  [/television/i, [television]],
  [/instruments/i, [guitar, violin, drum]],
  [/records|music/i, [record]],
  [/tickets/i, [tickets]],
  [/travel/i, [suitcase, globe]],
  [/memorabilia/i, [trophy, ball]],
  [/sports/i, [ball, bicycle]],
  [/bears/i, [bear]],
  [/dolls/i, [dollhouse]],
  [/models|hobb/i, [train, rocket, ship]],
  [/toys/i, [robot, boardGame]],
  [/shoes|accessories/i, [shoes, hat, satchel]],
  [/cloth/i, [coat, dress]],
  [/garden/i, [plant, wateringCan]],
  [/home/i, [armchair, teapot, deskLamp]],
  [/office/i, [typewriter, deskLamp, desk]],
  [/workshop|industr/i, [toolbox]],
  [/paintings|\bart\b/i, [painting]],
  [/antique/i, [mantelClock, vases, desk]],
  [/signs/i, [sign]],
  [/keepsakes|collect/i, [stamps, trophy, globe]],
  [/curios/i, [ship, telescope, flask]],
  [/useful/i, [toolbox, lantern]],
];

const find = (rules: Rules, text: string) => rules.find(([words]) => words.test(text))?.[1];

/** `category` may name the shelf as well, after a ` · `; never empty. */
export function motifsFor(name: string, category: string): readonly Motif[] {
  const [shelf, group = ''] = category.split(' · ');
  return find(BY_NAME, name) ?? find(BY_CATEGORY, shelf!) ?? find(BY_CATEGORY, group) ?? [parcel];
}
