// The token of the cluster, where it has one; k6 finds it in the environment too (kit/token.ts).

export const TOKEN = process.env['CLARET_TOKEN'] ?? '';

export const authorization: Record<string, string> = TOKEN === '' ? {} : { authorization: `Bearer ${TOKEN}` };
