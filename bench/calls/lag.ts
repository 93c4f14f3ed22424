import { setTimeout as wait } from 'node:timers/promises';
import { registerOnce } from '../../server/test/real/sip-registration.ts';
import { secretOf } from '../../server/test/telephony/exchange.ts';
import { atMost, quantile, type Row } from '../measure/report.ts';
import { CALLERS, type Target } from './target.ts';

/** Time from a phone's successful registration until the API shows it as available. */
export async function measureLag(target: Target, rounds: number): Promise<Row[]> {
  const { exchange, address: server, net } = target;
  if (!exchange) throw new Error('only ours has an interface');
  const lags: number[] = [];
  for (const number of CALLERS.slice(0, rounds)) {
    const status = await registerOnce({ number, secret: secretOf(number), server, address: net.next() });
    const began = performance.now();
    if (status !== 200) throw new Error(`${number} could not register: ${status}`);
    while ((await exchange.admin('GET', `/sip/${number}:getStatus`)).status !== 'Available') await wait(2);
    lags.push(performance.now() - began);
  }
  const p99 = quantile(lags, 0.99);
  return [
    { what: `${rounds} registrations: median`, unit: 'ms', measured: quantile(lags, 0.5) },
    { what: 'p99', unit: 'ms', measured: p99, target: atMost(p99, 1000, '<= 1000') },
  ];
}
