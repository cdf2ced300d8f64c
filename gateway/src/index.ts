// The public interface of the package: a gateway as an object (tests, benchmarks) and its configuration.
export { Gateway, buildGateway } from './app.ts';
export { ConfigError, DEFAULTS, readConfig } from './config.ts';
export type { Config } from './config.ts';
export { ERRORS, GatewayError } from './errors.ts';
export type { ErrorCode, ErrorRow } from './errors.ts';
