// PNG from SVG, with a bundled font: the machine needs none.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Pixels of the PNG per unit of the SVG: sharp on high-resolution screens. */
const ZOOM = 2;

const { resolve } = createRequire(import.meta.url);
let ready: Promise<Uint8Array[]> | null = null;

async function prepare(): Promise<Uint8Array[]> {
  await initWasm(await readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')));
  return Promise.all(
    ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map((file) =>
      readFile(resolve(`@expo-google-fonts/inter/${file}`)),
    ),
  );
}

export async function pngOf(svg: string): Promise<Uint8Array> {
  ready ??= prepare();
  const fontBuffers = await ready;
  const picture = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: { fontBuffers, defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' },
  });
  try {
    const rendered = picture.render();
    try {
      return rendered.asPng();
    } finally {
      rendered.free();
    }
  } finally {
    picture.free();
  }
}
