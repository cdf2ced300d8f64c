import { Picture } from '@claret/ui/kit';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../../../server/data/categories.ts';

test('Every category has a picture of its own for what has none', () => {
  const draw = (category: string) => renderToStaticMarkup(<Picture id="7" subject="Thing" category={category} />);
  for (const { name } of CATEGORIES) expect(draw(name), name).not.toBe(draw('Unheard-of'));
});
