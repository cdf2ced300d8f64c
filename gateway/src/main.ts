// The gateway process: reads its configuration, listens, restores its shard, and shuts down gracefully on SIGTERM or SIGINT or, with
// `exitWithParent`, when standard input closes.
import process from 'node:process';
import { EXIT_REFUSED } from './exit-code.ts';
import type { Gateway } from './app.ts';
import { ConfigError, helpText, ownAddresses, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { TooFewDescriptors } from './descriptors.ts';
import { LogDamaged, LogRefused } from './log/log.ts';
import { showProgress } from './progress.ts';
import { GatewayStart } from './start.ts';
import { ClusterMismatch } from './store/agreement.ts';
import { RestListener } from './rest/listener.ts';

const REFUSALS = [LogRefused, LogDamaged, ClusterMismatch];

const hidden = (secret: string): string => secret && '(set)';
const withoutSecrets = (config: Config): Config => ({
  ...config,
  token: hidden(config.token),
  adminToken: hidden(config.adminToken),
  natsToken: hidden(config.natsToken),
});

const announced = ({ member: { grpc, rest, resp }, incarnation }: Gateway) => ({
  grpc,
  rest: `http://${rest}`,
  ...(resp !== undefined && { redis: resp }),
  incarnation,
});

function configOrExit(): Config {
  try {
    const { config, printConfig, help } = readConfig(process.argv.slice(2), process.env);
    if (help) process.stdout.write(`${helpText()}\n`);
    else if (printConfig) process.stdout.write(`${JSON.stringify(withoutSecrets(config), null, 2)}\n`);
    if (help || printConfig) process.exit(0);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`configuration: ${error.message}\n`);
    process.exit(EXIT_REFUSED);
  }
}

function listenerOrExit(): RestListener {
  try {
    return new RestListener(config, ownAddresses(config).rest);
  } catch (error) {
    if (!(error instanceof TooFewDescriptors)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_REFUSED);
  }
}

const config = configOrExit();
const listener = listenerOrExit();
const { log } = listener;
const start = new GatewayStart(config, { listener, onProgress: showProgress(log) });
let gateway: Gateway | undefined;

let closing = false;
async function shutDown(reason: string): Promise<void> {
  if (closing) return;
  closing = true;
  log.info({ reason }, 'closing');
  await (gateway ?? start).close(); // a start can be interrupted at any point
  log.info('closed');
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void shutDown(signal));
if (config.exitWithParent) {
  process.stdin.resume();
  for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => void shutDown('parent gone'));
}

try {
  await listener.listen();
  gateway = await start.run();
  await gateway?.listen();
  if (gateway !== undefined && !closing) log.info(announced(gateway), 'ready');
} catch (error) {
  // An error during a shutdown is caused by the shutdown; `shutDown` ends the process.
  if (!closing) {
    const { message } = error as Error;
    log.fatal(message);
    process.stderr.write(`${message}\n`);
    process.exit(REFUSALS.some((refusal) => error instanceof refusal) ? EXIT_REFUSED : 1);
  }
}
