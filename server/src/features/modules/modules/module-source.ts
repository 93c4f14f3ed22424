import type { StatusSource } from '../../../store/events/status-teller.ts';
import type { Modules } from './modules.service.ts';

/** Whether modules run, as published (contract 30). */
export function moduleSource(modules: Pick<Modules, 'list'>, isOurs: () => boolean): StatusSource {
  return {
    topic: 'modules',
    event: 'module',
    async read() {
      if (!isOurs()) return undefined;
      const records = await modules.list();
      return new Map(records.map((module) => [module.id, { record: stateOf(module) }]));
    },
    gone: (id) => ({ id, state: 'removed', reason: '' }),
  };
}

type Listed = Awaited<ReturnType<Modules['list']>>[number];

function stateOf({ id, disabled, disableReason, disableReasonText: reason }: Listed) {
  const isFailed = disabled && disableReason !== '' && disableReason !== 'DisabledByUser';
  return { id, state: isFailed ? 'failed' : disabled ? 'disabled' : 'running', reason };
}
