import { expect, test } from 'vitest';
import { encodeWave } from '../src/features/call-flow/sound-files/wave.ts';
import { HOSTILE } from './hostile.ts';
import { describePage, expectAccessible, NARROW, picture, usePage } from './page-rig.ts';

/** Two seconds of a tone. */
const tone = Buffer.from(
  encodeWave(
    Float32Array.from({ length: 32_000 }, (_, at) => 0.3 * Math.sin((at * 440 * 2 * Math.PI) / 16_000)),
    16_000,
  ),
);

/** A fake microphone that records a tone. */
const MICROPHONE = `navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext();
  const tone = context.createOscillator();
  const heard = context.createMediaStreamDestination();
  tone.connect(heard);
  tone.start();
  return heard.stream;
};`;

/** The same, but only available once the test calls `allow()`. */
const ASKING = `${MICROPHONE}
const open = navigator.mediaDevices.getUserMedia;
navigator.mediaDevices.getUserMedia = async () => {
  await new Promise((resolve) => { window.allow = resolve; });
  window.stream = await open();
  return window.stream;
};`;

/** The duration of a recording, once it is at least a second. */
const A_MOMENT = /^\d+:(?!00$)\d\d$/;

describePage('sounds', () => {
  // A time zone other than the browser's.
  const { open, call } = usePage({ PBXCORE_TIMEZONE: 'Pacific/Kiritimati' });

  test('a file is uploaded, played, renamed and used; a sound in use is kept', async () => {
    const page = await open('/sounds', { provoked: [409] });
    await page.getByRole('heading', { name: 'Sounds' }).waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload a file' }).first().click(),
    ]);
    await chooser.setFiles({ name: 'Good morning.wav', mimeType: 'audio/wav', buffer: tone });
    await page.getByRole('heading', { name: 'Good morning' }).waitFor();
    await page.getByText('It is not played anywhere yet.').waitFor();
    const [stored] = (await call('GET', '/sound-files?search=morning')) as { id: string; seconds: number }[];
    expect(stored?.seconds).toBe(2);
    await call('POST', '/ivr-menu', { name: 'Main', extension: '700', audio_message_id: stored?.id });
    await page.getByRole('link', { name: 'Menu Main' }).waitFor();
    await page.getByLabel('Note').fill('Heard first');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await picture(page, 'sound-wide-light');
    await expectAccessible(page);
    const heard = await page.evaluate<number>(
      `(async () => { const own = document.querySelector('audio'); own.muted = true; await own.play(); return own.duration; })()`,
    );
    expect(heard).toBeCloseTo(2, 1);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Menu Main' }).click();
    await page.getByRole('heading', { name: 'Main' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Greeting' }).inputValue()).toBe('Good morning');
  });

  test('a player with an expired address continues with a new one, and reports if that fails too', async () => {
    const [stored] = (await call('GET', '/sound-files?search=morning')) as { id: string }[];
    const page = await open(`/sounds/${stored?.id}`, { provoked: [401] });
    let refusals = 1;
    await page.route(/sound-files:playback/, (route) =>
      refusals-- > 0 ? route.fulfill({ status: 401, json: {} }) : route.continue(),
    );
    const play = () =>
      page.evaluate(
        "(() => { const own = document.querySelector('audio'); own.muted = true; own.play().catch(() => {}); })()",
      );
    const played = () => page.evaluate<number>("document.querySelector('audio').currentTime");
    await page.locator('audio').waitFor();
    await play();
    await expect.poll(played).toBeGreaterThan(1);
    const failed = page.getByText('This sound cannot be played.');
    expect(await failed.count()).toBe(0);
    refusals = 9;
    await page.reload();
    await page.locator('audio').waitFor();
    await play();
    await failed.waitFor();
    await expectAccessible(page);
  });

  test('the time when a sound was stored is shown in the time zone of the exchange, with its name', async () => {
    const [stored] = (await call('GET', '/sound-files?search=morning')) as {
      id: string;
      uploadedAt: string;
    }[];
    const { uploadedAt = '', id } = stored ?? {};
    const page = await open(`/sounds/${id}`);
    const there = new Intl.DateTimeFormat('en', {
      dateStyle: 'short',
      timeStyle: 'medium',
      timeZone: 'Pacific/Kiritimati',
    }).format(Date.parse(uploadedAt));
    await page.getByText(`Audio of ${there} (Pacific/Kiritimati)`).waitFor();
  });

  test('input from the microphone becomes a sound, and unreadable input is refused with a message', async () => {
    await call('POST', '/sound-files', { name: HOSTILE.slice(0, 190), description: HOSTILE });
    const page = await open('/sounds');
    await page.evaluate(MICROPHONE);
    await page.getByRole('button', { name: 'Record' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Begin' }).click();
    await dialog.getByText(A_MOMENT).waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByText('Recorded', { exact: true }).waitFor();
    await dialog.getByLabel('Name').fill('My voice');
    await picture(page, 'sound-recorded', { fullPage: false });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('heading', { name: 'My voice' }).waitFor();
    const [stored] = (await call('GET', '/sound-files?search=voice')) as { seconds: number }[];
    expect(stored?.seconds).toBeGreaterThan(0.5);

    await page.getByRole('link', { name: 'Sounds' }).click();
    await page.getByRole('link', { name: 'My voice' }).waitFor();
    expect(await page.title()).not.toBe('owned');
    await picture(page, 'sounds-wide-light');
    await expectAccessible(page);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload a file' }).first().click(),
    ]);
    await chooser.setFiles({ name: 'x.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('no sound at all') });
    await page.getByText('This browser cannot read the file.').waitFor();
  });

  test('the microphone is released if its dialog was closed before the browser allowed it', async () => {
    const page = await open('/sounds');
    await page.evaluate(ASKING);
    await page.getByRole('button', { name: 'Record' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Begin' }).click();
    await expect.poll(() => page.evaluate('typeof window.allow')).toBe('function');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.evaluate('allow()');
    await expect
      .poll(() => page.evaluate('window.stream?.getTracks().map(({ readyState }) => readyState)'))
      .toEqual(['ended']);
  });

  test('a recording survives a click beside its dialog, and is discarded only after confirmation', async () => {
    const page = await open('/opening-hours');
    await page.getByRole('link', { name: 'Sounds' }).click();
    await page.getByRole('heading', { name: 'Sounds' }).waitFor();
    await page.evaluate(MICROPHONE);
    await page.getByRole('button', { name: 'Record' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Record a sound' });
    const question = page.getByRole('dialog', { name: 'Throw the recording away?' });
    await dialog.getByRole('button', { name: 'Begin' }).click();
    await dialog.getByText(A_MOMENT).waitFor();
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByRole('button', { name: 'Use it' }).waitFor();
    await page.mouse.click(20, 600);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await question.getByRole('button', { name: 'Throw away' }).waitFor();
    await picture(page, 'sound-discard', { fullPage: false });
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await page.evaluate('history.back()');
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'detached' });
    // Escape answers the question about leaving, and does not ask the recorder's own.
    await page.evaluate('history.back()');
    await question.getByRole('button', { name: 'Stay here' }).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await dialog.getByRole('button', { name: 'Use it' }).isVisible()).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await question.getByRole('button', { name: 'Throw away' }).click();
    await dialog.waitFor({ state: 'detached' });
    // Without a recording, closing needs no confirmation.
    await page.getByRole('button', { name: 'Record' }).first().click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('a recording that cannot be sent is kept, with the reason, and can be sent again', async () => {
    const page = await open('/sounds', { provoked: [503] });
    await page.evaluate(MICROPHONE);
    const reason = 'the disk is full';
    let isBroken = true;
    await page.route(/uploadFile/, (route) =>
      isBroken
        ? route.fulfill({
            status: 503,
            json: { result: false, data: {}, messages: { error: [reason], info: [], warning: [] } },
          })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Record' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Record a sound' });
    await dialog.getByRole('button', { name: 'Begin' }).click();
    await dialog.getByText(A_MOMENT).waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByLabel('Name').fill('Second try');
    await dialog.getByRole('button', { name: 'Use it' }).click();
    await dialog.getByRole('alert').getByText(reason).waitFor();
    await picture(page, 'sound-not-sent', { fullPage: false });
    await expectAccessible(page);
    isBroken = false;
    await dialog.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('heading', { name: 'Second try' }).waitFor();
    expect(await dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Second try is deleted').waitFor();
  });

  test('an upload that ends on another screen is reported there, without changing the screen', async () => {
    const page = await open('/sounds');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/uploadFile/, async (route) => {
      await released;
      await route.continue();
    });
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload a file' }).first().click(),
    ]);
    const sent = page.waitForRequest(/uploadFile/);
    await chooser.setFiles({ name: 'Goodbye.wav', mimeType: 'audio/wav', buffer: tone });
    await sent;
    await page.getByRole('link', { name: 'Opening hours' }).click();
    await page.getByRole('heading', { name: 'Opening hours' }).first().waitFor();
    release();
    await page.getByText('Goodbye is stored').waitFor();
    expect(page.url()).toMatch(/opening-hours$/);
  });

  test('in a narrow window, dark and in German, a deleted sound is restored with its audio', async () => {
    const page = await open('/sounds', { viewport: NARROW, scheme: 'dark', language: 'de' });
    await page.getByRole('link', { name: 'My voice' }).waitFor();
    await picture(page, 'sounds-narrow-dark');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('link', { name: 'My voice' }).click();
    await page.getByRole('button', { name: 'Löschen' }).click();
    await page.getByText('My voice ist gelöscht').waitFor();
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await page.getByRole('link', { name: 'My voice' }).waitFor();
    await page.getByText('Rückgängig gemacht').waitFor();
    const [back] = (await call('GET', '/sound-files?search=voice')) as { seconds: number }[];
    expect(back?.seconds).toBeGreaterThan(0.5);
  });
});
