import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bar } from './progress.js';

const count = (text, letter) => text.split(letter).length - 1;

test('a bar is full only at the end', () => {
  assert.match(bar(100, 100), /^█{24} 100%$/);
  assert.match(bar(999, 1000), /99%$/);
  assert.match(bar(0, 100), /^░{24} +0%$/);
  assert.equal(count(bar(50, 100), '█'), 12);
});

test('a bar with a total of zero is empty, and one beyond its total is full', () => {
  assert.match(bar(0, 0), /^░{24} +0%$/);
  assert.match(bar(12, 10), /^█{24} 100%$/);
});
