import { setTimeout as wait } from 'node:timers/promises';
import { registerOnce } from '../../server/test/real/sip-registration.ts';
import { type Exchange, openExchange } from '../../server/test/telephony/exchange.ts';
import { atMost, median, type Row } from '../measure/report.ts';
import { FIRST_NUMBER, fillEmployees } from '../service/employees.ts';
import { memoryMb } from '../service/processes.ts';

/** Start time, and the time until a changed secret takes effect, for growing numbers of employees. */
export async function measureGrowth(sizes: readonly number[], rounds: number): Promise<Row[]> {
  const exchange = await openExchange({ PBXCORE_LOG_LEVEL: 'warn' });
  const rows: Row[] = [];
  let filled = 0;
  for (const size of sizes) {
    await fillEmployees(exchange.admin, filled, size);
    await exchange.settled();
    filled = size;
    const applied = await applyTimes(exchange, rounds);
    rows.push({
      what: `${size} employees: a changed secret counts after (median of ${rounds})`,
      unit: 'ms',
      measured: median(applied),
      target: atMost(median(applied), 2000),
    });
    await exchange.service.stop();
    const began = performance.now();
    await exchange.service.start();
    await exchange.engineUp();
    rows.push(
      {
        what: `${size} employees: from the start of the service until the engine is up`,
        unit: 'ms',
        measured: performance.now() - began,
      },
      { what: `${size} employees: service`, unit: 'MB', measured: memoryMb(exchange.service.pid, 'VmRSS') },
      {
        what: `${size} employees: engine`,
        unit: 'MB',
        measured: memoryMb(await exchange.enginePid(), 'VmRSS'),
      },
    );
  }
  await exchange.close();
  return rows;
}

async function applyTimes(exchange: Exchange, rounds: number): Promise<number[]> {
  const [{ id, number }] = (await exchange.admin('GET', `/employees?search=${FIRST_NUMBER}`)).data;
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const secret = `changed-${round}-${Date.now()}`;
    await exchange.admin('PATCH', `/employees/${id}`, { sip_secret: secret });
    const began = performance.now();
    const phone = { number, secret, server: exchange.address, address: exchange.net.next() };
    while ((await registerOnce(phone)) !== 200) await wait(10);
    times.push(performance.now() - began);
  }
  return times;
}
