// Texts of people who do not write English: one language each, some of them right-to-left. The first texts of a language stand alone, the
// sentences after them also next to each other in any order. Only scripts that the pages or every system have fonts for, so that the demo
// shows no empty boxes.
import type { Theme } from './theme.ts';

const language = (emoji: string, alone: string[], ...sentences: string[]): Theme => ({ emoji: emoji.split(' '), alone, sentences });

export const LANGUAGES: readonly Theme[] = [
  // German
  language(
    '☕ 🌧️ 🥨 🌳 🚲',
    ['{Guten Morgen|Schönen Feierabend|Gute Nacht} zusammen!'],
    'Der Zug hat {fünf|zehn|zwanzig} Minuten Verspätung, aber die Sonne scheint.',
    'Heute {Brot gebacken|Äpfel geerntet|das Fahrrad repariert}. Sehr zufrieden.',
    'Wer hat eigentlich den {Montag|Wecker|Nieselregen} erfunden?',
    'Im Garten blüht {der Flieder|die Linde|der Salbei}, und alles summt.',
    'Noch {eine Seite|ein Kapitel}, dann schlafe ich. Bestimmt.',
    'Es gibt zu wenige Wörter für {Nebel|Butterbrot|Fernweh}.',
  ),
  // French
  language(
    '🥐 ☕ 🌿 🎶 🚲',
    ['{Bonne nuit|Bon dimanche|Bonne semaine} à tous !'],
    'Premier café de la journée, {le soleil est là|la rue est calme|tout va bien}.',
    'J’ai {raté mon train|oublié mon parapluie|retrouvé mes clés} et j’ai ri tout seul.',
    'Au marché ce matin : {des fraises|des champignons|des abricots} et beaucoup trop de fromage.',
    'Je relis ce livre pour la {deuxième|troisième|dixième} fois. Toujours aussi beau.',
    'Qui connaît une bonne recette de {soupe|tarte aux poireaux|gratin} ?',
    'La pluie sur les toits, {un thé|un chat|une chanson}, rien d’autre.',
  ),
  // Spanish
  language(
    '☀️ 🍋 🎸 🌊 🥘',
    ['Mañana será {otro día|mejor|domingo}. ¡Ánimo!'],
    'Hoy {el mar|el cielo|la montaña} está de un azul increíble.',
    '¿Alguien más {habla con sus plantas|lee en el autobús|desayuna dos veces}?',
    'He aprendido a hacer {tortilla|pan|croquetas}. Bueno, casi.',
    'El perro del vecino {me ha adoptado|ladra a la luna|duerme en mi puerta}.',
    'Nada como {una siesta|una guitarra|una charla larga} después de comer.',
    'Llueve {desde el lunes|otra vez|como si no hubiera mañana} y yo sin paraguas.',
  ),
  // Italian
  language(
    '🍝 ☕ 🛵 🌅 🍋',
    ['{Buongiorno|Buonanotte|Buona domenica} a tutti!'],
    'Il caffè di stamattina era {perfetto|troppo corto|una poesia}.',
    'Ho camminato fino {al mare|al lago|al vecchio ponte} e sono tornato in autobus.',
    'Oggi in cucina: {gnocchi|risotto|pane} e musica ad alto volume.',
    'Mia nonna dice che {piove sempre di domenica|il sugo non ha fretta|il silenzio è d’oro}. Ha ragione.',
    'Che bella {la luce|l’aria|la città} a quest’ora.',
  ),
  // Portuguese
  language(
    '🌞 🌊 🎶 ☕ 🥭',
    ['Bom dia com {sol|café|pão quente}!'],
    'Perdi o ônibus e ganhei {uma caminhada|uma boa conversa|um pôr do sol}.',
    'Hoje aprendi a {fazer bolo|tocar um samba|consertar a bicicleta}.',
    'O gato dormiu {no teclado|na minha mala|em cima do jornal} de novo.',
    'Saudade de {praia|casa|chuva no telhado}.',
    'Alguém me indica {um livro|um filme|uma receita} para o fim de semana?',
  ),
  // Dutch
  language(
    '🚲 🌷 ☕ 🌬️',
    ['{Goedemorgen|Goedenacht|Fijne avond} allemaal!'],
    'Wind tegen, {heen én terug|de hele dijk lang}. Hoe dan?',
    'Vandaag {soep gekookt|de fiets gemaakt|tulpen geplant}. Lekker bezig.',
    'De {trein|pont|tram} was op tijd! Echt waar.',
    'Wie heeft er een tip voor {een regenachtige zondag|een goed boek|appeltaart}?',
    'Buiten {schaatsen ze|is het mistig|ruikt het naar regen}, binnen is er koffie.',
  ),
  // Swedish
  language(
    '🌲 ☕ ❄️ 🫐',
    ['{God morgon|God natt|Trevlig helg} på er!'],
    'Plockade {blåbär|kantareller|lingon} hela dagen. Händerna är lila.',
    'Första {snön|frosten|vårdagen} i år!',
    'Fika är {viktigt|inte förhandlingsbart|dagens bästa stund}.',
    'Sjön var {tolv|fjorton|sexton} grader. Jag badade ändå.',
  ),
  // Polish
  language(
    '🥟 🌧️ 📚 🌻',
    ['{Dzień dobry|Dobranoc|Miłego dnia} wszystkim!'],
    'Dziś {lepię pierogi|czytam do późna|sadzę pomidory}.',
    'Pociąg spóźniony, ale {widok piękny|herbata gorąca|towarzystwo wesołe}.',
    'Kto jeszcze {pisze listy|zbiera znaczki|lubi deszcz}?',
    'Kot znowu {śpi na klawiaturze|patrzy na mnie z góry|udaje, że nie jadł}.',
  ),
  // Turkish
  language(
    '🫖 🌊 🐈 🥯',
    ['{Günaydın|İyi geceler|İyi pazarlar} herkese!'],
    'Bir bardak çay, {bir simit|biraz deniz|eski bir şarkı}. Daha ne olsun?',
    'Bugün {vapuru kaçırdım|ekmek yaptım|çok yürüdüm} ama mutluyum.',
    'Sokağın kedisi {yine bizim kapıda|artık bizim kedimiz|bu sabah bana selam verdi}.',
    'Bu {kitabı|filmi} bitirmek istemiyorum.',
  ),
  // Russian
  language(
    '❄️ ☕ 📖 🌲 🍄',
    ['{Доброе утро|Спокойной ночи|Хороших выходных}!'],
    'Сегодня {выпал снег|опустился туман|прошёл дождь}, и город стал тише.',
    'Испекла {пирог|хлеб|печенье}, пахнет на весь подъезд.',
    'Кто ещё {пьёт чай ночью|слушает дождь|разговаривает с котом}?',
    'Прошли {десять|двадцать} километров по лесу и нашли {один гриб|целую поляну грибов}.',
    'Читаю {медленно|третий вечер|в метро} и никуда не спешу.',
  ),
  // Ukrainian
  language(
    '🌻 ☕ 🍯 🎶',
    ['{Доброго ранку|Гарного дня|На добраніч}!'],
    'Сьогодні {сонячно|дощить|пахне весною}, і настрій чудовий.',
    'Бабуся навчила мене {пекти хліб|варити борщ|вишивати}.',
    'Кіт знову {спить на книжці|сидить у коробці|дивиться у вікно}.',
    'Хто знає гарну {пісню|книжку|казку} на вечір?',
  ),
  // Greek
  language(
    '☀️ 🌊 🫒 ⛵',
    ['Καλημέρα με {ήλιο|καφέ|θάλασσα}!', 'Καληνύχτα σε όλους, {τα λέμε αύριο|όνειρα γλυκά}.'],
    'Σήμερα {μάζεψα ελιές|έφτιαξα ψωμί|περπάτησα ως το λιμάνι}.',
    'Η γάτα της γειτονιάς {με περιμένει|κοιμάται στο καπό|ξέρει τα πάντα}.',
    'Το καλύτερο βιβλίο είναι αυτό που {δεν τελειώνει|διαβάζεις δύο φορές}.',
  ),
  // Arabic
  language(
    '🌙 ☕ 🌴 📚 ✨',
    ['صباح الخير، {القهوة جاهزة|الشمس مشرقة|يوم جديد}.', 'مساء الخير، القمر {كامل|جميل جدا|قريب} الليلة.'],
    'قرأت اليوم {قصيدة جميلة|كتابا قديما|ثلاثين صفحة} ونسيت الوقت.',
    'رائحة {الخبز|المطر|الياسمين} في الصباح لا تشبهها رائحة.',
    'من يعرف وصفة سهلة لعمل {الحساء|الخبز|الحلوى}؟',
    'مشيت اليوم {5|8|12} كيلومترا على شاطئ البحر.',
  ),
  // Hebrew
  language(
    '🌞 🍋 🎸 📖',
    ['בוקר טוב, {הקפה מוכן|השמש כבר כאן|איזה יום יפה}!', 'עוד {פרק אחד|שיר אחד|כוס תה} והולכים לישון.'],
    'היום {אפיתי לחם|קראתי ספר שלם|הלכתי ברגל לים}.',
    'החתול של השכנים {שוב אצלנו|ישן על המקלדת|לא מתרגש מכלום}.',
    'מי מכיר מתכון טוב ל{מרק|עוגה|סלט}?',
    'הגשם הראשון! {סוף סוף|כמה חיכינו|איזה ריח}.',
  ),
  // Persian
  language(
    '🌸 🫖 📜 🌙',
    ['صبح بخیر، {چای آماده است|هوا عالی است|روز خوبی داشته باشید}.'],
    'امروز {نان پختم|زیاد راه رفتم|یک شعر حفظ کردم}.',
    'باران که می‌بارد، {شهر آرام می‌شود|دلم سفر می‌خواهد|چای می‌چسبد}.',
    'کسی یک {کتاب|فیلم} خوب سراغ دارد؟',
    'گربه‌ی همسایه دوباره {روی دیوار|پشت پنجره|توی جعبه} خوابیده است.',
  ),
  // Urdu
  language(
    '🫖 🌧️ 📚 🌙',
    ['صبح بخیر، {چائے تیار ہے|موسم اچھا ہے|آج چھٹی ہے}!'],
    'بارش ہو رہی ہے اور {پکوڑے|چائے|پرانے گانے} یاد آ رہے ہیں۔',
    'آج {ایک نئی کتاب|ایک پرانا خط|ایک اچھا گانا} ملا۔',
    'کیا کوئی {اچھی کتاب|آسان ترکیب} بتا سکتا ہے؟',
  ),
  // Hindi
  language(
    '☕ 🌧️ 🥭 🎶',
    ['सुप्रभात! {चाय तैयार है|धूप खिली है|आज छुट्टी है}।'],
    'आज {रोटी|खीर|नई सब्ज़ी} बनाई और सबको पसंद आई।',
    'बारिश में {चाय का|पकौड़ों का|पुराने गानों का} मज़ा ही कुछ और है।',
    'कोई अच्छी {किताब|फ़िल्म|कविता} बताइए।',
    'ट्रेन {दस मिनट|एक घंटा} देर से है, पर खिड़की वाली सीट मिल गई।',
  ),
  // Vietnamese
  language(
    '☕ 🍜 🌧️ 🛵',
    ['Chào buổi sáng, {cà phê|phở|bánh mì} thôi!'],
    'Trời {mưa|nắng|mát} quá, ai đi dạo không?',
    'Hôm nay mình {đọc xong một cuốn sách|nấu canh chua|trồng thêm hoa}.',
    'Con mèo lại ngủ trên {bàn phím|ghế của mình|chồng sách}.',
  ),
  // Indonesian
  language(
    '🌴 ☕ 🍛 🌊',
    ['Selamat pagi! {Kopi|Teh} dulu, baru kerja.'],
    'Hari ini {masak soto|naik kereta|belajar gitar}. Seru!',
    'Hujan {dari pagi|lagi|deras sekali}, enaknya makan yang hangat.',
    'Ada yang punya rekomendasi {buku|film|lagu} bagus?',
  ),
  // Swahili
  language(
    '🌅 🥭 🌍 🎶',
    ['Habari za asubuhi! {Chai iko tayari|Jua limewaka|Siku njema}.', 'Usiku mwema, {tutaonana kesho|lala salama}.'],
    'Leo {nimesoma kitabu|nimepika wali|nimetembea sana}.',
    'Mvua {inanyesha|imekuja} na mimi sina mwavuli.',
  ),
];
