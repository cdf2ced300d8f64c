import { Picture } from '@claret/ui/kit';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../../../server/data/categories.ts';

test('Every category has its own picture for items without a motif', () => {
  const draw = (category: string) => renderToStaticMarkup(<Picture id="7" subject="Thing" category={category} />);
  for (const { name } of CATEGORIES) expect(draw(name), name).not.toBe(draw('Unheard-of'));
});
