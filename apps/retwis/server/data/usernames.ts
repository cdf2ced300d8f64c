// Usernames generated in the ways in which people choose them, so that they belong to no real person. All are different, also when case is
// ignored.
import type { Random } from '@claret/site/data/random.ts';

import { LIMITS } from '../api.ts';

const words = (text: string): readonly string[] => text.split(' ');

const QUALITIES = words(
  'amber bold brave brisk calm candid cheery civil clever cosy crisp curious dapper distant eager early easy fabled fearless foggy ' +
    'gentle giddy golden grand happy hazy hidden honest humble idle jolly keen kind late leafy little lively lucky lunar mellow merry ' +
    'mild misty modest mossy nimble noble northern odd patient plain polite proud quick quiet rapid rare restless rosy rustic salty ' +
    'serene shy silver simple sleepy snowy solar spare steady stormy sunny swift tidy tiny velvet vivid wandering warm western wild witty',
);
const THINGS = words(
  'acorn anchor atlas badger banjo beacon biscuit bramble button canyon carrot cedar clover comet cricket crumpet dune ember falcon ' +
    'fern fiddle finch fjord garden gecko goose harbor hazel heron hill island juniper kayak kestrel kettle kite lantern lark lemon ' +
    'lichen lynx magpie mango maple marten meadow mitten moth mushroom noodle nutmeg oak orchid otter owl paddle pebble pepper pickle ' +
    'pine plover puffin quartz quilt raven reed robin sail sparrow spruce stone summit swan teapot thimble thistle trout turnip ' +
    'umbrella valley violin waffle walnut willow wren yarrow zephyr',
);
const FIRST_NAMES = words(
  'ada aiko alba amir ana anders anja anouk aram arlo asha ayo bea bela beni bianca bodil bram cai calla carlo chidi cleo dagny daria ' +
    'davi dilan edda eero elif elio emre enzo esme farid fenna fia finn freya gita goran hana hedda hugo ida ikram ilka imani ines ' +
    'ingo isla ivo jalil jana jaro joao jonas jule kaia kamal karim kofi lale lars leila lena levi lior livia lotte luca magda mai ' +
    'malik mara mateo mila mina moana nadia naim nell nico nils noor nora odile omar oona orla otto pavel paz pia priya quinn rafa ' +
    'ravi rea remy rosa rui runa sami sanna selma signe silvio sofi sora tami tarek tess timo tomas tove uma vera vito wanda wren ' +
    'yara yuki zane zeno zita zora',
);
const DOINGS = words(
  'bakes bikes builds carves climbs codes cooks counts dives draws drums dreams farms films fixes gardens hikes hums juggles jumps ' +
    'knits learns listens mends naps paints paddles plays plants reads rows runs sails sings sketches skates sleeps solders spins ' +
    'stargazes surfs swims teaches thinks travels walks wanders weaves whistles whittles writes',
);
const PLACES = words(
  'abroad again alone_today at_dawn at_dusk at_home at_night at_sea by_train daily downhill far_out for_fun here in_rain in_snow in_socks ' +
    'indoors loudly off_grid offline on_foot on_sundays online outdoors quietly sideways slowly sometimes somewhere today together ' +
    'tomorrow uphill upstairs',
);
const CALLINGS = words(
  'archivist baker beekeeper birder brewer carpenter cellist cook cyclist diver farmer gardener geologist goalkeeper historian ' +
    'juggler knitter librarian luthier mapmaker mathfan medic nurse painter pastrychef physicist pilot plumber potter programmer ' +
    'puzzler ranger reader runner sailor sculptor singer skater surveyor tailor teacher translator tuner walker weaver welder',
);
const OPENINGS = words(
  'ba be bo da de do fa fe ga go ha he ja jo ka ke ko la le lo lu ma me mi mo na ne ni no pa po ra re ri ro sa se si so ta te ti to va ve vi yo za zo',
);
const ENDINGS = words(
  'bel den dra fen lan leth lia lin lor mar mir nar nel nia nor ra ram ren ric rin ris rou sen sha tan tara ven vik wen yan zan',
);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const digits = (random: Random): string => String(random.pick([random.integer(2, 99), random.integer(61, 99), random.integer(100, 999)]));

const invented = (random: Random): string =>
  random.pick(OPENINGS) + (random.chance(0.5) ? random.pick(OPENINGS) : '') + random.pick(ENDINGS);

const STYLES: readonly ((random: Random) => string)[] = [
  (random) => `${random.pick(QUALITIES)}_${random.pick(THINGS)}`,
  (random) => capital(random.pick(QUALITIES)) + capital(random.pick(THINGS)),
  (random) => `${random.pick(FIRST_NAMES)}_${random.pick(DOINGS)}`,
  (random) => capital(random.pick(FIRST_NAMES)) + capital(random.pick(THINGS)),
  (random) => capital(random.pick(FIRST_NAMES)) + digits(random),
  (random) => `${random.pick(DOINGS)}_${random.pick(PLACES)}`,
  (random) => `${random.pick(FIRST_NAMES)}_the_${random.pick(CALLINGS)}`,
  (random) => `${random.pick(QUALITIES)}${capital(random.pick(CALLINGS))}`,
  (random) => `${random.pick(FIRST_NAMES)}${random.pick(FIRST_NAMES).charAt(0)}${random.pick(['_', ''])}${random.pick(THINGS)}`,
  (random) => capital(invented(random)),
  (random) => `${invented(random)}_${random.pick(THINGS)}`,
  (random) => `${random.pick(THINGS)}_${random.pick(THINGS)}`,
  (random) => `${random.pick(THINGS)}${digits(random)}`,
];

const fits = (name: string): boolean => name.length >= LIMITS.username_length_min && name.length <= LIMITS.username_length_max;

/** `taken` come first, unchanged. */
export function makeUsernames(count: number, taken: readonly string[], random: Random): string[] {
  const names = [...taken];
  const seen = new Set(names.map((name) => name.toLowerCase()));
  while (names.length < count) {
    const name = random.pick(STYLES)(random);
    // A taken name gets a number appended.
    for (const wish of [name, name + digits(random), name + random.integer(1_000, 9_999)]) {
      if (!fits(wish) || seen.has(wish.toLowerCase())) continue;
      seen.add(wish.toLowerCase());
      names.push(wish);
      break;
    }
  }
  return names.slice(0, count);
}
