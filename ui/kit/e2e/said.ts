// What a page says, some of it for a moment only: a test that looks now and then might miss it.
import type { Page } from '@playwright/test';

/** All that elements of this selector begin to say from now on, however short, in order, until the page is left. */
export async function saidBy(page: Page, selector: string): Promise<() => Promise<string[]>> {
  const record = await page.evaluateHandle((elements) => {
    const saidNow = () => new Set([...document.querySelectorAll(elements)].map(({ textContent }) => textContent.trim()));
    const all: string[] = [];
    let before = saidNow();
    const note = () => {
      const now = saidNow();
      all.push(...[...now].filter((text) => !before.has(text)));
      before = now;
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    return all;
  }, selector);
  return () => record.evaluate((all) => [...all]);
}
