// The first page: the story runs through its four modes once, on a real cluster, and everything that it says stays.
import { bringAxe, expectReach } from '@claret/ui/kit/e2e/reach.ts';
import { expect, type Page } from '@playwright/test';
import {
  accessibilityFaults,
  calmDown,
  countShifts,
  EXPLORE,
  GATEWAYS,
  on,
  openWithPast,
  PHONE,
  stickingOut,
  STORED,
  test,
  watch,
  type Shifts,
} from './dashboard.ts';

const MODES = ['Reader/writer', 'Commuting', '+ Phasing', '+ Combining'];
const CONTROLS_MAX = 16;
const WORDS_MAX = 120;
/** "good" by the browsers' own scale */
const SHIFTS_MAX = 0.1;
const CALM_WITHIN_MS = 120_000;
/** A slow machine needs longer than the page's own load lasts: the first mode switches to the second by itself, and the test does the rest. */
const LOAD_S = { first: 12, all: 120 };
/** Enough to be in each other's way: more would only take the processor from the page. */
const CLIENTS = 16;

const story = (page: Page) => ({
  sentence: page.locator('[data-sentence]'),
  start: page.getByRole('button', { name: 'Start', exact: true }),
  stop: page.getByRole('button', { name: 'Stop', exact: true }),
  cards: page.getByRole('list', { name: 'Modes' }).getByRole('listitem'),
  card: (mode: string) => page.getByRole('list', { name: 'Modes' }).getByRole('button', { name: mode }),
  record: page.getByRole('region', { name: /^The one record/ }),
  why: page.getByRole('region', { name: 'Why?' }),
  chart: page.getByRole('region', { name: 'Commits a second' }).getByRole('img'),
});

/** The figure in a card before that word: "2.71 tries lost". */
const figure = (page: Page, place: number, name: string) =>
  story(page).cards.nth(place).getByRole('definition').nth(['tries lost', 'waited', 'slowest 1%'].indexOf(name));

/** The sentence and the figure "tries lost" of the first and the last card, as they are at one moment. */
const told = (page: Page) =>
  page.evaluate(() => {
    const lost = [...document.querySelectorAll('[aria-label="Modes"] > li')].map((card) => card.querySelector('dd')!.textContent);
    return { sentence: document.querySelector('[data-sentence]')!.textContent, lost: [lost.at(0)!, lost.at(-1)!] };
  });

/** What the keyboard can reach, and the words and figures outside of the cards, as far as they are in the window. */
const inWindow = (page: Page) =>
  page.evaluate(() => {
    const isIn = (box: DOMRect) =>
      box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    const takesFocus = (element: Element) =>
      (element as HTMLElement).tabIndex >= 0 && !(element as HTMLButtonElement).disabled && isIn(element.getBoundingClientRect());
    const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(takesFocus);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const said: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement!;
      if (parent.closest('[aria-label="Modes"], script, style, title') || !parent.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      if (isIn(range.getBoundingClientRect())) said.push(...(node.textContent!.match(/\S*[\p{L}\p{N}]\S*/gu) ?? []));
    }
    return { controls: controls.length, words: said.length, said: said.join(' ') };
  });

/** A page that is behind for a moment says so in more words. */
const expectLittle = (page: Page): Promise<void> =>
  expect(async () => {
    const { controls, words, said } = await inWindow(page);
    expect(controls).toBeLessThanOrEqual(CONTROLS_MAX);
    expect(words, said).toBeLessThanOrEqual(WORDS_MAX);
  }).toPass({ timeout: CALM_WITHIN_MS });

