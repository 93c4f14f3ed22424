import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { type Disk, disks } from '../real/full-disk.ts';
import { type ServiceProcess, startService } from '../real/pbxcore-process.ts';

describe.each(disks.filter(({ available }) => available))('a disk that $name', ({ make }) => {
  let disk: Disk | undefined;
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    await service?.end('SIGKILL');
    disk?.remove();
  });

  test('contract 35.5: a backup without disk space is 503 with the reason, leaves nothing behind, and works again with space', async () => {
    disk = make();
    service = await startService({ PBXCORE_DATA_DIR: disk.folder });
    const { origin, pid } = service;
    const password = /shown only now\): (\S+)/.exec(service.output())?.[1] as string;
    const call = (method: string, path: string, token = '', body?: object) =>
      fetch(`${origin}/pbxcore/api/v3${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    const login = await call('POST', '/auth:login', '', { login: 'admin', password });
    const token = ((await login.json()) as { data: { accessToken: string } }).data.accessToken;

    disk.refuse(pid);
    const refused = await call('POST', '/system:backup', token);
    const text = await refused.text();
    expect({ status: refused.status, text }).toMatchObject({
      status: 503,
      text: expect.stringMatching(/the disk of the data directory is full|MB are free/),
    });
    expect(text).not.toContain(disk.folder);
    expect(readdirSync(disk.folder).filter((name) => name.startsWith('.backup'))).toEqual([]);

    disk.heal(pid);
    const made = await call('POST', '/system:backup', token);
    expect(made.status).toBe(200);
    expect((await made.arrayBuffer()).byteLength).toBeGreaterThan(1000);

    // With the real process: output of its first start is not in the log it keeps.
    const log = await (await call('GET', '/system:getLog?source=service', token)).text();
    expect(JSON.parse(log).data.length).toBeGreaterThan(0);
    expect(log).not.toContain(password);
  });
});
