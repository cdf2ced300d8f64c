// Writes every built text file also as .br and .gz: servers send the variant that the browser accepts, and never compress a file
// themselves.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(?:js|css|html|svg|json|txt)$/;
/** for smaller files compression saves less than its headers cost */
const LEAST_BYTES = 1_024;

export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle)) if (TEXT.test(name)) compressFile(join(dir!, name));
    },
  };
}

/** Writes `path`.br and `path`.gz if they are smaller. */
export function compressFile(path: string): void {
  const plain = readFileSync(path);
  if (plain.length < LEAST_BYTES) return;
  const parameters = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const packed = { br: brotliCompressSync(plain, { params: parameters }), gz: gzipSync(plain, { level: 9 }) };
  for (const [ending, bytes] of Object.entries(packed)) if (bytes.length < plain.length) writeFileSync(`${path}.${ending}`, bytes);
}
