// How searches of one key that find far too much affect the pages of another key.
import { once } from 'node:events';
import { connect } from 'node:net';
import { median, type Row } from '../measure/report.ts';
import { API } from '../service/service.ts';
import type { HistoryDatabase } from './database.ts';
import type { CdrService } from './service.ts';

const SEARCHES = 10;
const PAGES = 20;
/** One digit, and three that every outside number contains. */
const TEXTS = ['1', '151'];

export async function measureCrowd(_: HistoryDatabase, service: CdrService): Promise<Row[]> {
  const [hungry, other] = [await service.createKey('/api/v3/cdr'), await service.createKey('/api/v3/cdr')];

  /** Sends a search and closes the connection. */
  async function searchAndLeave(text: string): Promise<void> {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    await once(socket, 'connect');
    const request = `GET ${API}/cdr?search=${text} HTTP/1.1\r\nHost: bench\r\nX-Api-Key: ${hungry}\r\n\r\n`;
    await new Promise((sent) => socket.write(request, sent));
    socket.destroy();
  }

  async function ask(path: string, key: string): Promise<{ ms: number; status: number }> {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${service.port}${API}${path}`, {
      headers: { 'x-api-key': key },
    });
    await answer.arrayBuffer();
    return { ms: performance.now() - began, status: answer.status };
  }

  async function firstPages(): Promise<number[]> {
    const times: number[] = [];
    for (let i = 0; i < PAGES; i++) times.push((await ask('/cdr?idFrom=0&limit=100', other)).ms);
    return times;
  }

  await firstPages();
  const alone = await firstPages();
  const rows: Row[] = [];
  for (const text of TEXTS) {
    for (let i = 0; i < SEARCHES; i++) await searchAndLeave(text);
    const beside = await firstPages();
    const [slowest, floor] = [Math.max(...beside), Math.max(...alone)];
    rows.push({
      what: `${PAGES} pages of another key after ${SEARCHES} searches for ${text}, all left at once: the slowest (floor: alone)`,
      unit: 'ms',
      measured: slowest,
      floor,
      ratio: slowest / floor,
    });
    rows.push({ what: 'the same: median', unit: 'ms', measured: median(beside), floor: median(alone) });
    const { ms, status } = await ask(`/cdr?search=${text}`, other);
    rows.push({ what: `a search for ${text}, answered ${status}`, unit: 'ms', measured: ms });
  }
  return rows;
}
