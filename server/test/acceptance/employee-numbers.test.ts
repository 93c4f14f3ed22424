import { describe, expect, test } from 'vitest';
import { createEmployeeRig } from './employee-rig.ts';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 20.3: employees who want the same number on $name', ({ open }) => {
  const running = useApp(open);
  const { create, made, patch, nextNumber } = createEmployeeRig(running);

  test('exactly one of many equal creates at once is 201', async () => {
    const number = nextNumber();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ number })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const { body } = await running.asAdmin('GET', `/employees?search=number:${number}`);
    expect(body.data.recordsFiltered).toBe(1);
  });

  test('only one of two employees who take the same number at once gets it', async () => {
    const [one, two] = [await made(), await made()];
    const number = nextNumber();
    const answers = await Promise.all([patch(one.id, { number }), patch(two.id, { number })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
