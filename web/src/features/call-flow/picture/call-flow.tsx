import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { ExplainCall } from './explain-call.tsx';
import { draw, HEAD_HEIGHT, type Line, type Placed, ROW_HEIGHT, WIDTH } from './flow-graph.ts';
import classes from './picture.module.css';
import { useFlow } from './use-flow.ts';

/** Where calls go, as one picture: called numbers on the left, people on the right; each box links to its screen. */
export function CallFlow() {
  const { t } = useTranslation();
  const { flow, error } = useFlow();
  return (
    <Page title={t('picture.title')}>
      <Text size="sm" c="dimmed" maw={720}>
        {t('picture.hint')}
      </Text>
      <ExplainCall />
      {error && <Failure error={error} />}
      {flow?.isCut && <Text size="sm">{t('picture.cut')}</Text>}
      {flow ? <Drawing {...flow} /> : !error && <Skeleton height={320} aria-busy="true" />}
    </Page>
  );
}

type Flow = NonNullable<ReturnType<typeof useFlow>['flow']>;

function Drawing({ boxes, lines }: Flow) {
  const { t } = useTranslation();
  const drawn = draw(boxes, lines);
  const { width, height } = drawn;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what does not fit is reached with the arrow keys
    <section className={classes.frame} aria-label={t('picture.title')} tabIndex={0}>
      <div className={classes.picture} style={{ width, height }}>
        <svg width={width} height={height} className={classes.lines} aria-hidden="true">
          <marker
            id="flow-end"
            viewBox="0 0 8 8"
            refX="8"
            refY="4"
            markerWidth="6"
            markerHeight="6"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
          {drawn.lines.map(({ path, label, from, to, isDashed }) => (
            <path
              key={`${from} ${to} ${label}`}
              d={path}
              markerEnd="url(#flow-end)"
              data-closed={isDashed || undefined}
            />
          ))}
        </svg>
        {drawn.columns.map(({ name, x }) => (
          <Text
            key={name}
            size="xs"
            c="dimmed"
            tt="uppercase"
            className={classes.head}
            style={{ left: x, width: WIDTH }}
          >
            {t(`picture.column.${name}`)}
          </Text>
        ))}
        <ul className="plain-list">
          {drawn.boxes.map((box) => (
            <li
              key={box.key}
              className={classes.box}
              data-off={box.isOff || undefined}
              style={{ left: box.x, top: box.y, width: WIDTH, height: box.height }}
            >
              <div className={classes.text} style={{ height: HEAD_HEIGHT }}>
                <BoxText box={box} />
              </div>
              {box.rows.map(({ label, isBack }) => (
                <div
                  key={label}
                  className={classes.row}
                  data-back={isBack || undefined}
                  style={{ height: ROW_HEIGHT }}
                  title={label}
                  aria-hidden="true"
                >
                  <bdi>{label}</bdi>
                </div>
              ))}
              <span className="unseen">{leadsTo(box, drawn.boxes, lines, t('picture.leadsTo'))}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function BoxText({ box: { title, note, to, search } }: { readonly box: Placed }) {
  return (
    <>
      {to === '' ? (
        <Text size="sm" lh={1.25} lineClamp={note === '' ? 2 : 1} title={title}>
          <bdi>{title}</bdi>
        </Text>
      ) : (
        <Anchor
          size="sm"
          fw={600}
          lh={1.25}
          lineClamp={note === '' ? 2 : 1}
          className={classes.link}
          title={title}
          renderRoot={(props) => (
            <Link to={to} {...(search !== undefined && { search: { search } })} {...props} />
          )}
        >
          <bdi>{title}</bdi>
        </Anchor>
      )}
      {note !== '' && (
        <Text size="xs" c="dimmed" truncate>
          <bdi>{note}</bdi>
        </Text>
      )}
    </>
  );
}

/** The lines from a box in words, for screen readers. */
function leadsTo(box: Placed, boxes: readonly Placed[], lines: readonly Line[], words: string): string {
  const titles = lines
    .filter(({ from }) => from === box.key)
    .map(({ to, label }) => `${label && `${label}: `}${boxes.find(({ key }) => key === to)?.title ?? ''}`);
  return titles.length === 0 ? '' : `${words} ${titles.join(', ')}`;
}
