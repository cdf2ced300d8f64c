// The public face of @claret/client. What is not exported here is private.

export { connect, descriptions, Claret, type ConnectOptions } from './claret.ts';
export { ClaretError, ERROR_CAUSES, ERROR_CODES, type CommitState, type ErrorCause, type ErrorCode, type ErrorDetails } from './errors.ts';
export { systemEnvironment, type Environment, type Timer } from './environment.ts';
export { Description, Operation, Finish, type ResultsOf } from './operation.ts';
export { Tx, type Body, type TransactionOptions, type TransactionReport } from './transaction.ts';
export type { Change, Listener, Watch } from './watch.ts';
export type { Counters, Load, ShardLoad, Status } from './client.ts';
export { Scope } from './scope.ts';
export type { Blocked, Receipt, ReceiptListener } from './receipt.ts';
export type { HistoryAttempt, HistoryListener, HistoryOperation, HistoryValue } from './history.ts';
export type { Integer, JoinHow, JoinRule, Kind, OperationSpec, Scalar } from './values.ts';
export { operationSpecs } from './generated/handles.ts';
export { SLOT_COUNT, Topology, evenTopology, slotOf, type ShardAddress, type TopologyDescription } from './topology.ts';
export type { Link, LinkHandlers, Transport } from './transport.ts';
export type { RetryPolicy } from './retry.ts';
export { GrpcTransport } from './transport/grpc.ts';
export { LocalTransport, type LocalShard, type LocalTransportOptions } from './transport/local.ts';
