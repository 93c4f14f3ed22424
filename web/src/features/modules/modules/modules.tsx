import { Page } from '../../../ui/page.tsx';

export function Modules() {
  return <Page title="Modules">{null}</Page>;
}
