import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { CdrExportQuery } from '@pbxcore/client';
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { session } from '../../../api/api.ts';
import { download } from '../../../ui/download.ts';
import { say, sayFailed } from '../../../ui/undo.tsx';

const MESSAGE = 'call-export';
/** Parts of this size are passed to the browser, which may store them on disk. */
const PART_BYTES = 4_000_000;
const TELL_MS = 250;

let current: { readonly running: boolean } = { running: false };
const listeners = new Set<() => void>();

function show(running: boolean): void {
  current = { running };
  for (const listener of listeners) listener();
}

export const useExport = (): { readonly running: boolean } =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );

/** Runs independently of screens: leaving this one does not stop it. One at a time, like in the service. */
export async function beginExport(query: CdrExportQuery, total: number): Promise<void> {
  if (current.running) return;
  show(true);
  const stop = new AbortController();
  tell(0, 0, total, stop);
  try {
    const file = await load(query, stop.signal, (lines, bytes) => tell(lines, bytes, total, stop));
    download(`calls.${query.format ?? 'csv'}`, file);
    say(i18next.t('cdr.export.done'));
  } catch (error) {
    if (!stop.signal.aborted) sayFailed(error);
  } finally {
    notifications.hide(MESSAGE);
    show(false);
  }
}

async function load(
  query: CdrExportQuery,
  signal: AbortSignal,
  told: (lines: number, bytes: number) => void,
): Promise<Blob> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const response = await session.fetch(`/pbxcore/api/v3/cdr:export?${search}`, { signal });
  if (!response.ok || !response.body) throw new Error(await reasonOf(response));
  const type = response.headers.get('content-type') ?? 'text/plain';
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let [lines, bytes, waiting, toldAt] = [0, 0, 0, 0];
  const reader = response.body.getReader();
  for (;;) {
    // A broken connection rejects here: an incomplete file is never saved as complete.
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    waiting += value.length;
    for (const byte of value) if (byte === 10) lines++;
    if (waiting >= PART_BYTES) {
      parts.push(new Blob(chunks));
      chunks = [];
      waiting = 0;
    }
    if (Date.now() - toldAt < TELL_MS) continue;
    toldAt = Date.now();
    told(lines, bytes);
  }
  return new Blob([...parts, ...chunks], { type });
}

async function reasonOf(response: Response): Promise<string> {
  const problem = (await response.json().catch(() => undefined)) as
    | { messages?: { error?: string[] } }
    | undefined;
  return problem?.messages?.error?.join('; ') || `${response.status}`;
}

/** Shows the progress, with a button to cancel. */
function tell(lines: number, bytes: number, total: number, stop: AbortController): void {
  const number = new Intl.NumberFormat(i18next.language, { maximumFractionDigits: 1 });
  const values = {
    lines: number.format(lines),
    megabytes: number.format(bytes / 1e6),
    total: number.format(total),
  };
  const message = {
    id: MESSAGE,
    loading: true,
    autoClose: false as const,
    withCloseButton: false,
    title: i18next.t('cdr.export.running'),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{i18next.t('cdr.export.progress', values)}</Text>
        <Button size="compact-sm" variant="default" onClick={() => stop.abort()}>
          {i18next.t('ui.cancel')}
        </Button>
      </Group>
    ),
  };
  if (lines === 0 && bytes === 0) notifications.show(message);
  else notifications.update(message);
}
