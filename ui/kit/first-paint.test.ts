import { expect, it } from 'vitest';
import { withShell } from './first-paint.ts';

const BUILT = `<!doctype html>
<html>
  <head>
    <script type="module" src="/assets/index-1.js"></script>
    <link rel="stylesheet" crossorigin href="/assets/kit-1.css">
    <link rel="stylesheet" crossorigin href="/assets/index-1.css">
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>`;

it('lets the first paint depend on the page alone: style and shell inside, sheets below', () => {
  const html = withShell(BUILT, { name: 'Timelines', layout: 'rail' });
  const [head, body] = html.split('</head>');
  expect(head).not.toContain('rel="stylesheet"');
  expect(head).toMatch(/<style>:root \{[^]*--page:[^]*\.shell-rail \{[^]*<\/style>/);
  expect(head).toMatch(/<script>try \{[^]*claret-theme[^]*<\/script>/);
  expect(head!.length).toBeLessThan(7_000);
  expect(body).toMatch(
    /<div id="root"><div class="shell shell-rail">.*Claret <small>Timelines<\/small>.*<\/div>\s*<link[^>]*kit-1.css">\s*<link[^>]*index-1.css">/,
  );
});

it('refuses a page without a root element', () => {
  expect(() => withShell('<html><head></head><body></body></html>', { name: 'Timelines', layout: 'rail' })).toThrow('id="root"');
});
