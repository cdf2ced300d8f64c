// The pages of a cluster's other gateways. In a replicated cluster a gateway may die, and the dashboard that it has served goes on with the
// telemetry of another one, which has another origin. So a page may connect to the other gateways (its content policy), and a gateway lets a
// page of one of them read its telemetry. Pages of all other origins, and all other routes, stay as they are (origin.ts).
import type { Overview } from '../replication/overview.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** REST addresses of a replicated cluster. */
export type OtherGateways = Pick<Overview, 'serving' | 'known'>;

/** The addresses that a content policy can name; it has no form for IPv6. */
const NAMEABLE = /^[A-Za-z0-9._-]+:\d{1,5}$/;
const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]):/;

/** The same for all names of this machine, since a person may have typed any. */
const canonical = (origin: string): string => origin.replace(LOOPBACK, 'http://127.0.0.1:');

/** The sources to which a page may connect beside its own. */
export const connectable = ({ serving }: OtherGateways): string[] =>
  [...serving()].filter((address) => NAMEABLE.test(address)).map((address) => `http://${address}`);

/** Lets pages of the cluster's gateways read the answer. For routes that read, and need no token. */
export const openToPagesOf =
  (others: OtherGateways) =>
  async ({ headers: { origin } }: FastifyRequest, { raw }: FastifyReply): Promise<void> => {
    raw.setHeader('vary', 'origin');
    if (origin === undefined) return;
    const asked = canonical(origin);
    for (const address of others.known()) {
      if (canonical(`http://${address}`) !== asked) continue;
      raw.setHeader('access-control-allow-origin', origin);
      return;
    }
  };
