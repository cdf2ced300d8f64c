// Compresses large API answers for browsers that accept it: a page of posts shrinks to a fifth of its size.
//
// Compressing an answer that holds a secret beside the asker's own input can reveal the secret (BREACH). No API answer holds a secret:
// sessions are cookies, which are headers, and passwords are only ever received. Live streams bypass Fastify and are never compressed:
// events would be held back in the compressor. Files are compressed at build time (pages.ts).
import { constants } from 'node:zlib';

import compress from '@fastify/compress';

import type { App } from './http.ts';

/** for smaller answers the time to compress costs more than the bytes saved */
export const COMPRESSED_FROM_BYTES = 4 * 1_024;

/** Compresses the answers of all routes registered after it in this scope. */
export async function compressAnswers(api: App): Promise<void> {
  await api.register(compress, {
    threshold: COMPRESSED_FROM_BYTES,
    customTypes: /^application\/json\b/,
    encodings: ['gzip', 'identity'],
    zlibOptions: { level: constants.Z_BEST_SPEED },
    globalDecompression: false, // request bodies are small and never compressed
  });
}
