import { ActionIcon, Paper, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MoveIcon } from './icons.tsx';
import classes from './ordered-list.module.css';

/** An order is usually stored before anybody could read that it is being stored. */
const SLOW_MS = 1500;

interface OrderedListProps<Item> {
  /** For screen readers. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  readonly children: (item: Item, at: number) => ReactNode;
  /** Gets the keys in their new order; resolves to `false` if it could not be stored. Absent: nothing can be moved. */
  readonly onOrder?: ((keys: string[]) => unknown) | undefined;
  /** Always after all others. */
  readonly last?: ReactNode;
}

/** Items whose order matters: each has a handle to drag, by mouse or finger, or to move with the arrow keys. */
export function OrderedList<Item>(props: OrderedListProps<Item>) {
  const { label, items, keyOf, nameOf, children, onOrder, last } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const stored = items.map(keyOf);
  /** The order during dragging. */
  const [dragged, setDragged] = useState<{ readonly key: string; readonly keys: string[] }>();
  const [said, setSaid] = useState('');
  /** How many orders are being stored. */
  const [storing, setStoring] = useState(0);
  const [isSlow] = useDebouncedValue(storing > 0, SLOW_MS);
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  const shown = (dragged?.keys ?? stored).flatMap((key) => byKey.get(key) ?? []);

  async function reorder(keys: string[]): Promise<void> {
    setStoring((now) => now + 1);
    const answer = await onOrder?.(keys);
    setStoring((now) => now - 1);
    if (answer === false) setSaid(t('call-flow.order.asBefore'));
  }

  function step(key: string, by: -1 | 1) {
    const to = stored.indexOf(key) + by;
    if (to < 0 || to >= stored.length) return;
    void reorder(moved(stored, key, to));
    const item = byKey.get(key);
    if (item)
      setSaid(t('call-flow.order.moved', { name: nameOf(item), place: to + 1, count: stored.length }));
  }

  /** Moves the item to where the pointer is. */
  function drag({ clientY }: PointerEvent) {
    if (!dragged) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])];
    const to = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom);
    const place = to === -1 ? stored.length - 1 : to;
    setDragged({ ...dragged, keys: moved(dragged.keys, dragged.key, place) });
  }

  function drop() {
    if (dragged && dragged.keys.join() !== stored.join()) void reorder(dragged.keys);
    setDragged(undefined);
  }

  return (
    <>
      <ol ref={list} aria-label={label} className={`plain-list ${classes.list}`}>
        {shown.map((item, at) => {
          const key = keyOf(item);
          return (
            <Paper
              key={key}
              component="li"
              withBorder
              className={classes.item}
              data-item
              data-dragged={dragged?.key === key || undefined}
            >
              {onOrder && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  className={classes.handle}
                  aria-label={t('call-flow.order.move', { name: nameOf(item), place: at + 1 })}
                  onKeyDown={(event) => {
                    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
                    event.preventDefault();
                    step(key, event.key === 'ArrowUp' ? -1 : 1);
                  }}
                  onPointerDown={(event) => {
                    event.currentTarget.setPointerCapture(event.pointerId);
                    setDragged({ key, keys: stored });
                  }}
                  onPointerMove={drag}
                  onPointerUp={drop}
                  onPointerCancel={() => setDragged(undefined)}
                >
                  <MoveIcon />
                </ActionIcon>
              )}
              <div className={classes.content}>{children(item, at)}</div>
            </Paper>
          );
        })}
        {last && (
          <Paper component="li" withBorder className={classes.item}>
            <div className={classes.content}>{last}</div>
          </Paper>
        )}
      </ol>
      <div role="status" className="unseen">
        {said}
      </div>
      {storing > 0 && isSlow && (
        <Text size="sm" c="dimmed" role="status">
          {t('call-flow.order.storing')}
        </Text>
      )}
    </>
  );
}

function moved(keys: readonly string[], key: string, to: number): string[] {
  const others = keys.filter((other) => other !== key);
  return [...others.slice(0, to), key, ...others.slice(to)];
}
