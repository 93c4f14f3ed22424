import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SOUND_FORMATS } from '../../src/features/call-flow/sound-files/audio/convert-sound.ts';
import type { Phone } from '../real/baresip.ts';
import { toneWav } from '../real/tone.ts';
import { telephonyAvailable } from './exchange.ts';
import { connect, LOUD, SILENT, talk, useExchange } from './use-exchange.ts';

const HOLD_TONES = [523, 659];

describe.runIf(telephonyAvailable())('contract 24: music on hold', () => {
  const soundsDir = mkdtempSync(join(tmpdir(), 'pbxcore-sounds-'));
  const employees = ['201', '202', '203', '204'].map((number) => ({ number }));
  const held = useExchange(employees, { PBXCORE_SOUNDS_DIR: soundsDir });
  held.outlive(() => rmSync(soundsDir, { recursive: true }));

  /** Holds a call; resolves to the strength of each tone that the held party hears. */
  async function heardOnHold(holder: Phone, waiting: Phone, ms = 2500): Promise<(hz: number) => number> {
    await connect(holder, waiting);
    await holder.hold();
    await talk(ms);
    await waiting.hangUp();
    await holder.next('CALL_CLOSED');
    const sound = await waiting.heard();
    return sound.strength;
  }

  /** Stores a new sound or replaces an existing one; resolves to its id. */
  async function store(hz: number, fields: Readonly<Record<string, string>>): Promise<string> {
    const { id } = await held.exchange.upload(toneWav(hz, 2), fields);
    await held.exchange.settled();
    return id;
  }

  test('24.8, 24.10: a held party hears a tone from the first start, then stored music, and new audio without a restart', async () => {
    const anna = await held.phone('201', { hz: 300 });
    const boris = await held.phone('202', { hz: 400 });
    const engine = await held.exchange.enginePid();

    let strength = await heardOnHold(anna, boris);
    expect(Math.max(...HOLD_TONES.map(strength))).toBeGreaterThan(SILENT);
    expect(strength(1200)).toBeLessThan(SILENT);

    const id = await store(1200, { name: 'Music', category: 'moh', normalize: 'false' });
    strength = await heardOnHold(anna, boris);
    expect(strength(1200)).toBeGreaterThan(LOUD);
    expect(Math.max(...HOLD_TONES.map(strength))).toBeLessThan(SILENT);

    await store(900, { id });
    strength = await heardOnHold(anna, boris);
    expect(strength(900)).toBeGreaterThan(LOUD);
    expect(strength(1200)).toBeLessThan(SILENT);

    await held.exchange.admin('PATCH', `/sound-files/${id}`, { category: 'custom' });
    await held.exchange.settled();
    strength = await heardOnHold(anna, boris);
    expect(Math.max(...HOLD_TONES.map(strength))).toBeGreaterThan(SILENT);
    expect(await held.exchange.enginePid()).toBe(engine);
  });

  test('24.5: the engine plays every format, and all music of one list in turn', async () => {
    const tones = new Map(SOUND_FORMATS.map((format, i) => [format, 500 + 200 * i]));
    for (const [format, hz] of tones) {
      const fields = { name: format, category: 'moh', normalize: 'false' };
      const { id } = await held.exchange.upload(toneWav(hz, 1), fields);
      for (const name of readdirSync(soundsDir))
        if (name.startsWith(`${id}-`) && !name.endsWith(`.${format}`)) rmSync(join(soundsDir, name));
    }
    await held.exchange.settled();
    const [clara, dora] = [await held.phone('203', { hz: 300 }), await held.phone('204', { hz: 400 })];
    const strength = await heardOnHold(clara, dora, 6500);
    for (const [format, hz] of tones) expect(strength(hz), format).toBeGreaterThan(LOUD);
  });
});
