// The address by which limits tell visitors apart. For IPv6 it is the /64 network: a household gets at least a /64 (RFC 6177), so a guesser
// would otherwise have 2^64 addresses.
import { isIPv6 } from 'node:net';

const NETWORK_GROUPS = 4; // of 16 bits each: a /64

export function visitorAddress(ip: string): string {
  const [address = ''] = ip.split('%'); // drops the zone of a link-local address
  if (!isIPv6(address)) return ip;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return mapped ?? `${groupsOf(address).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

// REQUIRES: an IPv6 address.
function groupsOf(address: string): string[] {
  const [head = '', tail] = address
    .toLowerCase()
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = 8 - head.length - (tail?.length ?? 0);
  return [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])].map((group) => group.replace(/^0+(?=.)/, ''));
}
