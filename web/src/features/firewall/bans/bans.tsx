import { Page } from '../../../ui/page.tsx';

export function Bans() {
  return <Page title="Bans">{null}</Page>;
}
