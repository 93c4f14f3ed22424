import { Button } from '@mantine/core';
import { ApiError, type Module, type ModuleCheck } from '@pbxcore/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { offerUndo, sayFailed } from '../../../ui/undo.tsx';
import { ModuleOpenings, opensAnything } from './module-openings.tsx';

type Accepted = NonNullable<Module['accepted']>;
const NOTHING: Accepted = { reads: [], writes: [], acts: [], endpoints: [] };

/** On or off, with undo. Enabling a module accepts what it reads, changes and opens, which is shown first. */
export function ModuleSwitch({ module }: { readonly module: Module }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<ModuleCheck>();
  const { id, name, broken } = module;
  // A broken one may still be meant to run, and can be disabled.
  const isOff = module.disabled && !broken?.enabled;

  async function turn<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } finally {
      await cache.invalidateQueries({ queryKey: ['modules'] });
    }
  }

  /** If the module now does more than was shown, the service refuses. */
  async function turnOn(shown: ModuleCheck): Promise<void> {
    await turn(api.modules.enable(id, { shown }));
    offerUndo(t('modules.enabled', { name }), () => turn(api.modules.disable(id, {})));
  }

  async function turnOff(): Promise<void> {
    const { data } = await turn(api.modules.disable(id, {}));
    offerUndo(t('modules.disabled', { name }), () => turnBackOn(data.accepted ?? NOTHING));
  }

  /** Accepts no more than before; asks if that is not enough. */
  async function turnBackOn(shown: Accepted): Promise<void> {
    try {
      await turn(api.modules.enable(id, { shown }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        const { data: check } = await api.modules.check(id);
        if (opensAnything(check)) setAsked(check);
      }
      throw error;
    }
  }

  async function press(): Promise<void> {
    setBusy(true);
    try {
      const check = isOff ? (await api.modules.check(id)).data : undefined;
      if (!check) await turnOff();
      else if (opensAnything(check)) setAsked(check);
      else await turnOn(check);
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
    }
  }

  if (broken && isOff) return null;
  return (
    <>
      <Button size="xs" variant="default" loading={busy} onClick={() => void press()}>
        {t(isOff ? 'modules.enable' : 'modules.disable')}
        <span className="unseen"> {name}</span>
      </Button>
      <Confirm
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('modules.mayRead', { name })}
        action={t('modules.enable')}
        onConfirm={async () => {
          if (asked) await turnOn(asked);
        }}
        harmless
      >
        {asked && <ModuleOpenings check={asked} />}
      </Confirm>
    </>
  );
}
