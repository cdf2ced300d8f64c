// "Who owns which shard?" as a table.
import type { ShardStandby } from '@claret/client/telemetry';
import { DataTable } from '../../components/DataTable.tsx';
import { figureWords } from '../../components/figures.ts';
import { followedWords, ownerState } from './ownerWords.ts';
import type { ShardRow } from './shardRows.ts';

interface Row {
  shard: number;
  role: string;
  address: string;
  rest: string;
  slots: number | null;
  state: string;
  incarnation: number | null;
}

export interface OwnersTableProps {
  shards: readonly ShardRow[];
  standbys: readonly ShardStandby[];
  at_ms: number;
}

function rowsOf({ shards, standbys, at_ms }: OwnersTableProps): Row[] {
  const owning = shards.map(({ shard, address, rest_address: rest, slots, owner }): Row => {
    const state = owner === null ? '' : ownerState(owner, at_ms);
    return { shard, role: 'owner', address, rest, slots, state, incarnation: owner?.incarnation ?? null };
  });
  const standing = standbys.flatMap(({ address, rest_address: rest, follows }) =>
    follows.map((one): Row => {
      const state = followedWords(one);
      return { shard: one.shard, role: 'standby', address, rest, slots: null, state, incarnation: null };
    }),
  );
  return [...owning, ...standing].sort((one, other) => one.shard - other.shard);
}

const figure = (value: number | null) => <span className="figures">{value ?? ''}</span>;

export function OwnersTable(props: OwnersTableProps) {
  const isReplicated = props.shards.some(({ owner }) => owner !== null);
  return (
    <DataTable
      caption={isReplicated ? 'Owners and standbys, by shard' : 'Gateways and slots, by shard'}
      columns={[
        { header: 'Shard', isNumber: true, cell: ({ shard }) => figure(shard) },
        ...(isReplicated ? [{ header: 'Role', cell: ({ role }: Row) => role }] : []),
        { header: 'gRPC', cell: ({ address }) => <code>{address}</code> },
        { header: 'REST', cell: ({ rest }) => <code>{rest}</code> },
        {
          header: 'Slots',
          isNumber: true,
          cell: ({ slots }) => <span className="figures">{slots === null ? '' : figureWords(slots)}</span>,
        },
        ...(isReplicated
          ? [
              { header: 'State', cell: ({ state }: Row) => state },
              { header: 'Incarnation', isNumber: true, cell: ({ incarnation }: Row) => figure(incarnation) },
            ]
          : []),
      ]}
      rows={rowsOf(props)}
      rowKey={({ shard, address }) => `${shard} ${address}`}
    />
  );
}
