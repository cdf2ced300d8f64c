// The link of a peer whose frames are the bytes of a socket: a Redis client, or another gateway's door.
import type { Socket } from 'node:net';
import type { PeerLink } from '../store/shard-host.ts';

export const linkOf = (socket: Socket): PeerLink => ({
  write: (bytes) => socket.write(bytes),
  end: () => socket.destroySoon(), // a client that has been told why is not waited for
  destroy: () => socket.destroy(),
});
