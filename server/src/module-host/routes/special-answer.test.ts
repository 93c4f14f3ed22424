import { expect, test } from 'vitest';
import { ModuleFailed } from '../../lib/errors.ts';
import { specialAnswer } from './special-answer.ts';

const module = { id: 'Odd', folder: '/nowhere' };

test.each(['text/plain', 'text/html; charset=utf-8', 'application/vnd.x+json'])(
  'a text is sent with its type: %s',
  async (type) => {
    const { headers } = await specialAnswer({ text: 'x', type }, module);
    expect(headers).toMatchObject({ 'content-type': type });
  },
);

// The worker sends none of these, but a module can write to the line directly.
test.each([
  '',
  'text',
  'text/plain\r\nset-cookie: a=b',
  'text/plain; charset=ü',
  'text/\0',
  `text/${'x'.repeat(1000)}`,
])('a text whose type cannot be sent counts as a failure of the module: %j', (type) => {
  expect(() => specialAnswer({ text: 'x', type }, module)).toThrow(ModuleFailed);
});
