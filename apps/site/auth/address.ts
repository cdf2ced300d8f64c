// Whom limits take for one visitor: an address, and of IPv6 the network of it that one household gets as a whole (RFC 6177 gives
// sites a /48 to a /64): else a guesser would have 2^64 addresses to come from.
import { isIPv6 } from 'node:net';

const NETWORK_GROUPS = 4; // of 16 bits: a /64

export function visitorAddress(ip: string): string {
  const [address = ''] = ip.split('%'); // the zone of a link-local one
  if (!isIPv6(address)) return ip;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return mapped ?? `${groupsOf(address).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

// REQUIRES: IPv6.
function groupsOf(address: string): string[] {
  const [head = '', tail] = address
    .toLowerCase()
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = 8 - head.length - (tail?.length ?? 0);
  return [...head, ...Array<string>(zeros).fill('0'), ...(tail ?? [])].map((group) => group.replace(/^0+(?=.)/, ''));
}
