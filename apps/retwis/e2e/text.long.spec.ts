// User-written text is shown as it was written: as text, counted in graphemes, in its own direction.
import { expect, type Locator } from '@playwright/test';
import { ask } from '@claret/site/e2e/people.ts';
import type { EntryPage } from '../server/api.ts';
import { follow, look, on, post, postWith, SERVERS, test, write, type Person } from './site.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const FLAG = '🇺🇳';
const ACCENTED = 'e\u0301\u0323';

test('a post with markup and script is shown as text, and no script runs', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  const ran: string[] = [];
  for (const { page } of [ada, ben]) page.on('dialog', (dialog) => (ran.push(dialog.message()), void dialog.dismiss()));
  const texts = [
    `<script>alert('script')</script> and <b>bold</b>`,
    `<img src=x onerror="alert('image')"> &lt;already&gt; &amp;`,
    `javascript:alert('link') "><svg onload=alert(1)>`,
  ];
  await follow(ben, ada);
  await look(ada);
  for (const text of texts) {
    await write(ada.page, text);
    await expect(postWith(ada.page, text)).toBeVisible();
  }
  await look(ben);
  for (const text of texts) {
    const words = postWith(ben.page, text).locator('[dir=auto]');
    await expect(words).toHaveText(text);
    await expect(words.locator('script, img, svg, b, a')).toHaveCount(0);
  }
  // On the post's own page the text is also in the title.
  await postWith(ben.page, 'and <b>bold')
    .getByRole('link')
    .filter({ has: ben.page.locator('time') })
    .click();
  await expect(ben.page).toHaveTitle(/<script>alert/);
  expect(ran).toEqual([]);
});

const refusal = async (person: Person, text: string) => {
  const response = await person.context.request.post('/api/posts', {
    data: { text },
    headers: { 'x-claret-csrf': '1' },
  });
  return { status: response.status(), code: ((await response.json()) as { code?: string }).code };
};

test('the page and the server both count 280 graphemes', async ({ enter }) => {
  const ada = await enter('ada');
  await look(ada);
  const { field, send: button } = on(ada.page);
  // Fewer bytes than the limit, but many more UTF-16 units than 280.
  const text = FAMILY.repeat(60) + FLAG.repeat(60) + ACCENTED.repeat(60) + 'x'.repeat(100);
  const form = ada.page.getByRole('form', { name: 'Write a post' });

  await field.fill(text.slice(0, -1));
  await expect(form).toContainText('1 of 280 characters left');
  await field.fill(text + FAMILY);
  await expect(form).toContainText('1 character over the limit.');
  await expect(form.locator('mark')).toHaveText(FAMILY);
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await field.press('Control+Enter');
  await expect(field).toHaveValue(text + FAMILY);
  await expect.poll(() => refusal(ada, text + FAMILY)).toEqual({ status: 400, code: 'text_too_long' });

  await field.fill(text);
  await expect(form).toContainText('0 of 280 characters left');
  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  await button.click();
  await expect(field).toHaveValue('');
  await expect(on(ada.page).posts.first().locator('[dir=auto]')).toHaveText(text);
});

test('an invalid post is refused by the server too', async ({ enter }) => {
  const ada = await enter('ada');
  await look(ada);
  const { field, send: button } = on(ada.page);
  await field.fill(' \n\u3000');
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect.poll(() => refusal(ada, ' \n\u3000')).toEqual({ status: 400, code: 'text_empty' });
  await expect.poll(() => refusal(ada, 'a\u0000b')).toEqual({ status: 400, code: 'text_has_control_characters' });
  expect((await ask<EntryPage>(ada.context, '/api/timeline')).entries).toEqual([]);
});

const TEXTS = {
  emoji: `🦊🏳️‍🌈👩🏽‍🚀 ${FAMILY} 1️⃣`,
  hebrew: 'שלום עולם, ברוכים הבאים',
  arabic: 'مرحبا بالعالم',
  mixed: 'Claret אומר שלום 👋🏿',
  combining: `Z\u0351\u036balgo ${ACCENTED} ﬁ ＡＢＣ`,
  lines: 'one\n\nthree  with  spaces',
};

test('emoji, accents and scripts of the world are kept byte for byte', async ({ enter }) => {
  const ada = await enter('ada');
  const ben = await enter('ben', SERVERS[1]);
  await follow(ben, ada);
  await look(ada);
  for (const text of Object.values(TEXTS)) {
    await write(ada.page, text);
    await expect(on(ada.page).posts.first().locator('[dir=auto]')).toHaveText(text, { useInnerText: false });
  }
  const { entries } = await ask<EntryPage>(ben.context, '/api/timeline');
  expect(entries.map(({ post: { text } }) => text).reverse()).toEqual(Object.values(TEXTS));
  await look(ben);
  for (const text of Object.values(TEXTS)) {
    const words = on(ben.page).posts.locator('[dir=auto]');
    await expect.poll(() => words.allTextContents()).toContain(text);
  }
});

/** The positions of the first and last letter, and the box of the text. */
function letters(words: Locator) {
  return words.evaluate((element) => {
    const range = document.createRange();
    const at = (index: number) => {
      const node = element.firstChild!;
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      return range.getBoundingClientRect();
    };
    const box = element.getBoundingClientRect();
    return { first: at(0), last: at(element.firstChild!.textContent!.length - 1), left: box.left, right: box.right };
  });
}

test('right-to-left text is laid out from the right, in the list and in the composer', async ({ enter }) => {
  const ada = await enter('ada');
  await post(ada, TEXTS.hebrew);
  await post(ada, 'Hello world');
  await look(ada);
  const hebrew = await letters(postWith(ada.page, TEXTS.hebrew).locator('[dir=auto]'));
  expect(hebrew.first.left).toBeGreaterThan(hebrew.last.left);
  expect(hebrew.right - hebrew.first.right).toBeLessThan(4);
  const english = await letters(postWith(ada.page, 'Hello world').locator('[dir=auto]'));
  expect(english.first.left - english.left).toBeLessThan(4);
  await on(ada.page).field.fill(TEXTS.arabic);
  expect(await on(ada.page).field.evaluate((field) => getComputedStyle(field).direction)).toBe('rtl');
});
