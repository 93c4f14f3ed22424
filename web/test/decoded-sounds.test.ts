import { expect, test } from 'vitest';
import { encodeOpusTone, MP3_TONE_HZ, mp3Tone, OPUS_TONE_HZ, oggOf } from './compressed-sounds.ts';
import { describePage, usePage } from './page-rig.ts';

/** Spares the exchange converting half an hour of sound: only the size of the upload is recorded. */
const NOT_SENT = `XMLHttpRequest.prototype.send = function (body) {
  window.bytes = body.size;
  this.onerror();
};`;

/** Plays the screen's sound and measures its frequency by zero crossings, away from the ends. */
const HEARD = `(async () => {
  const own = document.querySelector('audio');
  own.muted = true;
  const played = new Promise((resolve) => {
    own.ontimeupdate = () => own.currentTime > 0 && resolve(own.currentTime);
  });
  await own.play();
  const bytes = await (await fetch(own.currentSrc)).arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, 16000).decodeAudioData(bytes);
  const samples = sound.getChannelData(0).slice(8000, 24000);
  const crossings = samples.filter((sample, at) => at > 0 && sample >= 0 && samples[at - 1] < 0).length;
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return { played: await played, hertz: crossings, loudness: Math.sqrt(power) };
})()`;

describePage('sounds decoded by the browser', () => {
  const { open, call } = usePage();

  test('the browser decodes MP3 and OGG files, and the stored sound matches them', async () => {
    const page = await open('/sounds');
    const packets = await page.evaluate<string[]>(encodeOpusTone(2));
    const ogg = oggOf(packets.map((packet) => Buffer.from(packet, 'base64')));
    const files = [
      { name: 'First.mp3', mimeType: 'audio/mpeg', buffer: mp3Tone(2), hertz: MP3_TONE_HZ },
      { name: 'Second.ogg', mimeType: 'audio/ogg', buffer: ogg, hertz: OPUS_TONE_HZ },
    ];
    for (const { hertz, ...file } of files) {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Upload a file' }).first().click(),
      ]);
      await chooser.setFiles(file);
      await page.getByRole('heading', { name: file.name.slice(0, -4) }).waitFor();
      const [stored] = (await call('GET', `/sound-files?search=${file.name.slice(0, -4)}`)) as {
        seconds: number;
      }[];
      expect(stored?.seconds, file.name).toBeGreaterThan(1.9);
      expect(stored?.seconds, file.name).toBeLessThan(2.3);
      const heard = await page.evaluate<{ played: number; hertz: number; loudness: number }>(HEARD);
      expect(heard.played, file.name).toBeGreaterThan(0);
      expect(heard.loudness, file.name).toBeGreaterThan(0.05);
      expect(Math.abs(heard.hertz / hertz - 1), `${file.name} ${heard.hertz}`).toBeLessThan(0.05);
      await page.getByRole('link', { name: 'Sounds' }).click();
    }
  });

  test('a file of almost the maximum duration is small enough when it is sent', async () => {
    const page = await open('/sounds');
    await page.evaluate(NOT_SENT);
    const seconds = 1750;
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload a file' }).first().click(),
    ]);
    await chooser.setFiles({ name: 'Lecture.mp3', mimeType: 'audio/mpeg', buffer: mp3Tone(seconds) });
    await page.getByText('The exchange does not answer').waitFor({ timeout: 100_000 });
    const bytes = await page.evaluate<number>('window.bytes');
    expect(bytes / (2 * 8000)).toBeCloseTo(seconds, -1);
  });
});