test.describe('the story', () => {
  test.describe.configure({ mode: 'serial' });
  let page: Page;
  let shifts: () => Promise<Shifts>;

  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage({ baseURL: GATEWAYS[0] });
    await calmDown(page.request);
    await bringAxe(page.context());
    shifts = await countShifts(page);
    await page.route('**/v1/admin/spikes', (route) => {
      const wish = route.request().postDataJSON() as { stages: object[] } | null;
      if (wish === null) return route.fallback();
      const stages = wish.stages.map((stage, place) => ({ ...stage, after_s: place === 0 ? LOAD_S.first : LOAD_S.all - 3 + place }));
      return route.continue({ postData: { ...wish, clients: CLIENTS, seconds: LOAD_S.all, stages } });
    });
    await page.goto('/');
    await expect(on(page).line).toHaveText('Live');
  });
  test.afterAll(async () => {
    await calmDown(page.request);
    await page.close();
  });

  test('shows what was recorded or measured before, and little else', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Claret is a database for records that everybody writes at once.');
    await expect(story(page).sentence).toContainText(/commits a second|commit instead of/);
    await expect(story(page).cards).toHaveCount(4);
    await story(page).card('Reader/writer').click(); // under these locks some were in the way, however few were measured
    await expect(story(page).why.getByRole('link')).toBeVisible();
    await expectLittle(page);
    await expectReach(page);
  });

  test('runs one mode after the other by itself, and measures each', async () => {
    const { start, stop, sentence, card, record } = story(page);
    await expect(async () => {
      if (await start.isVisible()) await start.click();
      await expect(stop).toBeVisible({ timeout: 10_000 });
    }).toPass();
    for (const [place, mode] of MODES.slice(0, 2).entries()) {
      await expect(card(mode)).toHaveAttribute('aria-pressed', 'true');
      await expect(sentence).toHaveText(/^(Bid|Nobody is much in the way)/);
      await expect(figure(page, place, 'tries lost')).toHaveText(/^<?[\d.]+$/);
    }
    await expect(record).toContainText(/Up to \d+ operations hold it at once/);
    await expect(page.getByText('clients bid on one auction')).toBeVisible();
    await expect(page.getByText('press Start to measure yours')).toBeHidden();
  });

  test('a digit switches at once, until the load ends', async ({ browser }) => {
    const { card, sentence, chart } = story(page);
    await page.locator('body').click({ position: { x: 2, y: 400 } });
    await expect(async () => {
      await page.keyboard.press('4'); // a page that is behind for a moment only shows what was measured in that mode
      await expect(card('+ Combining')).toHaveAttribute('aria-pressed', 'true', { timeout: 10_000 });
    }).toPass();
    // A page that stands still for three seconds sees the mode only when it is measured.
    await expect(sentence).toHaveText(/^(Measuring \+ Combining…$|Bid|Nobody is much in the way|ViewAuction)/);
    const phone = await browser.newPage({ ...PHONE, baseURL: GATEWAYS[0] });
    await watch(phone);
    await expect(story(phone).card('+ Combining').locator('..')).toContainText(/measuring…|now/);
    expect(await stickingOut(phone)).toEqual([]);
    await phone.close();
    await expect(sentence).toHaveText(/^(Bid|Nobody is much in the way|ViewAuction)/);
    await expect(chart).toHaveAttribute('aria-label', /Reader\/writer: .*Commuting: .*\+ Combining: /);
    await expectLittle(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('space stops it; what was measured stays, also after a reload, and the cluster is as before', async () => {
    const { start, stop, sentence, cards, card } = story(page);
    await expect(async () => {
      if (await stop.isVisible()) await page.keyboard.press(' '); // on a slow machine the load may be over
      await expect(stop).toBeHidden({ timeout: 30_000 });
    }).toPass();
    await expect(page.getByText(STORED)).toBeVisible();
    await expect(start).toBeVisible();
    // The last figures of the load may come after its end.
    await expect(async () => {
      const { sentence: said, lost } = await told(page);
      expect(said).toMatch(/^From Reader\/writer to \+ Combining: /);
      for (const figures of lost) expect(said).toContain(figures);
    }).toPass({ timeout: CALM_WITHIN_MS });
    const { locks, combining, normal } = await (await page.request.get('/v1/admin/conditions')).json();
    expect([locks, combining]).toEqual([normal.locks, normal.combining]);

    await card('Reader/writer').click();
    await expect(story(page).why).toContainText('reader/writer locks let one in at a time');
    await expect(story(page).record).toContainText('thrown back');
    await card('+ Combining').click();
    const { most, moved } = await shifts();
    expect(most, moved.join('\n')).toBeLessThan(SHIFTS_MAX);

    const { sentence: said } = await told(page);
    await page.getByRole('link', { name: 'Explore' }).click();
    await expect(page.locator('[data-sentence]')).toHaveText(said);
    // The gateway's history has longer frames than the stream, so the same time has slightly other figures.
    await openWithPast(page, '/', (waiting) => expect(sentence).toHaveText(/^From Reader\/writer to \+ Combining: /, waiting));
    for (const place of [0, 1, 3]) await expect(cards.nth(place).getByRole('definition').first()).toHaveText(/^<?[\d.]+$/);
    await expect(page.getByText('press Start to measure yours')).toBeHidden();
  });

  test('a transaction at the record opens its steps, by the keyboard too', async () => {
    const { record, card } = story(page);
    await card('Reader/writer').click();
    const items = record.getByRole('button', { name: /Show its steps$/ });
    await expect(items.first()).toBeAttached();
    const dialog = page.getByRole('dialog');
    // What has just been opened may still be drawn anew, and lose the focus.
    await expect(async () => {
      await record.locator('[data-item][tabindex="0"]').focus();
      await page.keyboard.press('ArrowRight');
      await expect(record.locator('[data-item]:focus')).toBeAttached({ timeout: 5_000 });
      await page.keyboard.press('Enter');
      await expect(dialog).toContainText(/Attempt \d+/, { timeout: 5_000 });
    }).toPass();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  test('leads to the table of the type that is hot', async () => {
    // Looks read the highest bids and their number, and either may be the hottest.
    await story(page)
      .why.getByRole('link', { name: /^All pairs of (TopK|Counter)$/ })
      .click();
    await expect(page).toHaveURL(/\/types#(TopK|Counter)$/);
    const type = new URL(page.url()).hash.slice(1);
    await expect(page.getByRole('region', { name: type, exact: true })).toBeInViewport();
  });
});

test('on a phone Start and all cards are on one screen', async ({ browser }) => {
  const phone = await browser.newPage({ ...PHONE, baseURL: GATEWAYS[0] });
  await phone.goto('/');
  await expect(story(phone).sentence).toContainText('commit');
  await expect(story(phone).start).toBeInViewport({ ratio: 1 });
  for (const mode of MODES) await expect(story(phone).card(mode)).toBeInViewport({ ratio: 1 });
  expect(await stickingOut(phone)).toEqual([]);
  expect(await accessibilityFaults(phone)).toEqual([]);
  await phone.close();
});

test('the old address of a view leads to it; keys without a modifier can be switched off, and stay off in this browser', async ({
  page,
}) => {
  await page.goto('/#owners');
  await expect(page).toHaveURL(`${EXPLORE}#owners`);
  await expect(on(page).owners).toBeInViewport();
  await page.goto('/');
  const keys = page.getByRole('button', { name: /^Keys: / });
  await expect(keys).toHaveText('Keys: space, 1–4');
  await keys.click();
  await expect(keys).toHaveText('Keys: off');
  const [last, first] = [story(page).card('+ Combining'), story(page).card('Reader/writer')];
  await last.click();
  await page.locator('body').click({ position: { x: 2, y: 400 } });
  await page.keyboard.press('1');
  await expect(last).toHaveAttribute('aria-pressed', 'true');
  await expect(first).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press(' ');
  await page.reload();
  await expect(keys).toHaveText('Keys: off');
  await expect(story(page).start, 'no load was started').toBeEnabled();
  await keys.click();
  await expect(keys).toHaveText('Keys: space, 1–4');
  await page.locator('body').click({ position: { x: 2, y: 400 } });
  await page.keyboard.press('1');
  await expect(first).toHaveAttribute('aria-pressed', 'true');
});

test('without a cluster the recording plays the story', async ({ page }) => {
  await page.route('**/v1/**', (route) => route.abort());
  await page.goto('/');
  await expect(on(page).recording).toContainText('No cluster answers');
  await expect(story(page).start).toBeDisabled();
  await on(page).playhead.press('End');
  await expect(story(page).sentence).toHaveText(/^From Reader\/writer to \+ Combining: /);
});
