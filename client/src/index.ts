// The public face of @claret/client. Everything that is not exported here is private.

export { Claret } from './claret.ts';
export { connect, type ConnectOptions } from './connect.ts';
export type { Clock } from './cluster/clock.ts';
export { Computation, type ExplainedMember, type Explanation, type KeptValue } from './computations/computation.ts';
export type { ComputationStats } from './computations/computations.ts';
export type { Callable, ComputationBody, Reader } from './computations/reader.ts';
export { descriptions } from './descriptions.ts';
export { ClaretError, type CommitState, type ErrorDetails } from './errors/claret-error.ts';
export { ERROR_CAUSES, ERROR_CODES, type ErrorCause, type ErrorCode, type RefusalCode } from './errors/error-codes.ts';
export type { Environment, Timer } from './environment/environment.ts';
export { systemEnvironment } from './environment/system-environment.ts';
export { Description, type ResultsOf } from './operation/description.ts';
export { Finish } from './operation/finish.ts';
export { Operation } from './operation/operation.ts';
export { OwnType, type OwnHandle, type OwnReads } from './operation/own-type.ts';
export { performExpecting, type Step, type Unmet } from './transaction/expectations.ts';
export type { TransactionOptions, TransactionReport } from './transaction/transaction-options.ts';
export { Tx } from './transaction/tx.ts';
export type { Body } from './transaction/work.ts';
export type { FirmResult } from './warranties/firm-result.ts';
export type { Change, Listener, Watch } from './watching/watches.ts';
export type { Load, ShardLoad, Status } from './cluster/status.ts';
export { Scope } from './limits/scope.ts';
export type { Counters } from './reports/counters.ts';
export type { Blocked, Receipt, ReceiptListener } from './reports/receipt.ts';
export { NATIVE_LABEL } from './reports/history.ts';
export type { HistoryAttempt, HistoryListener, HistoryOperation, HistoryValue } from './reports/history.ts';
export { startOf } from './errors/start-of.ts';
export { expectedResult } from './values/expected-result.ts';
export type { OperationSpec } from './values/operation-spec.ts';
export type { Integer, Kind, Scalar } from './values/values.ts';
export { operationSpecs } from './generated/handles.ts';
export { SLOT_COUNT, dealtRun, slotOf, type SlotRun } from './topology/slots.ts';
export { Topology, evenTopology, type GatewayAddress, type ShardAddress, type TopologyDescription } from './topology/topology.ts';
export type { Link, LinkHandlers, Transport } from './transport/transport.ts';
export type { RetryPolicy } from './limits/retry-policy.ts';
export { GrpcTransport } from './transport/grpc.ts';
export { LocalTransport, type LocalShard, type LocalTransportOptions } from './transport/local.ts';
export {
  ARGUMENTS_BYTES_MAX,
  FRAME_BYTES_MAX,
  ITEMS_MAX,
  KEY_BYTES_MAX,
  LABEL_BYTES_MAX,
  OPERATIONS_PER_REQUEST_MAX,
  TEXT_BYTES_MAX,
} from './values/limits.ts';
