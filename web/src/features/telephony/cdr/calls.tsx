import { Page } from '../../../ui/page.tsx';

export function Calls() {
  return <Page title="Calls">{null}</Page>;
}
