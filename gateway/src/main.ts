// The gateway process: reads its configuration, listens, and closes gracefully on SIGTERM, SIGINT or, when told so, as
// soon as standard input closes (its parent is gone).
import process from 'node:process';
import { buildGateway } from './app.ts';
import { ConfigError, helpText, readConfig } from './config.ts';
import type { Config } from './config.ts';

const EXIT_BAD_CONFIG = 2;

function configOrExit(): Config {
  try {
    const { config, printConfig, help } = readConfig(process.argv.slice(2), process.env);
    if (help) process.stdout.write(`${helpText()}\n`);
    else if (printConfig) process.stdout.write(`${JSON.stringify({ ...config, token: config.token && '(set)' }, null, 2)}\n`);
    if (help || printConfig) process.exit(0);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`configuration: ${error.message}\n`);
    process.exit(EXIT_BAD_CONFIG);
  }
}

const config = configOrExit();
const gateway = await buildGateway(config);
const { log } = gateway;

let closing = false;
async function shutDown(reason: string): Promise<void> {
  if (closing) return;
  closing = true;
  log.info({ reason }, 'closing');
  await gateway.close();
  log.info('closed');
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void shutDown(signal));
if (config.exitWithParent) {
  process.stdin.resume();
  for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => void shutDown('parent gone'));
}

try {
  await gateway.listen();
  log.info({ grpc: gateway.member.grpc, rest: `http://${gateway.member.rest}`, incarnation: gateway.incarnation }, 'ready');
} catch (error) {
  log.fatal((error as Error).message);
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
