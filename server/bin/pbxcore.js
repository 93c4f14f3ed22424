#!/usr/bin/env node
// Plain JavaScript that old Node versions can parse: it decides which Node runs the TypeScript behind it.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const packageName = `node-${process.platform}-${process.arch}`;

function findSuppliedNode() {
  try {
    return realpathSync(createRequire(import.meta.url).resolve(`${packageName}/bin/node`));
  } catch {
    return undefined;
  }
}

function explain(reason) {
  const supplied = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  console.error(`pbxcore needs Node.js 24.15 or newer; this is ${process.version} (${process.execPath}).`);
  console.error(reason);
  if (supplied)
    console.error('Either run `npm ci --include=optional` in the pbxcore folder, which supplies it,');
  console.error(`${supplied ? 'or install' : 'Install'} Node.js 24 from https://nodejs.org and start again.`);
  process.exitCode = 1;
}

function rerunWith(node) {
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  child.on('error', (error) =>
    explain(`The Node.js of npm package ${packageName} does not run: ${error.message}`),
  );
  child.on('exit', (code, signal) => {
    for (const name of signals) process.off(name, forward);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

if (major > 24 || (major === 24 && minor >= 15)) {
  // Compiled code is kept beside the code: whoever can write there can change the product anyway, unlike in a folder for
  // temporary files. Where we cannot write, Node does without.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  const { run } = await import('../src/cli/pbxcore.ts');
  process.exitCode = await run(process.argv.slice(2));
} else {
  const node = findSuppliedNode();
  if (!node) explain(`The npm package ${packageName}, which supplies it, is not installed.`);
  // The supplied Node is itself too old: running it again would never end.
  else if (node === process.execPath) explain(`The npm package ${packageName} is too old as well.`);
  else rerunWith(node);
}
