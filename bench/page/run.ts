// `npm run bench:page [-- --quick]`: the time from navigation to a usable overview in a real browser, on an exchange
// with 5 000 employees and 5 000 000 legs, compared with an empty one measured in turn.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../server/test/real/browser.ts';
import { openHistory } from '../cdr/database.ts';
import { atMost, machineFacts, median, printTable } from '../measure/report.ts';
import { fillEmployees } from '../service/employees.ts';
import { watchForeign } from '../service/processes.ts';
import { API, PASSWORD, type Service, startService } from '../service/service.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' } } });
const ROUNDS = options.quick ? 7 : 21;
const EMPLOYEES = 5000;
const LEGS = options.quick ? 500_000 : 5_000_000;

/** A signed-in window; each round reloads the page, with its files from the browser's cache. */
async function openWindow(browser: Browser, { port }: Service) {
  const origin = `http://127.0.0.1:${port}`;
  const page = await (await browser.newContext({ locale: 'en' })).newPage();
  await page.request.post(`${origin}${API}/auth:login`, { data: { login: 'admin', password: PASSWORD } });
  await page.addInitScript("localStorage.setItem('pbxcore.signed-in', 'yes')");
  return async (): Promise<number> => {
    const began = performance.now();
    await page.goto(origin);
    // The figures are shown, and the chart of the last day is drawn.
    await page.getByText(/^Answered \d/).waitFor();
    await page.getByText('Status', { exact: true }).last().waitFor();
    return performance.now() - began;
  };
}

// The history ends now because the overview shows the last day.
const full = await openHistory('sqlite', { legs: LEGS, lastMoment: Date.now() });
const [emptyService, fullService] = await Promise.all([
  startService({}),
  startService({ dataDir: full.dataDir }),
]);
await fillEmployees(fullService.call, 0, EMPLOYEES);
const browser = await launchBrowser();
const foreign = watchForeign();
try {
  const windows = [await openWindow(browser, emptyService), await openWindow(browser, fullService)] as const;
  for (const load of windows) await load();
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++)
    for (const side of [0, 1] as const) times[side].push(await windows[side]());
  const [empty, measured] = [median(times[0]), median(times[1])];
  const ratio = measured / empty;
  console.log(machineFacts());
  printTable({
    title: `A usable overview: ${EMPLOYEES} employees, ${LEGS} legs of calls`,
    foreign: foreign(),
    rows: [
      {
        what: 'from the navigation, median; the floor is an empty exchange',
        unit: 'ms',
        measured,
        floor: empty,
        ratio,
        target: atMost(ratio, 2),
      },
    ],
  });
} finally {
  await browser.close();
  await Promise.all([emptyService.stop(), fullService.stop()]);
  await full.close();
  rmSync(full.dataDir, { recursive: true, force: true });
}
