// Checks for every page of every site, in light and in dark: accessibility, by axe, and no horizontal scrolling.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type BrowserContext, type Page } from '@playwright/test';

interface Axe {
  run(options: object): Promise<{ violations: { id: string; help: string; nodes: { target: string[]; failureSummary?: string }[] }[] }>;
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** WCAG 2.2 AA */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** the axe rules under these tags that check colours: all others find the same in light and in dark */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Loads axe into all pages that this context opens from now on; without it, `accessibilityFaults` loads axe itself. */
export const bringAxe = (context: BrowserContext): Promise<unknown> => context.addInitScript({ path: AXE });

/**
 * The faults found by axe, a line each. `rules`: changes to axe's rules, in its own format; `only`: the rules to check. An element is not
 * reported as too small while it lies below an element that floats above a list, such as the notice of new posts: scrolling uncovers it.
 * A page with something that stays in sight, such as an axis, is checked from its top, where that lies over nothing. Animations are finished first: a
 * dialog that is not yet all there does not count as one, and what is behind it as reachable.
 */
export async function accessibilityFaults(page: Page, rules: object = {}, only?: string[]): Promise<string[]> {
  await page.evaluate(() => {
    const staysInSight = (element: Element) => getComputedStyle(element).position === 'sticky';
    if ([...document.querySelectorAll('[data-floats]')].some(staysInSight)) window.scrollTo(0, 0);
  });
  await settle(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(AXE, 'utf8'));
  return page.evaluate(
    async (options) => {
      const { axe } = window as unknown as { axe: Axe };
      const floatingNow = () => [...document.querySelectorAll('[data-floats] > *')].map((element) => element.getBoundingClientRect());
      const floatedBefore = floatingNow();
      const { violations } = await axe.run(options);
      const where = ({ target, failureSummary = '' }: { target: string[]; failureSummary?: string }) =>
        `${target.join(' ')} (${failureSummary.split('\n').slice(1).join(' ').trim()})`;
      const floating = [...floatedBefore, ...floatingNow()]; // a notice comes and goes
      const liesBelow = (selector: string) => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return (
          box &&
          floating.some(({ left, right, top, bottom }) => box.left < right && left < box.right && box.top < bottom && top < box.bottom)
        );
      };
      const isFault = (id: string, { target, failureSummary = '' }: { target: string[]; failureSummary?: string }) =>
        !(id === 'target-size' && failureSummary.includes('partially obscured') && target.every(liesBelow));
      return violations
        .map(({ id, help, nodes }) => ({ id, help, nodes: nodes.filter((node) => isFault(id, node)) }))
        .filter(({ nodes }) => nodes.length > 0)
        .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(where).join(', ')}`);
    },
    { runOnly: only === undefined ? TAGS : { type: 'rule', values: only }, rules },
  );
}

/** The elements that stick out of the window, and so cause horizontal scrolling. */
export function stickingOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const sticksOut = (element: Element) => element.getBoundingClientRect().right > clientWidth;
    const found = [...document.querySelectorAll('*')].filter(sticksOut);
    return [`${scrollWidth - clientWidth} px too wide`, ...found.map(({ tagName, className }) => `${tagName}.${className}`)];
  });
}

/** Opens a page and waits until it has its heading and no loading state. */
export async function arrive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(/^Loading /)).toHaveCount(0);
}

/** Finishes all animations, such as a change of colours, so that contrast is measured on the final state. */
export const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await nextFrame();
    const ending = () => document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    for (let round = 0; round < 5 && ending().length > 0; round++) {
      for (const animation of ending()) animation.finish();
      await nextFrame();
    }
  });

/** `npm run test:long` repeats the tests tagged @dark, in both schemes. */
const COLOUR_SCHEMES = process.env['CLARET_LONG'] === '1' ? (['light', 'dark'] as const) : (['light'] as const);

/** Fails the test with all faults of the open page, but only at its end. */
export async function expectReach(page: Page, rules: object = {}): Promise<void> {
  const { pathname, search } = new URL(page.url());
  for (const colorScheme of COLOUR_SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const only = colorScheme === 'dark' ? RULES_OF_COLOURS : undefined;
    expect.soft(await accessibilityFaults(page, rules, only), `${pathname}${search} in ${colorScheme}`).toEqual([]);
  }
  expect.soft(await stickingOut(page), `${pathname}${search} fits its window`).toEqual([]);
}

/** The paths of a site's route table (`/items/:id`) that match none of the visited addresses. */
export function unvisited(routes: URL, visited: readonly string[]): string[] {
  const paths = [...readFileSync(routes, 'utf8').matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path!);
  expect(paths.length, 'the table of routes was read').toBeGreaterThan(3);
  const leadsTo = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/?]+')}(\\?.*)?$`);
  return paths.filter((path) => !visited.some((address) => leadsTo(path).test(address)));
}
