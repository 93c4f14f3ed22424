import { Page } from '../../../ui/page.tsx';

export function Bouncers() {
  return <Page title="Bouncers">{null}</Page>;
}
