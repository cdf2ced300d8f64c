// The token of the cluster, if it has one; k6 reads it from the environment too (kit/token.ts).

export const TOKEN = process.env['CLARET_TOKEN'] ?? '';

export const authorization: Record<string, string> = TOKEN === '' ? {} : { authorization: `Bearer ${TOKEN}` };
