// Large answers of the API travel compressed, where the browser can read that: a page of posts is a fifth of its size then.
//
// Compressing an answer that holds a secret beside what its asker sent can give the secret away (BREACH). No answer of the API
// holds one: sessions are cookies, which are headers, and passwords are only ever sent in. Live streams are written past
// Fastify and never compressed: what is new would wait in the compressor. Files are compressed when they are built (pages.ts).
import { constants } from 'node:zlib';

import compress from '@fastify/compress';

import type { App } from './http.ts';

/** Below that the time it takes is worth more than the bytes. */
export const COMPRESSED_FROM_BYTES = 4 * 1_024;

/** Compresses the answers of all routes that are registered after it in this scope. */
export async function compressAnswers(api: App): Promise<void> {
  await api.register(compress, {
    threshold: COMPRESSED_FROM_BYTES,
    customTypes: /^application\/json\b/,
    encodings: ['gzip', 'identity'],
    zlibOptions: { level: constants.Z_BEST_SPEED },
    globalDecompression: false, // what is sent in is small, and stays as it is
  });
}
