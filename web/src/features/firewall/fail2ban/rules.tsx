import { Page } from '../../../ui/page.tsx';

export function Rules() {
  return <Page title="Rules">{null}</Page>;
}
