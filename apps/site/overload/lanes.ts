// A request's lane, by its first line alone: shed requests are not parsed further.
import { API_PREFIX, PUBLIC_PREFIX } from '../http.ts';
import type { Lane } from './admission-limiter.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const PROBES = new Set(['/livez', '/readyz']);

export function laneOf(method: string, url: string): Lane {
  if (needsStore(url)) return READS.has(method) ? 'read' : 'write';
  return PROBES.has(url) ? 'probe' : 'page';
}

// The router also decodes escaped letters and absolute URLs: a request with either is taken for one of the API.
function needsStore(url: string): boolean {
  if (!url.startsWith('/')) return true;
  if (url.startsWith(API_PREFIX) || url.startsWith(`${PUBLIC_PREFIX}/`)) return true;
  const end = url.indexOf('/', 1);
  return (end === -1 ? url : url.slice(0, end)).includes('%');
}
