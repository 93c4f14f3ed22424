import { expect, test } from 'vitest';
import { expectNear, type HeldStore, hostileTexts, hour } from './ttl-store.rig.ts';
import type { DocumentWrite } from './ttl-store.ts';

/** What both stores guarantee for versioned documents. */
export function documentRules(held: HeldStore): void {
  const everyByte = Buffer.from(Array.from({ length: 1024 }, (_, i) => i % 256));
  const write = (changes: Partial<DocumentWrite>): DocumentWrite => ({
    order: 10,
    bodyId: 'one',
    ttlMs: hour,
    ...changes,
  });

  test('a document comes back as written, byte for byte', async () => {
    expect(await held.store.writeDocument('d', write({ body: everyByte }))).toBe('written');
    expect(await held.store.readDocument('d')).toEqual({ order: 10, bodyId: 'one', body: everyByte });
    expect(await held.store.readMark('d', hour)).toEqual({ order: 10, bodyId: 'one' });
  });

  test('a missing document has neither mark nor body', async () => {
    expect(await held.store.readMark('d', hour)).toBeUndefined();
    expect(await held.store.readDocument('d')).toBeUndefined();
  });

  test('the mark moves without sending a body that stays the same', async () => {
    await held.store.writeDocument('d', write({ body: everyByte }));
    expect(await held.store.writeDocument('d', write({ order: 11 }))).toBe('written');
    expect(await held.store.readDocument('d')).toEqual({ order: 11, bodyId: 'one', body: everyByte });
  });

  test('a new body id without a body asks for the body and writes nothing', async () => {
    expect(await held.store.writeDocument('d', write({}))).toBe('body-needed');
    expect(await held.store.readDocument('d')).toBeUndefined();
    await held.store.writeDocument('d', write({ body: everyByte }));
    expect(await held.store.writeDocument('d', write({ order: 11, bodyId: 'two' }))).toBe('body-needed');
    expect(await held.store.readMark('d', hour)).toEqual({ order: 10, bodyId: 'one' });
  });

  test('an older order changes nothing, with or without a body', async () => {
    await held.store.writeDocument('d', write({ body: everyByte }));
    const other = Buffer.from('other');
    expect(await held.store.writeDocument('d', write({ order: 9, bodyId: 'two', body: other }))).toBe(
      'older',
    );
    expect(await held.store.writeDocument('d', write({ order: 9, bodyId: 'two' }))).toBe('older');
    expect(await held.store.writeDocument('d', write({ order: 9, ttlMs: 1 }))).toBe('older');
    expect(await held.store.readDocument('d')).toEqual({ order: 10, bodyId: 'one', body: everyByte });
    expectNear(await held.store.remaining('d'), hour);
  });

  test('the same order may be written again', async () => {
    await held.store.writeDocument('d', write({ body: everyByte }));
    const other = Buffer.from('other');
    expect(await held.store.writeDocument('d', write({ bodyId: 'two', body: other }))).toBe('written');
    expect(await held.store.readDocument('d')).toEqual({ order: 10, bodyId: 'two', body: other });
  });

  test('a note is kept with the mark, survives a body change without it, and is removed by an empty note', async () => {
    const note = `${hostileTexts.join(' ')} {"a":[1,2]}`;
    const kept = { order: 10, bodyId: 'one', note };
    await held.store.writeDocument('d', write({ body: everyByte, note }));
    expect(await held.store.readMark('d', hour)).toEqual(kept);
    expect(await held.store.readDocument('d')).toEqual({ ...kept, body: everyByte });
    await held.store.writeDocument('d', write({ order: 11, bodyId: 'two', body: everyByte }));
    held.store = await held.rig.reopen();
    expect(await held.store.readMark('d', hour)).toEqual({ order: 11, bodyId: 'two', note });
    await held.store.writeDocument('d', write({ order: 12, bodyId: 'two', note: '' }));
    expect(await held.store.readMark('d', hour)).toEqual({ order: 12, bodyId: 'two' });
  });

  test('a write after an order changes nothing if the current order is another', async () => {
    const { store } = held;
    const other = Buffer.from('other');
    expect(await store.writeDocument('d', write({ body: everyByte, after: 9 }))).toBe('changed');
    expect(await store.readDocument('d')).toBeUndefined();
    expect(await store.writeDocument('d', write({ body: everyByte, after: 0 }))).toBe('written');
    expect(await store.writeDocument('d', write({ order: 11, body: other, after: 0 }))).toBe('changed');
    expect(await store.writeDocument('d', write({ order: 12, body: other, after: 11 }))).toBe('changed');
    expect(await store.writeDocument('d', write({ order: 12, note: 'x', after: 9 }))).toBe('changed');
    expect(await store.readDocument('d')).toEqual({ order: 10, bodyId: 'one', body: everyByte });
    expect(await store.writeDocument('d', write({ note: 'x', after: 10 }))).toBe('written');
    expect(await store.readMark('d', hour)).toEqual({ order: 10, bodyId: 'one', note: 'x' });
  });

  test('of several writes after the same order only one is written', async () => {
    await held.store.writeDocument('d', write({ body: everyByte }));
    const outcomes = await Promise.all(
      [1, 2, 3].map((i) => held.store.writeDocument('d', write({ order: 10 + i, after: 10 }))),
    );
    expect(outcomes.sort()).toEqual(['changed', 'changed', 'written']);
  });

  test('orders are compared as numbers up to 2^53', async () => {
    const high = Number.MAX_SAFE_INTEGER;
    await held.store.writeDocument('d', write({ order: 9, body: everyByte }));
    expect(await held.store.writeDocument('d', write({ order: 10 }))).toBe('written');
    expect(await held.store.writeDocument('d', write({ order: high }))).toBe('written');
    expect(await held.store.writeDocument('d', write({ order: high - 1 }))).toBe('older');
    expect(await held.store.readMark('d', hour)).toEqual({ order: high, bodyId: 'one' });
  });

  test('reading the mark renews the lifetime, reading the document does not', async () => {
    await held.store.writeDocument('d', write({ body: everyByte }));
    await held.rig.advance(hour / 2);
    await held.store.readDocument('d');
    expectNear(await held.store.remaining('d'), hour / 2);
    await held.store.readMark('d', 2 * hour);
    expectNear(await held.store.remaining('d'), 2 * hour);
    await held.rig.advance(2 * hour);
    expect(await held.store.readMark('d', hour)).toBeUndefined();
    expect(await held.store.readDocument('d')).toBeUndefined();
    expect(await held.store.remaining('d')).toBeUndefined();
  });

  test('writing a mark renews the lifetime', async () => {
    await held.store.writeDocument('d', write({ body: everyByte }));
    await held.store.writeDocument('d', write({ order: 11, ttlMs: 3 * hour }));
    expectNear(await held.store.remaining('d'), 3 * hour);
  });

  test('reading or writing without a lifetime leaves it unchanged', async () => {
    await held.store.writeDocument('d', write({ body: everyByte }));
    await held.rig.advance(hour / 2);
    expect(await held.store.readMark('d')).toEqual({ order: 10, bodyId: 'one' });
    const { ttlMs: _, ...timeless } = write({ note: 'x', after: 10 });
    expect(await held.store.writeDocument('d', timeless)).toBe('written');
    expectNear(await held.store.remaining('d'), hour / 2);
  });

  test('an expired document is forgotten, including its order', async () => {
    await held.store.writeDocument('d', write({ body: everyByte }));
    await held.rig.advance(hour);
    expect(await held.store.writeDocument('d', write({ order: 1 }))).toBe('body-needed');
    expect(await held.store.writeDocument('d', write({ order: 1, body: everyByte }))).toBe('written');
  });

  test('a plain value is not a document, and a document replaces it', async () => {
    await held.store.set('d', 'plain', hour);
    expect(await held.store.readMark('d', 5 * hour)).toBeUndefined();
    expect(await held.store.readDocument('d')).toBeUndefined();
    expectNear(await held.store.remaining('d'), hour);
    expect(await held.store.writeDocument('d', write({ order: 1 }))).toBe('body-needed');
    expect(await held.store.writeDocument('d', write({ order: 1, body: everyByte }))).toBe('written');
    expect((await held.store.readDocument('d'))?.body).toEqual(everyByte);
  });

  test('documents with the same body id keep their own mark, end and deletion', async () => {
    await held.store.writeDocument('d1', write({ body: everyByte }));
    await held.store.writeDocument('d2', write({ order: 20, body: everyByte }));
    expect(await held.store.writeDocument('d3', write({}))).toBe('body-needed');
    expect(await held.store.delete(['d1'])).toEqual(['d1']);
    held.store = await held.rig.reopen();
    expect(await held.store.readDocument('d1')).toBeUndefined();
    expect(await held.store.readDocument('d2')).toEqual({ order: 20, bodyId: 'one', body: everyByte });
  });

  test('different bytes under the same body id stay apart', async () => {
    await held.store.writeDocument('d1', write({ body: Buffer.from('a') }));
    await held.store.writeDocument('d2', write({ body: Buffer.from('b') }));
    await held.store.writeDocument('d3', write({ body: Buffer.from('a') }));
    held.store = await held.rig.reopen();
    await held.store.delete(['d3']);
    held.store = await held.rig.reopen();
    expect((await held.store.readDocument('d1'))?.body.toString()).toBe('a');
    expect((await held.store.readDocument('d2'))?.body.toString()).toBe('b');
  });

  test('an empty body is kept, and any text works as a body id', async () => {
    for (const text of hostileTexts) {
      await held.store.writeDocument(`d:${text}`, write({ bodyId: text, body: Buffer.alloc(0) }));
    }
    held.store = await held.rig.reopen();
    for (const text of hostileTexts) {
      const expected = { order: 10, bodyId: text, body: Buffer.alloc(0) };
      expect(await held.store.readDocument(`d:${text}`)).toEqual(expected);
      expect(await held.store.writeDocument(`d:${text}`, write({ order: 12, bodyId: text }))).toBe('written');
    }
  });

  test('a body of megabytes is kept whole', async () => {
    const large = Buffer.alloc(2 * 1024 * 1024, everyByte);
    await held.store.writeDocument('d', write({ body: large }));
    held.store = await held.rig.reopen();
    expect((await held.store.readDocument('d'))?.body.equals(large)).toBe(true);
  });
}
