import type { Config } from '../config.ts';
import { StoreUnavailable } from '../lib/errors.ts';
import { reasonOf } from '../lib/reason-of.ts';
import type { RunningService } from '../service-file.ts';
import { CommandFailed } from './command.ts';

type SystemError = Error & { code?: string; syscall?: string; port?: number; path?: string };

/** Why the service does not start, in one line, and a remedy in another. */
export function startFailure(error: unknown, config: Config, running?: RunningService): unknown {
  const { code, syscall } = error as SystemError;
  if (syscall === 'listen' || syscall === 'getaddrinfo') return listenFailure(error as SystemError, config);
  if (error instanceof StoreUnavailable) {
    if (/another process has it open/.test(error.message)) return inUse(error, config, running);
    // From the file of expiring keys: the message names file and reason.
    if (error.cause === undefined || !/^the database/.test(error.message))
      return dataDirFailure(error, config);
    return databaseFailure(error, config);
  }
  if (code && ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC'].includes(code)) {
    return dataDirFailure(error as SystemError, config);
  }
  return error;
}

export function databaseFailure(error: unknown, config: Config): unknown {
  if (!(error instanceof StoreUnavailable)) return error;
  if (!config.databaseUrl) return dataDirFailure(error, config);
  return new CommandFailed(
    `the PostgreSQL database of PBXCORE_DATABASE_URL cannot be used: ${reasonOf(error.cause ?? error)}`,
    'check that the server runs and that host, port, user, password and database in the variable are right',
    error,
  );
}

/** The setting that opens a port. */
const portVariable = (config: Config, port: number | undefined): string =>
  port === config.httpsPort && port !== config.httpPort ? 'PBXCORE_HTTPS_PORT' : 'PBXCORE_HTTP_PORT';

export const portTaken = (variable: string, port: number): { text: string; remedy: string } => ({
  text: `port ${port} is in use by another program`,
  remedy: `stop that program, or set ${variable} to a free port (0 takes any)`,
});

function listenFailure(error: SystemError, config: Config): CommandFailed {
  const port = error.port ?? config.httpPort;
  const variable = portVariable(config, port);
  if (error.code === 'EADDRINUSE') {
    const { text, remedy } = portTaken(variable, port);
    return new CommandFailed(text, remedy, error);
  }
  if (error.code === 'EACCES') {
    return new CommandFailed(
      `this user may not listen on port ${port}`,
      `set ${variable} to a port from 1024 up`,
      error,
    );
  }
  return new CommandFailed(
    `cannot listen on ${config.host}: ${reasonOf(error)}`,
    'set PBXCORE_HTTP_HOST to an address of this machine, or 0.0.0.0 for all',
    error,
  );
}

function inUse(error: Error, config: Config, running: RunningService | undefined): CommandFailed {
  const who = running ? `pbxcore, process ${running.pid},` : 'another process';
  return new CommandFailed(
    `the data directory ${config.dataDir} is in use: ${who} has it open`,
    'stop that process, or set PBXCORE_DATA_DIR to another directory',
    error,
  );
}

function dataDirFailure(error: Error, config: Config): CommandFailed {
  const cause = error instanceof StoreUnavailable && error.cause ? error.cause : error;
  return new CommandFailed(
    `the data directory ${config.dataDir} cannot be used: ${reasonOf(cause)}`,
    'give this user a directory of its own that it can write (mode 0700), or set PBXCORE_DATA_DIR to one',
    error,
  );
}
