// "Who owns which shard?", at the pointed instant, otherwise at the end of the shown span: the gateway of each shard, its slots, the slots that
// move, and the standbys of a replicated cluster. A cluster of one shard that is not replicated has no such panel.
import { Pill } from '@claret/ui/kit';
import type { ShardStandby } from '@claret/client/telemetry';
import { slotWords } from '../../components/figures.ts';
import { Panel } from '../../components/Panel.tsx';
import { Term } from '../../components/Term.tsx';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import styles from './OwnersPanel.module.css';
import { OwnersTable } from './OwnersTable.tsx';
import { sinceWords, standbyWords } from './ownerWords.ts';
import { shardRows, type ShardRow } from './shardRows.ts';
import { SlotMoves } from './SlotMoves.tsx';

const SLOTS = 16_384;

export function OwnersPanel() {
  const { replication, slots, isReplicated, isNeeded } = useTelemetry((store, { to_ms }, { hover_ms }) => {
    const replicated = store.replication.newest !== null;
    return {
      replication: store.replication.at(hover_ms ?? to_ms),
      slots: store.slots.at(hover_ms ?? to_ms),
      isReplicated: replicated,
      isNeeded: replicated || (store.slots.newest !== null && store.shards > 1),
    };
  });
  if (!isNeeded) return null;
  const shards = isReplicated && replication === null ? [] : shardRows(replication, slots);
  const standbys = replication?.standbys ?? [];
  const at_ms = replication?.at_ms ?? 0;
  return (
    <Panel
      id="owners"
      isFlat
      title="Who owns which shard?"
      about={isReplicated ? <AboutOwners /> : <AboutSlots />}
      table={() => <OwnersTable shards={shards} standbys={standbys} at_ms={at_ms} />}
      empty={shards.length === 0 ? 'Nothing is known of this time.' : null}
    >
      <ul className={styles.gateways}>
        {shards.map((row) => (
          <Shard key={row.shard} row={row} at_ms={at_ms} />
        ))}
        {standbys.map((standby) => (
          <Standby key={standby.address} standby={standby} />
        ))}
        {isReplicated && standbys.length === 0 && (
          <li>
            <b>No standby</b> <span className={styles.state}>A shard whose owner dies is away until a gateway is started.</span>
          </li>
        )}
      </ul>
      <SlotMoves moves={slots?.moves ?? []} />
    </Panel>
  );
}

const AboutSlots = () => (
  <>
    Each shard owns some of the 16,384 <Term word="slot">slots</Term>, parts of all keys. A <Term word="move" /> brings slots to another
    shard while both serve.
  </>
);

const AboutOwners = () => (
  <>
    When an <Term word="owner" /> renews its <Term word="lease" /> no longer, a <Term word="standby" />{' '}
    <Term word="take-over">takes its shard over</Term>. Up to date: it lacks no more than the owner writes in a second. A{' '}
    <Term word="move" /> brings <Term word="slot">slots</Term> to another shard.
  </>
);

function Shard({ row: { shard, rest_address, slots, owner }, at_ms }: { row: ShardRow; at_ms: number }) {
  return (
    <li title={owner === null ? undefined : `Incarnation ${owner.incarnation}`}>
      <b>Shard {shard}</b> <code className={styles.address}>{rest_address}</code>{' '}
      {owner !== null && (
        <>
          <span className={styles.state}>{sinceWords(owner.since_ms, at_ms)}</span>{' '}
          {!owner.present && <Pill tone="warn">lease not renewed</Pill>}
        </>
      )}
      {slots !== null && (
        <span className={styles.slots}>
          <span className={styles.share} aria-hidden="true">
            <span style={{ width: `${(100 * slots) / SLOTS}%` }} />
          </span>
          {slotWords(slots)}
        </span>
      )}
    </li>
  );
}

function Standby({ standby }: { standby: ShardStandby }) {
  return (
    <li>
      <b>Standby</b> <code className={styles.address}>{standby.rest_address}</code>{' '}
      <span className={styles.state}>{standbyWords(standby)}</span>
    </li>
  );
}
