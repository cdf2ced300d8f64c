// Words that the generator makes titles and descriptions from, by category: what is sold, how it is described, and what a
// seller would say about it. All invented here; makers and names are made by rule, so that they name nobody.

export type Vocabulary = {
  things: readonly string[];
  qualities: readonly string[];
  remarks: readonly string[];
};

const words = (text: string): readonly string[] => text.split(', ');

function vocabulary(things: string, qualities: string, ...remarks: string[]): Vocabulary {
  return { things: words(things), qualities: words(qualities), remarks };
}

export const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  antiques: vocabulary(
    'Writing Desk, Mantel Clock, Silver Teapot, Brass Candlesticks, Oak Side Table, Copper Kettle, Carved Mirror, Washstand, Spice Chest, Carriage Lamp, Inkwell, Rocking Chair, Tea Caddy, Letter Scale',
    'Victorian, Edwardian, Georgian, Hand-Carved, Walnut, Mahogany, Country, Art Deco, Engraved, Restored',
    'The joints are tight and the drawers run well.',
    'There is honest wear on the edges, as you would expect at this age.',
    'It stood in the hall of the same house for two generations.',
  ),
  art: vocabulary(
    'Harbour Watercolour, Oil Landscape, Botanical Print, Charcoal Portrait, Woodcut, Lithograph, Still Life, Etching, Pastel Study, Linocut, Seascape, Pen Drawing, Village Scene, Abstract Panel',
    'Framed, Signed, Unframed, Large, Miniature, Winter, Autumn, Moonlit, Impressionist Style, Mid-Century',
    'The colours are fresh; it hung away from the sun.',
    'Signature at the lower right, hard to read.',
    'The frame has a small chip, the picture has none.',
  ),
  fiction: vocabulary(
    'Mystery Novel, Sea Story, Short Story Collection, Detective Series, Science Fiction Paperback, Ghost Stories, Western Novel, Fairy Tales, Poetry Volume, Gothic Romance, Adventure Serial, Spy Thriller, Play Scripts, Fables',
    'First Edition, Leather-Bound, Illustrated, Pocket, Complete Set of, Library Copy of, Well-Read, Clothbound, Rare, Slipcased',
    'No loose pages; one corner is bumped.',
    'Previous owner wrote a date inside the cover.',
    'A pleasure to read on a long evening.',
  ),
  nonfiction: vocabulary(
    'Road Atlas, Bird Guide, Cookbook, Railway History, Chess Manual, Gardening Handbook, Dictionary, Star Charts, Carpentry Course, Sailing Manual, Encyclopedia Volume, Travel Diary, Almanac, Geology Survey',
    'Illustrated, Annotated, Hardcover, Fold-Out, Early, School Edition, Field Edition, Complete, Oversized, Pictorial',
    'All plates and maps are present.',
    'The binding is sound and lies flat.',
    'There are a few pencil notes, easily erased.',
  ),
  office: vocabulary(
    'Desk Lamp, Typewriter, Filing Cabinet, Swivel Chair, Adding Machine, Stapler, Drafting Table, Label Printer, Whiteboard, Paper Cutter, Fountain Pen, Card Index, Conference Phone, Laminator',
    'Steel, Adjustable, Portable, Heavy-Duty, Compact, Ergonomic, Vintage, Wall-Mounted, Refurbished, Four-Drawer',
    'From an office that is closing; only light use.',
    'Everything works as it should, tested this week.',
    'Key included.',
  ),
  industrial: vocabulary(
    'Bench Vise, Drill Press, Air Compressor, Torque Wrench, Micrometer, Lathe Chuck, Welding Mask, Pallet Jack, Tool Chest, Bearing Set, Pipe Threader, Digital Scale, Hoist, Grinding Wheel',
    'Cast-Iron, Two-Speed, Calibrated, Single-Phase, Heavy, Rebuilt, Shop-Used, Precision, Stainless, Surplus',
    'Pick-up is easiest, but it can go on a pallet.',
    'Runs quietly; new belt last year.',
    'Wiped with oil and stored dry.',
  ),
  clothing: vocabulary(
    'Wool Coat, Denim Jacket, Silk Blouse, Rain Jacket, Knit Sweater, Linen Shirt, Evening Dress, Corduroy Trousers, Pleated Skirt, Flannel Shirt, Tweed Blazer, Summer Dress, Work Overalls, Cardigan',
    'Vintage, Tailored, Lined, Handmade, Reversible, Striped, Navy, Forest Green, Unworn, Oversized',
    'Freshly cleaned; no stains, no moth holes.',
    'Please compare the measurements, sizes have changed over the years.',
    'It was bought for a party and worn once.',
  ),
  accessories: vocabulary(
    'Leather Boots, Silk Scarf, Felt Hat, Canvas Shoulder Bag, Belt, Dancing Shoes, Gloves, Straw Hat, Umbrella, Leather Satchel, Sunglasses, Suspenders, Clutch Purse, Hiking Shoes',
    'Brown, Black, Hand-Stitched, Beaded, Classic, Waterproof, Soft, Embroidered, Nearly New, Two-Tone',
    'Soles have plenty of life left.',
    'Comes with its dust bag.',
    'A small mark inside, nothing to see from outside.',
  ),
  'us-coins': vocabulary(
    'Silver Dollar, Half Dollar, Buffalo Nickel, Wheat Penny Roll, Mercury Dime, Standing Quarter, Proof Set, Mint Set, Large Cent, Trade Dollar, Commemorative Half, Indian Head Cent, Type Set, State Quarter Album',
    'Uncirculated, Toned, Fine, Very Good, Key-Date, Well-Struck, Original, Circulated, Bright, Slabbed',
    'Never cleaned, as far as I can tell.',
    'You get exactly the coin described.',
    'From an album put together over thirty years.',
  ),
  'world-coins': vocabulary(
    'Roman Bronze, Crown, Silver Ducat, Trade Token, Florin, Sovereign-Size Medal, Coin Lot, Kopek, Rupee, Centavo Set, Drachm, Hammered Penny, Cash Coin String, Jubilee Medal',
    'Ancient, Medieval, Silver, Copper, Mixed, Attractive, Scarce, Colonial, Royal, Holed',
    'Weight and diameter on request.',
    'The legend is readable on both sides.',
    'Bought on a market abroad many years ago.',
  ),
  advertising: vocabulary(
    'Enamel Sign, Tin Box, Soda Crate, Thermometer, Gas Pump Globe, Neon Clock, Match Safe, Poster, Serving Tray, Bottle Opener, Shop Scale, Seed Packet Display, Calendar, Trade Card Lot',
    'Double-Sided, Rusty, Bright, Embossed, Porcelain, Original, Dairy, Railway, Tobacco, General Store',
    'Hung in a barn; dust washed off and nothing else done.',
    'Mounting holes are where they always were.',
    'Colours are strong on the front.',
  ),
  keepsakes: vocabulary(
    'Postcard Album, Trading Card Lot, Pocket Knife, Snow Globe, Marble Jar, Souvenir Spoon, Badge Collection, Thimble Set, Lighter, Paperweight, Comic Bundle, Political Button, Key Chain Box, Autograph Book',
    'Holiday, Complete, Unsorted, Boxed, Early, Mixed, Seaside, World Fair, Childhood, Rare',
    'Found at the back of a cupboard, and too good to stay there.',
    'Not sorted; you may find something better than I did.',
    'Sold together only.',
  ),
  computers: vocabulary(
    'Laptop, Tower Workstation, Mini Desktop, Home Computer, Terminal, Handheld, Rack Server, All-in-One, Netbook, Thin Client, Luggable, Game Console, Portable Workstation, Single-Board Kit',
    'Refurbished, Quiet, Upgraded, Vintage, Boxed, Fast, Compact, Working, Spare-Parts, Low-Hours',
    'The disk has been wiped and a fresh system put on.',
    'Boots to the prompt; I have not tested more.',
    'Battery holds about two hours.',
  ),
  'computer-parts': vocabulary(
    'Mechanical Keyboard, Graphics Card, Memory Kit, Trackball, Disk Drive, Sound Card, Modem, Network Switch, Flat Monitor, Compiler Box, Printer, Scanner, Cable Box, Joystick',
    'Tested, Sealed, Gigabit, Retro, Ivory, Backlit, Boxed, Dual, Wireless, Surplus',
    'Pulled from a working machine.',
    'Manual and disks included.',
    'Fan replaced; very quiet now.',
  ),
  audio: vocabulary(
    'Tube Radio, Turntable, Cassette Deck, Bookshelf Speakers, Stereo Receiver, Headphones, Shortwave Receiver, Reel Recorder, Boombox, Amplifier, Clock Radio, Microphone, Portable Player, Equalizer',
    'Walnut-Cased, Serviced, Hi-Fi, Warm-Sounding, Silver, Compact, Transistor, Powerful, Stereo, Rewired',
    'New belt and a clean stylus.',
    'A little crackle in the volume knob when cold.',
    'Sounds better than its size promises.',
  ),
  'video-phones': vocabulary(
    'Camcorder, Wall Phone, Video Recorder, Projector, Portable Television, Rotary Phone, Answering Machine, Disc Player, Flip Phone, Walkie-Talkies, Pocket TV, Remote Kit, Video Mixer, Intercom',
    'Boxed, Color, Handheld, Brick-Red, Unlocked, Working, Wireless, Black, Retro, Spare',
    'Comes with the charger and all cables.',
    'Picture is steady and sharp.',
    'Rings loud enough for a farm.',
  ),
  dolls: vocabulary(
    'Porcelain Doll, Rag Doll, Paper Doll Book, Dollhouse, Doll Carriage, Costume Doll, Wooden Doll, Baby Doll, Doll Wardrobe, Fashion Doll, Nesting Dolls, Marionette, Doll Furniture Set, Walking Doll',
    'Hand-Painted, Blue-Eyed, Jointed, Tiny, Bisque, Dressed, Vintage, Folk, Curly-Haired, Boxed',
    'Clothes are original and have been washed by hand.',
    'Eyes open and close as they should.',
    'One finger has been mended, neatly.',
  ),
  bears: vocabulary(
    'Teddy Bear, Mohair Bear, Panda, Bear Family, Music Box Bear, Sailor Bear, Koala, Polar Bear, Miniature Bear, Christmas Bear, Growler Bear, Honey Bear, Pilot Bear, Bear Cub',
    'Jointed, Well-Loved, Golden, Limited, Long-Armed, Straw-Filled, Plush, Tagged, Chubby, Cinnamon',
    'He has been hugged a lot and it shows, kindly.',
    'Growls when he is tipped over.',
    'From a smoke-free home with one polite cat.',
  ),
  home: vocabulary(
    'Patchwork Quilt, Table Lamp, Cast-Iron Skillet, Espresso Maker, Wool Rug, Wall Clock, Bread Box, Stand Mixer, Curtain Set, Copper Pan Set, Bookcase, Cutlery Set, Dining Chairs, Picnic Basket',
    'Handmade, Scandinavian Style, Enamel, Braided, Cream, Farmhouse, Folding, Heavy, Mid-Century, Hardly Used',
    'We are moving to a smaller place, our loss.',
    'Cleaned, and ready for your kitchen.',
    'Small scratch on one side that faces the wall.',
  ),
  garden: vocabulary(
    'Push Mower, Bird Bath, Rose Trellis, Watering Can, Garden Bench, Potting Table, Sundial, Wheelbarrow, Hose Reel, Greenhouse Kit, Seed Collection, Garden Gnome, Weather Vane, Terracotta Pots',
    'Galvanized, Cedar, Weathered, Stone, Copper, Folding, Green, Heirloom, Wrought-Iron, Large',
    'It stood outside and has the moss to prove it.',
    'Blades sharpened this spring.',
    'Comes apart for the ride home.',
  ),
  jewelry: vocabulary(
    'Silver Bracelet, Garnet Ring, Cameo Brooch, Pearl Necklace, Amber Pendant, Cufflinks, Turquoise Earrings, Locket, Opal Ring, Charm Bracelet, Loose Sapphire, Jade Bangle, Hatpin, Gold-Filled Chain',
    'Sterling, Antique Style, Filigree, Handmade, Delicate, Art Deco, Chunky, Natural, Heirloom, Boxed',
    'Stamped inside, and weighed on a jeweler’s scale.',
    'The clasp closes firmly.',
    'Stone shows no chips under the loupe.',
  ),
  watches: vocabulary(
    'Pocket Watch, Diver Watch, Chronograph, Dress Watch, Railroad Watch, Field Watch, Digital Watch, Pendant Watch, Alarm Watch, Skeleton Watch, Moonphase Watch, Nurse Watch, Pilot Watch, Watch Parts Lot',
    'Serviced, Manual-Wind, Automatic, Steel, Gold-Tone, Running, Slim, Luminous, Boxed, Vintage',
    'Gains less than a minute a day.',
    'Crystal polished; the dial is untouched.',
    'New strap, old one included.',
  ),
  movies: vocabulary(
    'Lobby Card, Film Poster, Videotape Box Set, Laser Disc, Film Reel, Press Kit, Studio Still, Movie Prop Replica, Director Chair, Film Splicer, Theater Seat, Marquee Letter Set, Soundtrack Set, Super-8 Feature',
    'Original, Folded, Rolled, Silent-Era, Widescreen, Sealed, Cult, Black-and-White, Matinee, Restored',
    'Fold lines only, no pinholes.',
    'Played once to check it, and it held up.',
    'From the estate of a projectionist.',
  ),
  television: vocabulary(
    'Series Box Set, Trivia Game, TV Guide Lot, Script Binder, Puppet Replica, Lunch Box, Cast Photo, Season Disc Set, Studio Jacket, Cartoon Cel, Test Card Print, Studio Microphone, Quiz Show Buzzer, Pilot Episode Tape',
    'Complete, Early, Collector, Sealed, Saturday-Morning, Signed-by-Crew, Vintage, Limited, Comedy, Space',
    'All discs play without a skip.',
    'The thermos is there too.',
    'Watched with joy, now it is your turn.',
  ),
  records: vocabulary(
    'Jazz LP, Blues Single, Soul Collection, Folk Album, Opera Box Set, Rock LP, Cassette Lot, Dance Maxi, Swing Record, Soundtrack LP, Country Album, Choir Recording, Shellac Lot, Mixtape Case',
    'Mint, First-Press, Mono, Stereo, Colored-Vinyl, Promo, Gatefold, Near-Mint, Live, Rare',
    'Plays with hardly a tick.',
    'Sleeve has ring wear, vinyl is glossy.',
    'Graded strictly; ask for any track.',
  ),
  instruments: vocabulary(
    'Acoustic Guitar, Violin, Trumpet, Accordion, Drum Kit, Clarinet, Banjo, Electric Bass, Mandolin, Synthesizer, Harmonica Set, Cello, Ukulele, Practice Amplifier',
    'Student, Solid-Top, Restored, Left-Handed, Gig-Ready, Vintage, Sunburst, Full-Size, Mellow, Parlor',
    'Set up by a luthier in spring.',
    'Case included; the case has seen more than the instrument.',
    'Stays in tune.',
  ),
  cameras: vocabulary(
    'Rangefinder Camera, Reflex Camera, Box Camera, Wide-Angle Lens, Portrait Lens, Folding Camera, Digital Compact, Tripod, Light Meter, Zoom Lens, Flash Unit, Stereo Camera, Instant Camera, Twin-Lens Camera',
    'Clean, Boxed, Medium-Format, Working, Serviced, Chrome, Fast, Weather-Sealed, Early, Leather-Cased',
    'Shutter speeds sound right at every setting.',
    'Glass free of haze and fungus.',
    'A test film came out well.',
  ),
  darkroom: vocabulary(
    'Enlarger, Print Washer, Tintype, Family Album, Glass Negative Box, Developing Tank, Safelight, Contact Printer, Panorama Print, Stereoview Lot, Slide Projector, Cabinet Card Lot, Print Dryer, Expired Film Lot',
    'Complete, Old, Mounted, Sepia, Large, Mixed, Landscape, Street-Scene, Studio, Boxed',
    'Trays and tongs go with it.',
    'Place and date on the back of most.',
    'Stored cool and dark, as it should be.',
  ),
  pottery: vocabulary(
    'Stoneware Crock, Majolica Plate, Tea Bowl, Studio Vase, Dinner Service, Salt Pig, Umbrella Stand, Tile Panel, Cookie Jar, Mixing Bowls, Figurine, Teapot, Delft-Style Charger, Planter',
    'Hand-Thrown, Salt-Glazed, Blue, Crackled, Marked, Mid-Century, Lustre, Rustic, Large, Signed',
    'Rings clear when tapped: no cracks.',
    'A glaze skip from the kiln, not damage.',
    'Maker’s mark under the foot.',
  ),
  glass: vocabulary(
    'Cut-Glass Decanter, Paperweight, Art Glass Vase, Stained Panel, Wine Goblets, Perfume Bottle, Milk Glass Bowl, Carnival Plate, Fishing Float, Marble Lot, Oil Lamp, Apothecary Jar, Crystal Bowl, Swizzle Set',
    'Cobalt, Ruby, Hand-Blown, Etched, Iridescent, Amber, Green, Heavy, Footed, Iced',
    'No chips on the rim; I ran a finger all round.',
    'Small bubbles inside, as hand-blown glass has.',
    'Packed in two boxes before it leaves.',
  ),
  'sports-gear': vocabulary(
    'Road Bicycle, Tennis Racket, Golf Clubs, Snowshoes, Fishing Reel, Skis, Kayak Paddle, Baseball Glove, Camping Stove, Rowing Machine, Skateboard, Climbing Harness, Archery Bow, Soccer Goal',
    'Lightweight, Left-Handed, Carbon, Steel-Frame, Junior, Restrung, Barely Used, Full-Size, Foldable, Classic',
    'Tuned up and ready to go.',
    'Used for one season, then my knee disagreed.',
    'Fits most grown-ups.',
  ),
  'sports-memorabilia': vocabulary(
    'Team Pennant, Game Program, Baseball Card Lot, Signed Ball, Team Photo, Trophy, Jersey, Bobblehead, Ticket Stub Lot, Yearbook, Stadium Seat, Medal, Rookie Card, Scorecard Lot',
    'Minor-League, Championship, Early, Framed, Sealed, Olympic-Year, College, Home-Opener, Graded, Felt',
    'From a season-ticket holder who kept everything.',
    'Corners are sharp.',
    'The signature is by the whole junior team.',
  ),
  'us-stamps': vocabulary(
    'Plate Block, Airmail Set, First Day Cover, Commemorative Sheet, Revenue Stamp, Coil Pair, Duck Stamp, Definitive Set, Postal History Cover, Booklet Pane, Stamp Album, Mixture by the Pound, Special Delivery, Precancel Lot',
    'Mint, Used, Never-Hinged, Well-Centered, Early, Complete, Fancy-Cancel, Bright, Scarce, Hinged',
    'Gum is smooth on the back.',
    'Perforations complete on all sides.',
    'Duplicates from my own album.',
  ),
  'world-stamps': vocabulary(
    'Colonial Set, Souvenir Sheet, Railway Letter, Stamp Album, Topical Birds Set, Island Issue, Telegraph Stamp, Overprint Lot, Zeppelin-Style Cover, Kiloware, Butterfly Set, Ship Set, Space Set, Inflation Issue',
    'Mint, Used, Complete, Mixed, Imperforate, Classic, Exotic, Colorful, High-Value, Remainder',
    'Catalogued by me, check it yourself.',
    'Clear town cancels.',
    'A fine start for a new collector.',
  ),
  tickets: vocabulary(
    'Concert Tickets, Opera Seats, Season Pass, Theater Tickets, Museum Membership, Ballgame Tickets, Festival Pass, Comedy Night Pair, Ballet Seats, Rodeo Tickets, Film Festival Pass, Jazz Brunch, Planetarium Pass, Skating Gala',
    'Front-Row, Balcony, Weekend, Family, Two, Four, Matinee, Backstage, Early-Entry, Aisle',
    'We cannot go after all; have fun for us.',
    'Handed over in person or by mail.',
    'Seats are next to each other.',
  ),
  travel: vocabulary(
    'Cabin Weekend, Steamer Trunk, Train Journey, Lake Cottage Week, Luggage Set, Sailing Trip, Ski Lodge Stay, Guidebook Bundle, City Break, Travel Clock, Balloon Ride, Houseboat Week, Hotel Voucher, Camper Rental',
    'Two-Night, Off-Season, Leather, Family, Lakeside, Mountain, Coastal, Flexible, Vintage, All-In',
    'Dates by agreement, within a year.',
    'The view alone is worth the drive.',
    'Wheels and zips all fine.',
  ),
  toys: vocabulary(
    'Wooden Train, Tin Robot, Board Game, Building Blocks, Puzzle, Spinning Top, Yo-Yo Set, Pinball Game, Card Game, Toy Kitchen, Kite, Magic Set, Toy Drum, Jack-in-the-Box',
    'Wind-Up, Complete, Boxed, Retro, Wooden, Battery, Giant, Classic, Educational, Unopened',
    'All pieces counted, twice.',
    'Still makes the noise, sorry.',
    'The box has tape on one corner.',
  ),
  hobbies: vocabulary(
    'Model Locomotive, Ship Kit, Radio-Controlled Plane, Slot Car Set, Embroidery Kit, Diecast Car, Telescope, Chemistry Set, Doll-Size Sewing Machine, Rocket Kit, Rail Layout, Paint Set, Bead Collection, Metal Detector',
    'H0-Scale, Unbuilt, Finished, 1:43, Brass, Limited, Large, Beginner, Vintage, Detailed',
    'Test run done; pulls ten cars uphill.',
    'Decals are still good.',
    'Half the fun is left for you.',
  ),
  curiosities: vocabulary(
    'Fossil Ammonite, Ship in a Bottle, Meteorite Slice, Barometer, Cigar Box Guitar, Lock Collection, Music Box, Message Stick, Mystery Crate, Butterfly Case, Fortune Teller Cards, Compass, Antler Coat Rack, Sign Language Chart',
    'Odd, Genuine, Unusual, Old, Handmade, Tiny, Puzzling, Restored, Found, Heavy',
    'I do not know what it is for, and nobody I asked does.',
    'Its story comes with it, on paper.',
    'Looks better on a shelf than in a drawer.',
  ),
  useful: vocabulary(
    'Extension Ladder, Moving Boxes, Camping Lantern, Rain Barrel, Toolbox, Battery Charger, First-Aid Kit, Sewing Machine, Storage Shelves, Pressure Washer, Baby Gate, Jump Leads, Workbench, Water Filter',
    'Sturdy, Folding, Rechargeable, Spare, Complete, Household, Compact, All-Weather, Unused, Reliable',
    'Does what it says.',
    'Bought two, needed one.',
    'Cleaned, checked and ready to collect.',
  ),
};

