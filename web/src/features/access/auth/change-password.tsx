import { Page } from '../../../ui/page.tsx';

export function ChangePassword() {
  return <Page title="ChangePassword">{null}</Page>;
}
