import type { useApp } from './use-app.ts';

type Running = ReturnType<typeof useApp>;

/** Creates employees of a running service, each with its own number. */
export function createEmployeeRig(running: Running) {
  let last = 20_000;
  const nextNumber = () => String(++last);
  const good = (fields: object = {}) => ({
    number: nextNumber(),
    user_username: 'Anna Example',
    sip_secret: 'correct-horse',
    ...fields,
  });

  return {
    nextNumber,
    good,
    /** POST of valid fields, overridden by these. */
    create: (fields: object = {}) => running.asAdmin('POST', '/employees', good(fields)),
    /** The record of a new employee. */
    async made(fields: object = {}) {
      const { status, body, text } = await running.asAdmin('POST', '/employees', good(fields));
      if (status !== 201) throw new Error(text);
      return body.data;
    },
    read: async (id: string) => (await running.asAdmin('GET', `/employees/${id}`)).body.data,
    patch: (id: string, fields: unknown) => running.asAdmin('PATCH', `/employees/${id}`, fields),
    put: (id: string, fields: unknown) => running.asAdmin('PUT', `/employees/${id}`, fields),
    async clear() {
      const { body } = await running.asAdmin('GET', '/employees');
      const ids: string[] = body.data.data.map(({ id }: { id: string }) => id);
      for (let at = 0; at < ids.length; at += 100)
        await running.asAdmin('POST', '/employees:batchDelete', {
          ids: ids.slice(at, at + 100),
          skip_errors: true,
        });
    },
  };
}
