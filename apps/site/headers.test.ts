import { expect, test } from 'vitest';

import { SECURITY_HEADERS, TLS_SECURITY_HEADERS } from './headers.ts';

const policy = new Map(
  SECURITY_HEADERS['content-security-policy']!.split(';').map((directive) => {
    const [name = '', ...values] = directive.trim().split(' ');
    return [name, values];
  }),
);

test('The policy allows what the pages need, from this server’s files, and nothing else', () => {
  expect(policy.get('default-src')).toEqual(["'none'"]);
  for (const own of ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src', 'form-action'])
    expect([own, policy.get(own)]).toEqual([own, ["'self'"]]);
  for (const none of ['object-src', 'base-uri', 'frame-ancestors', 'trusted-types'])
    expect([none, policy.get(none)]).toEqual([none, ["'none'"]]);
  expect(policy.get('require-trusted-types-for')).toEqual(["'script'"]);
  expect(new Set([...policy.values()].flat())).toEqual(new Set(["'none'", "'self'", "'script'"]));
});

test('Pages cannot be framed, browsers do not guess types, and other sites get no referrer', () => {
  expect(SECURITY_HEADERS).toMatchObject({
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  });
});

test('Only visitors over TLS are told to stay on TLS, and for this host alone', () => {
  expect(SECURITY_HEADERS['strict-transport-security']).toBeUndefined();
  expect(TLS_SECURITY_HEADERS).toEqual({ ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' });
});
