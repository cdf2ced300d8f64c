// "Who owns which shard?", at the pointed instant, otherwise at the end of the shown span: the owners and the standbys of a replicated
// cluster. A cluster that is not replicated has no such panel.
import { Pill } from '@claret/ui/kit';
import type { ShardOwner, ShardStandby } from '@claret/client/telemetry';
import { DataTable } from '../../components/DataTable.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Term } from '../../components/Term.tsx';
import type { ReplicationAt } from '../../store/telemetryStore.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import styles from './OwnersPanel.module.css';
import { followedWords, sinceWords, standbyWords } from './ownerWords.ts';

export function OwnersPanel() {
  const { at, isReplicated } = useTelemetry(({ replication }, { to_ms }, { hover_ms }) => ({
    at: replication.at(hover_ms ?? to_ms),
    isReplicated: replication.newest !== null,
  }));
  if (!isReplicated) return null;
  return (
    <Panel
      id="owners"
      isFlat
      title="Who owns which shard?"
      about={
        <>
          When an <Term word="owner" /> renews its <Term word="lease" /> no longer, a <Term word="standby" />{' '}
          <Term word="take-over">takes its shard over</Term>. Up to date: it lacks no more than the owner writes in a second.
        </>
      }
      table={() => <OwnersTable at={at} />}
      empty={at === null ? 'Nothing is known of this time.' : null}
    >
      {at && (
        <ul className={styles.gateways}>
          {at.owners.map((owner) => (
            <Owner key={owner.shard} owner={owner} at_ms={at.at_ms} />
          ))}
          {at.standbys.map((standby) => (
            <Standby key={standby.address} standby={standby} />
          ))}
          {at.standbys.length === 0 && (
            <li>
              <b>No standby</b> <span className={styles.state}>A shard whose owner dies is away until a gateway is started.</span>
            </li>
          )}
        </ul>
      )}
    </Panel>
  );
}

function Owner({ owner: { shard, rest_address, since_ms, incarnation, present }, at_ms }: { owner: ShardOwner; at_ms: number }) {
  return (
    <li title={`Incarnation ${incarnation}`}>
      <b>Shard {shard}</b> <code className={styles.address}>{rest_address}</code>{' '}
      <span className={styles.state}>{sinceWords(since_ms, at_ms)}</span> {!present && <Pill tone="warn">lease not renewed</Pill>}
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

interface Row {
  shard: number;
  role: string;
  address: string;
  rest: string;
  state: string;
  incarnation: number | null;
}

function rowsOf({ owners, standbys, at_ms }: ReplicationAt): Row[] {
  const owning = owners.map(({ shard, address, rest_address: rest, since_ms, incarnation, present }): Row => {
    const state = `${sinceWords(since_ms, at_ms)}${present ? '' : ', lease not renewed'}`;
    return { shard, role: 'owner', address, rest, state, incarnation };
  });
  const standing = standbys.flatMap(({ address, rest_address: rest, follows }) =>
    follows.map((one): Row => ({ shard: one.shard, role: 'standby', address, rest, state: followedWords(one), incarnation: null })),
  );
  return [...owning, ...standing].sort((one, other) => one.shard - other.shard);
}

function OwnersTable({ at }: { at: ReplicationAt | null }) {
  return (
    <DataTable
      caption="Owners and standbys, by shard"
      columns={[
        { header: 'Shard', isNumber: true, cell: ({ shard }) => <span className="figures">{shard}</span> },
        { header: 'Role', cell: ({ role }) => role },
        { header: 'gRPC', cell: ({ address }) => <code>{address}</code> },
        { header: 'REST', cell: ({ rest }) => <code>{rest}</code> },
        { header: 'State', cell: ({ state }) => state },
        { header: 'Incarnation', isNumber: true, cell: ({ incarnation }) => <span className="figures">{incarnation ?? ''}</span> },
      ]}
      rows={at === null ? [] : rowsOf(at)}
      rowKey={({ shard, address }) => `${shard} ${address}`}
    />
  );
}
