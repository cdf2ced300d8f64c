// Connects the gateway's own client to its own shard: frames are passed within the process.
import type { Link, LinkHandlers, LocalShard } from '@claret/client';
import type { ShardHost } from './shard-host.ts';

export function localShard(host: ShardHost): LocalShard {
  return {
    attach(handlers: LinkHandlers): Link {
      let open = true;
      const ended = () => {
        if (!open) return;
        open = false;
        host.disconnect(peer);
        handlers.onClose();
      };
      const peer = host.connect({
        write: (frame) => {
          if (open) handlers.onFrame(frame);
          return true;
        },
        end: ended,
        destroy: ended,
      });
      return {
        send: (frame) => {
          if (open) host.receive(peer, frame);
          return open;
        },
        close: () => {
          open = false;
          host.disconnect(peer);
        },
      };
    },
  };
}
