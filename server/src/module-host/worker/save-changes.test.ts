import { expect, test } from 'vitest';
import { saveChanges } from './save-changes.ts';

/** An exchange that numbers the changes it is asked to save. */
async function saved(changes: readonly unknown[]) {
  const asked: { length: number; changes: unknown[] }[] = [];
  const outcomes = await saveChanges({
    link: {
      async ask(_, args) {
        throw new Error(`refused as a whole: ${(args[1] as unknown[]).length}`);
      },
      async askJson(what, json) {
        expect(what).toBe('records.save');
        const [resource, part] = JSON.parse(json);
        expect(resource).toBe('notes');
        const before = asked.reduce((sum, one) => sum + one.changes.length, 0);
        asked.push({ length: json.length, changes: part });
        return (part as unknown[]).map((_one, i) => ({ id: String(before + i) }));
      },
    },
    most: { changes: 1000, bytes: 2 * 1024 * 1024 },
    resource: 'notes',
    changes,
  });
  return { outcomes, asked };
}

const change = (size: number) => ({ fields: { text: 'x'.repeat(size) } });

test('few changes are sent in one question, and so is an empty list', async () => {
  expect((await saved([])).asked).toHaveLength(1);
  const { asked, outcomes } = await saved([change(10), undefined, { id: '5', fields: {} }]);
  expect(asked.map(({ changes }) => changes)).toEqual([[change(10), null, { id: '5', fields: {} }]]);
  expect(outcomes).toHaveLength(3);
});

test('many changes are sent in ordered parts; a change larger than a part is sent on its own', async () => {
  const changes = [...Array.from({ length: 700 }, () => change(2_000)), change(500_000), change(1)];
  const { asked, outcomes } = await saved(changes);
  expect(asked.flatMap((part) => part.changes)).toEqual(changes);
  expect(outcomes).toEqual(changes.map((_, i) => ({ id: String(i) })));
  const long = asked.filter(({ length }) => length > 264 * 1024);
  expect(long.map((part) => part.changes.length)).toEqual([1]);
  expect(asked.length).toBeLessThan(10);
});

test('too many changes are refused as a whole, before any is saved', async () => {
  await expect(saved(Array(1001).fill(change(1)))).rejects.toThrow('refused as a whole: 1001');
  await expect(saved(Array(5).fill(change(500_000)))).rejects.toThrow('refused as a whole: 5');
});
