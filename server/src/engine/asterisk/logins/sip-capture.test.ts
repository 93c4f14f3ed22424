import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { scriptedAmi } from '../control/ami.suite.ts';
import { AmiRefused } from '../control/ami.ts';
import { createFailedLoginSign } from './failed-login-sign.ts';
import { hepPacket } from './hep.suite.ts';
import type { CapturedMessage } from './hep.ts';
import { createSipCapture } from './sip-capture.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-capture-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const message: CapturedMessage = {
  isUdp: true,
  source: '192.0.2.7',
  destination: '192.0.2.1',
  callId: 'a',
  text: 'OPTIONS sip:x SIP/2.0\r\n\r\n',
};

function openCapture() {
  const scripted = scriptedAmi();
  const errors: unknown[] = [];
  const messages: CapturedMessage[] = [];
  const capture = createSipCapture({
    ami: scripted.ami,
    etcDir: dir,
    clock: { now: () => 1000 },
    onMessage: (told) => messages.push(told),
    onError: (error) => errors.push(error),
  });
  return { capture, messages, errors, ...scripted };
}

test('copies are switched on once, when they are needed, and only copies with the secret are accepted', async () => {
  const { capture, messages, asked } = openCapture();
  expect(capture.onSince()).toBeUndefined();
  capture.need();
  capture.need();
  await eventually(() => expect(capture.onSince()).toBe(1000));
  expect(asked).toEqual(['ModuleLoad res_hep.so', 'ModuleLoad res_hep_pjsip.so']);

  const conf = await readFile(join(dir, 'hep.conf'), 'utf8');
  const port = Number(/capture_address=127\.0\.0\.1:(\d+)/.exec(conf)?.[1]);
  const secret = Buffer.from(/capture_password=(\w{64})/.exec(conf)?.[1] ?? '');
  const sender = createSocket('udp4');
  sender.send(hepPacket({ ...message, text: 'forged' }, Buffer.from('guessed')), port, '127.0.0.1');
  sender.send(hepPacket(message, secret), port, '127.0.0.1');
  await eventually(() => expect(messages).toEqual([message]));
  sender.close();
  await once(sender, 'close');
  await capture.close();
});

test('an engine that is found running is told to stop sending copies, even if it never began', async () => {
  const { capture, asked, errors, refuse } = openCapture();
  refuse(new AmiRefused('ModuleLoad', 'Could not unload module.'));
  await capture.reset();
  expect(asked).toEqual(['ModuleLoad res_hep_pjsip.so', 'ModuleLoad res_hep.so']);
  expect(errors).toEqual([]);
  await capture.close();
});

test('an engine without the capture modules causes an error for the log and nothing else', async () => {
  const { capture, errors, refuse } = openCapture();
  refuse(new AmiRefused('ModuleLoad', 'Could not load module.'));
  capture.need();
  await eventually(() => expect(errors).toHaveLength(1));
  expect(capture.onSince()).toBeUndefined();
  await capture.close();
});

test('a new failed login in the engine log is noticed, whatever else its line contains; older ones are not', async () => {
  const logFile = join(dir, 'messages.log');
  const line = (text: string) => `[2026-11-17 14:00:00.000] NOTICE[1] res_pjsip: ${text}\n`;
  const failed =
    "Request 'REGISTER' from '<sip:201@x>' failed for '192.0.2.7:5060' (callid: \xff) - Failed to authenticate";
  await writeFile(logFile, line(failed), 'latin1');
  let signs = 0;
  const sign = createFailedLoginSign({
    logFile,
    onSign: () => signs++,
    onError: (error) => expect(error).toBeUndefined(),
  });
  await writeFile(logFile, line('something else'), { flag: 'a' });
  await writeFile(logFile, line(failed), { flag: 'a', encoding: 'latin1' });
  await eventually(() => expect(signs).toBe(1));
  // The log was rotated.
  await writeFile(logFile, line(failed), 'latin1');
  await eventually(() => expect(signs).toBe(2));
  sign.close();
});
