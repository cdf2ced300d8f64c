// The link of a peer whose frames are the bytes of a socket: a Redis client, or another gateway's door.
import type { Socket } from 'node:net';
import type { Source } from '../store/inputs.ts';
import type { PeerLink } from '../store/shard-host.ts';

/**
 * A socket that takes nothing is given so many bytes at most. A client that reads slowly takes a long reply piece by piece, and only one that has
 * not taken a piece within the host's limit is dropped.
 */
const PIECE_BYTES = 128 * 1024;

export function linkOf(socket: Socket): PeerLink & Source {
  let rest: Uint8Array | undefined;
  const writeRest = (): boolean => {
    while (rest !== undefined) {
      const piece = rest.subarray(0, PIECE_BYTES);
      rest = piece.length < rest.length ? rest.subarray(PIECE_BYTES) : undefined;
      if (!socket.write(piece)) return false;
    }
    return true;
  };
  return {
    write: (bytes) => {
      if (bytes.length <= PIECE_BYTES) return socket.write(bytes);
      rest = bytes;
      return writeRest();
    },
    writeRest,
    end: () => {
      if (rest !== undefined) socket.write(rest);
      rest = undefined;
      socket.destroySoon(); // a client that has been told why is not waited for
    },
    destroy: () => void socket.destroy(),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  };
}
