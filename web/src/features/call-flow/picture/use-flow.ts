import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { ALL } from '../../../ui/whole-table.tsx';
import { useTargetWords } from '../parts/target-words.ts';
import { type Box, type Line, targetOf } from './flow-graph.ts';

/** A picture of more would not be read by anybody. */
const MOST = 60;

/** Everything that is drawn, from the stored records. */
export function useFlow() {
  const { t } = useTranslation();
  const words = useTargetWords();
  const refetchInterval = useFallbackInterval();
  const read = <T>(resource: string, name: string, queryFn: () => Promise<{ readonly data: T }>) => ({
    queryKey: [resource, name],
    queryFn: async () => (await queryFn()).data,
    refetchInterval,
  });
  const routes = useQuery(
    read('incoming-routes', 'getList', () => api.incomingRoutes.getList({ limit: ALL })),
  );
  const last = useQuery(read('incoming-routes', 'getDefaultRoute', api.incomingRoutes.getDefaultRoute));
  const rules = useQuery(read('off-work-times', 'getList', () => api.offWorkTimes.getList({ limit: ALL })));
  const menus = useQuery(read('ivr-menu', 'all', () => api.ivrMenu.getList({ limit: ALL })));
  const queues = useQuery(read('call-queues', 'getList', () => api.callQueues.getList({ limit: ALL })));
  const queries = [routes, last, rules, menus, queues];
  const error = queries.find((query) => query.error)?.error ?? null;
  if (!routes.data || !last.data || !rules.data || !menus.data || !queues.data)
    return { error, flow: undefined, isCut: false };

  const boxes = new Map<string, Box>();
  const lines: Line[] = [];
  const add = (box: Box) => boxes.set(box.key, box);
  /** Who is named and has no box yet is somebody, or something outside. */
  const lead = (from: string, target: string, represent: string, label: string) => {
    if (target === '') return;
    const key = `to ${target}`;
    if (!boxes.has(key)) {
      const isNamed = represent.endsWith(` <${target}>`);
      const title = isNamed ? represent.slice(0, -` <${target}>`.length) : words(target, represent);
      // Whoever has a name here is among the employees, by number or mobile.
      const somebody = isNamed ? { note: target, to: '/employees', search: target } : { note: '', to: '' };
      add({ key, column: 'people', title, ...somebody });
    }
    lines.push({ from, to: key, label });
  };

  const shownMenus = menus.data.slice(0, MOST);
  const shownQueues = queues.data.slice(0, MOST);
  const shownRoutes = [...routes.data.slice(0, MOST), last.data];
  for (const { id, name, extension } of shownMenus)
    add({ key: `to ${extension}`, column: 'menus', title: name, note: extension, to: `/menus/${id}` });
  for (const { id, name, extension } of shownQueues)
    add({ key: `to ${extension}`, column: 'queues', title: name, note: extension, to: `/queues/${id}` });
  const inForce = rules.data.filter(({ disabled }) => !disabled);
  const hours = 'hours';
  if (inForce.length > 0)
    add({
      key: hours,
      column: 'hours',
      title: t('picture.hours'),
      note: t('picture.rules', { count: inForce.length }),
      to: '/opening-hours',
    });

  for (const route of shownRoutes) {
    const key = `route ${route.id}`;
    const isLast = route === last.data;
    add({
      key,
      column: 'routes',
      title: isLast ? t('picture.otherCalls') : route.number || t('picture.anyNumber'),
      note: isLast ? '' : route.rulename,
      to: `/incoming-routes/${route.id}`,
      isOff: route.disabled,
    });
    lead(key, route.extension, route.extension_represent, '');
  }
  for (const rule of inForce.slice(0, MOST))
    if (rule.action === 'extension') lead(hours, rule.extension, rule.extension_represent, rule.description);
  for (const { extension, actions, timeout_extension, timeout_extension_represent } of shownMenus) {
    for (const { digits, represent } of actions)
      lead(`to ${extension}`, targetOf(represent), represent, digits);
    lead(`to ${extension}`, timeout_extension, timeout_extension_represent, t('picture.nothing'));
  }
  for (const { extension, members } of shownQueues)
    for (const member of members.slice(0, MOST))
      lead(`to ${extension}`, member.extension, member.represent, '');
  const isCut = Math.max(routes.data.length, menus.data.length, queues.data.length) > MOST;
  return { error, flow: { boxes: [...boxes.values()], lines }, isCut };
}