// Said of a thing's state, its delivery and its sale, in any category.
export const CONDITIONS: readonly string[] = [
  'In very good condition.',
  'In good used condition.',
  'Like new.',
  'Shows its age, and wears it well.',
  'Some wear, fully usable.',
  'Excellent for its age.',
  'Needs a little care and a new home.',
];
export const CLOSINGS: readonly string[] = [
  'Shipped within two days of the end.',
  'Pick-up welcome.',
  'Packed with care; shipping at cost.',
  'Ask before you bid if anything is unclear.',
  'No reserve.',
  'Happy bidding!',
  'Sold as described.',
];

// After a title's main part.
export const TITLE_TAILS: readonly string[] = [
  'in Original Box',
  'with Case',
  'from an Estate',
  'from the 1920s',
  'from the 1930s',
  'from the 1950s',
  'from the 1960s',
  'from the 1970s',
  'from the 1980s',
  'No Reserve',
  'Fine Condition',
  'Set of 2',
  'Set of 4',
  'Lot of 6',
  'Lot of 10',
  'Ready to Enjoy',
  'One Owner',
  'Hard to Find',
  'with Papers',
  'for Collectors',
];

// People: an adjective and a noun, then a number where the pair is taken.
export const NAME_FIRST: readonly string[] = words(
  'amber, autumn, bold, brave, bright, calm, clever, coastal, copper, crisp, distant, early, eager, fabled, gentle, golden, green, happy, hazel, hidden, honest, humble, indigo, jolly, keen, late, little, lively, lucky, lunar, maple, mellow, misty, modest, mossy, noble, northern, patient, plain, prairie, proud, quick, quiet, rapid, river, rustic, sandy, silent, silver, simple, snowy, solar, southern, steady, stormy, sunny, swift, tidy, velvet, violet, wandering, western, wild, winter',
);
export const NAME_SECOND: readonly string[] = words(
  'acorn, anchor, badger, beacon, birch, bison, bramble, canyon, cedar, comet, cooper, crane, cricket, dune, eagle, ember, falcon, fern, finch, fox, garden, harbor, hare, heron, hill, island, ivy, juniper, kestrel, kettle, lantern, lark, linden, lynx, maple, marten, meadow, moth, oak, orchid, otter, owl, pebble, pine, plover, quarry, raven, reed, robin, sail, sparrow, spruce, stone, summit, swan, thistle, tinker, trout, valley, walnut, willow, wren, yarrow, zephyr',
);

export const COMMENTS_GOOD: readonly string[] = words(
  'Exactly as described. Thank you!, Fast and friendly, Well packed and quickly here, A pleasure to deal with, Better than I had hoped, Would gladly do this again, Honest description and fair price, Arrived early and in one piece',
);
export const COMMENTS_MIXED: readonly string[] = words(
  'All right in the end, Took a while but arrived, As described more or less, Fine; packing could be better, No complaints and no surprises',
);
export const COMMENTS_BAD: readonly string[] = words(
  'Slow to answer, Not quite what the title promised, Arrived with a dent, Took three reminders, The box was mostly air',
);
