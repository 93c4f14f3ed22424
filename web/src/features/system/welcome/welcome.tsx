import { Alert, Button, Stack, Stepper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, useSession } from '../../../api/api.ts';
import { Page } from '../../../ui/page.tsx';
import { PasswordForm } from '../../access/auth/password-form.tsx';
import { ConnectPhone } from './connect-phone.tsx';
import { FirstEmployee } from './first-employee.tsx';

const STEPS = ['password', 'employee', 'phone'] as const;
type Step = (typeof STEPS)[number];

/** From the generated password to the first phone that registers. Every step can be skipped and revisited. */
export function Welcome() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const { passwordIsGenerated } = useSession();
  const search: { step?: string; employee?: string } = useSearch({ strict: false });
  const { data: employees } = useQuery({
    queryKey: ['employees', 'getList', { limit: 1 }],
    queryFn: async () => (await api.employees.getList({ limit: 1 })).data.recordsTotal,
  });
  const undone: Step = passwordIsGenerated ? 'password' : employees === 0 ? 'employee' : 'phone';
  const step = STEPS.find((one) => one === search.step) ?? undone;
  const go = (next: Step, employee?: string) =>
    void navigate({ to: '/welcome', search: { step: next, ...(employee && { employee }) } });
  const skipTo = (next: Step) => (
    <Button variant="default" onClick={() => go(next)}>
      {t('welcome.skip')}
    </Button>
  );

  return (
    <Page title={t('welcome.title')}>
      <Text maw={640}>{t('welcome.intro')}</Text>
      <Stepper
        active={STEPS.indexOf(step)}
        onStepClick={(index) => go(STEPS[index] ?? 'password')}
        orientation={narrow ? 'vertical' : 'horizontal'}
        size="sm"
      >
        {STEPS.map((one) => (
          <Stepper.Step key={one} label={t(`welcome.step.${one}`)} description={t(`welcome.hint.${one}`)} />
        ))}
      </Stepper>
      <Stack maw={step === 'phone' ? 760 : 480} component="section" aria-label={t(`welcome.step.${step}`)}>
        {step === 'password' && (
          <>
            <Alert>{t(passwordIsGenerated ? 'welcome.passwordGenerated' : 'welcome.passwordOwn')}</Alert>
            <PasswordForm onDone={() => go('employee')} beside={skipTo('employee')} />
          </>
        )}
        {step === 'employee' && (
          <FirstEmployee
            already={employees ?? 0}
            onCreated={(id) => go('phone', id)}
            beside={skipTo('phone')}
          />
        )}
        {step === 'phone' && (
          <ConnectPhone
            employee={search.employee}
            onEmployee={(id) => go('phone', id)}
            onNobody={() => go('employee')}
            onDone={() => void navigate({ to: '/' })}
          />
        )}
      </Stack>
    </Page>
  );
}
