// The page of data types, against the catalogue of a running cluster. pages.spec.ts checks its accessibility.
import { expect, type Page } from '@playwright/test';
import { calmDown, EXPLORE, on, PHONE, showFew, startLoad, stickingOut, test } from './dashboard.ts';

interface Type {
  name: string;
  operations: { name: string; class: string }[];
  rules: { first: string; second: string; ruling: string }[];
}

/** The page's words for a ruling. */
const SHOWN: Record<string, string> = { always: 'together', depends: 'depends', summed: 'within bounds', never: 'one waits' };

/** Each type lists its operations, and its table gives for each pair the ruling of the catalogue. */
async function expectRulings(page: Page, types: Type[]): Promise<void> {
  for (const { name, operations, rules } of types) {
    const type = page.getByRole('region', { name, exact: true });
    const listed = await type.getByRole('table', { name: 'its operations' }).innerText();
    for (const operation of operations) expect(listed, name).toContain(`${operation.name}(`);
    const table = type.getByRole('table', { name: 'which two operations' });
    const said = await table.evaluate((element: HTMLTableElement) => {
      const operationOf = (cell: Element) => cell.querySelector('[class*="name"]')!.textContent!;
      const columns = [...element.tHead!.rows[0]!.cells].slice(1).map(operationOf);
      return [...element.tBodies[0]!.rows].flatMap((row) =>
        [...row.cells]
          .slice(1)
          .map((cell, at) => [operationOf(row.cells[0]!), columns[at]!, cell.querySelector('.visually-hidden')!.textContent!]),
      );
    });
    expect(said).toHaveLength(operations.length ** 2);
    for (const { first, second, ruling } of rules) {
      for (const [one, other] of [
        [first, second],
        [second, first],
      ])
        expect(said, name).toContainEqual([one, other, SHOWN[ruling]]);
    }
  }
}

/** A number links to its rule in words; under reader/writer locks only readers share. */
async function expectReadersToShare(page: Page, { name, operations, rules }: Type): Promise<void> {
  const type = page.getByRole('region', { name, exact: true });
  const table = type.getByRole('table', { name: 'which two operations' });
  const signs = (words: string) => table.getByText(words, { exact: true });
  await table.getByRole('row', { name: 'read size' }).getByRole('link').first().click();
  await expect(type.locator(':target')).toContainText('It is a member already.');
  // A rule holds in both directions, so all but an operation beside itself stand in two cells of the table.
  const always = rules.filter(({ ruling }) => ruling === 'always');
  await expect(signs('together')).toHaveCount(always.reduce((sum, { first, second }) => sum + (first === second ? 1 : 2), 0));

  await page.getByText('Reader/writer locks', { exact: true }).click();
  const readers = operations.filter((operation) => operation.class === 'observe').length;
  expect(readers).toBeGreaterThan(0);
  await expect(signs('together')).toHaveCount(readers ** 2);
  await expect(signs('one waits')).toHaveCount(operations.length ** 2 - readers ** 2);
  await expect(signs('depends')).toHaveCount(0);
}

test.describe('the data types', () => {
  test('each type has its operations and a table of rulings as in the cluster’s catalogue, also one that is installed meanwhile', async ({
    page,
  }) => {
    const catalogue = (await (await page.request.get('/v1/types')).json()) as { types: Type[] };
    const { types } = catalogue;
    expect(types.length).toBeGreaterThan(9);
    // Nothing answers at first: the page says so, shows no outdated data, and recovers by itself.
    await page.route('**/v1/types', (route) => route.abort());
    await page.goto('/types');
    await expect(page.getByRole('alert')).toContainText('The data types could not be loaded');
    await expect(page.getByRole('table')).toHaveCount(0);
    await page.unroute('**/v1/types');
    await expect(page.getByRole('region', { name: 'Register', exact: true })).toBeVisible();
    await expectRulings(page, types);
    await expectReadersToShare(
      page,
      types.find(({ name }) => name === 'Set')!,
    );

    await expect(page.getByRole('region', { name: 'Tally', exact: true })).toHaveCount(0);
    const tally = { ...types.find(({ name }) => name === 'Counter')!, name: 'Tally', installed: true };
    await page.route('**/v1/types', (route) => route.fulfill({ json: { ...catalogue, types: [...types, tally] } }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    const type = page.getByRole('region', { name: 'Tally', exact: true });
    await expect(type.getByText('installed', { exact: true })).toBeVisible();
    await expect(type.getByRole('table', { name: 'which two operations' })).toBeVisible();
    await expect(page.getByText('installed', { exact: true })).toHaveCount(1);
  });

  test.describe('under load', () => {
    test.beforeEach(({ request }) => calmDown(request));
    test.afterEach(({ request }) => calmDown(request));

    test('the type that is hot now is marked, and leads to its record', async ({ page }) => {
      await showFew(page);
      await page.goto('/types');
      await expect(page.getByRole('region', { name: 'Set', exact: true })).toBeVisible();
      await startLoad(page.request, { spike: 'rawmix', seconds: 115, clients: 2 });
      const link = page.getByRole('region', { name: 'Set', exact: true }).getByText('hot now').getByRole('link');
      await expect(link).toHaveText(/\S/);
      await expect(page.getByRole('link', { name: /hot now/ })).toHaveText('Set, hot now');
      await link.click();
      await expect(page).toHaveURL(new RegExp(`${EXPLORE}\\?record=`));
      // Which record is the hottest may change until the click.
      const key = new URL(page.url()).searchParams.get('record')!;
      await expect(on(page).lanes.getByRole('button', { name: key, pressed: true })).toBeVisible();
    });
  });

  test('the eight modes that a type can have look different, in light and dark', async ({ page }) => {
    const names = ['open', 'reserve', 'release', 'guest', 'left', 'move', 'merge, split', 'close'];
    const pairs = names.flatMap((first, at) => names.slice(at).map((second) => ({ first, second, ruling: 'never', when: '' })));
    const operation = { meaning: 'Does it.', class: 'both', result: 'void', fresh: false, parameters: [] };
    const hall = {
      name: 'Hall',
      installed: true,
      meaning: 'A hall.',
      modes: names.map((name) => ({ name, meaning: 'operations that commute alike' })),
      operations: names.map((name, mode) => ({ ...operation, name, mode })),
      rules: pairs,
    };
    await page.route('**/v1/types', (route) => route.fulfill({ json: { types: [hall] } }));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('/types');
      const signs = page.getByLabel('Hall: modes').locator('dt');
      await expect(signs).toHaveCount(8);
      const letters = await signs.locator('[class*="letters"]').allTextContents();
      expect(new Set(letters).size, letters.join()).toBe(8);
      const fills = () => signs.locator('canvas').evaluateAll((all) => all.map((canvas) => (canvas as HTMLCanvasElement).toDataURL()));
      await expect.poll(async () => new Set(await fills()).size, 'each canvas is drawn').toBe(8);
    }
  });
});

test.describe('the data types on a phone', () => {
  test.use(PHONE);
  test('fit its width', async ({ page }) => {
    await showFew(page);
    await page.goto('/types#ScoredSet');
    await expect(page.getByRole('heading', { name: 'ScoredSet' })).toBeInViewport();
    expect(await stickingOut(page)).toEqual([]);
  });
});
